import type { SystemHooks, SystemStart } from 'ricochet';

interface Options {
  /** Where it pulls to, m. */
  at: [number, number, number];
  /** N at 1 m. */
  strength: number;
}
type Asked = { strength: number };
type Told = { caught: number };

// Made once for each world that it is added to: what it remembers belongs here, not to the module.
export default function magnet({ options, post }: SystemStart<Options, Told>): SystemHooks<Asked> {
  let { strength } = options;
  let caught = 0;
  const place = [0, 0, 0];
  return {
    beforeStep(world) {
      for (const body of world.bodies()) {
        if (body.type !== 'dynamic') continue;
        body.getPosition(place);
        const pull = options.at.map((target, i) => target - place[i]!) as [number, number, number];
        const squared = Math.max(0.25, pull[0] ** 2 + pull[1] ** 2 + pull[2] ** 2);
        const scale = strength / (squared * Math.sqrt(squared)); // 1/r²
        body.applyCentralForce([scale * pull[0], scale * pull[1], scale * pull[2]]);
      }
    },
    afterStep(world) {
      const shape = { shape: { type: 'sphere' as const, radius: 1 }, position: options.at };
      const { length } = world.overlapShapeTest(shape);
      if (length !== caught) post({ caught: (caught = length) });
    },
    message(asked) {
      strength = asked.strength;
    },
    save: () => ({ strength, caught }),
    restore(state: { strength: number; caught: number }) {
      ({ strength, caught } = state);
    },
  };
}
