import type { SystemHooks, SystemStart } from 'ricochet';

type Input = { forward: number; turn: number };

// Was: `function update(dt)` of the page, called before world.step(dt).
export default function drive({ world, options }: SystemStart<{ body: number }>): SystemHooks<Input> {
  const ship = world.getBody(options.body);
  if (ship === undefined) throw new Error('there is no such body');
  let input: Input = { forward: 0, turn: 0 };
  return {
    beforeStep() {
      const [x, y, z, w] = ship.getRotation();
      const push = 30 * input.forward; // N, along the ship's own z
      const ahead = [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)];
      ship.applyCentralForce(ahead.map((part) => push * part));
      ship.applyTorque([0, 4 * input.turn, 0]);
    },
    message(given) {
      input = given;
    },
    save: () => input,
    restore(state: Input) {
      input = state;
    },
  };
}
