// A step system for tests that does what it is told: it throws, floods, hangs, makes bodies, or returns nonsense.
export default function mischief({ world, options, post }) {
  const { what, at = 3, body: id } = options;
  if (what === 'throw at start') throw new Error('no start');
  if (what === 'return nothing') return undefined;
  if (what === 'return a promise') return Promise.resolve({});
  if (what === 'no function') return { beforeStep: 7 };
  const body = world.getBody(id);
  const refused = (name, call) => {
    try {
      call();
      post(`${name} was allowed`);
    } catch (error) {
      post(`${name}: ${error.code}`);
    }
  };
  return {
    beforeStep() {
      if (world.stepCount !== at) return;
      if (what === 'throw') throw new TypeError('a mistake');
      if (what === 'throw nothing') throw undefined;
      if (what === 'flood') for (;;) body.applyImpulse([0, 0, 0]);
      if (what === 'flood quietly')
        for (let i = 0; i < 270_000; i++)
          try {
            body.applyImpulse([0, 0, 0]);
          } catch {}
      if (what === 'hang') for (;;);
      if (what === 'change')
        for (const [name, ...args] of options.calls) refused(name, () => body[name](...args));
      if (what === 'bad arguments') {
        refused('applyImpulse', () => body.applyImpulse([0, Number.NaN, 0]));
        refused('rayTest', () => world.rayTest([0, 0, 0], [0, 0, 0]));
        refused('getContacts', () => world.getContacts(12345678));
      }
    },
    afterStep() {
      if (world.stepCount !== at + 1) return;
      if (what === 'throw after') throw new TypeError('a mistake');
      if (what === 'force after') refused('applyForce', () => body.applyCentralForce([1, 0, 0]));
    },
    save() {
      if (what === 'throw in save' && world.stepCount > 0) throw new Error('no state');
      if (what === 'save a function' && world.stepCount > 0) return { at: () => 1 };
      return { at };
    },
    restore() {
      if (what === 'throw in restore') throw new Error('no way back');
    },
  };
}
