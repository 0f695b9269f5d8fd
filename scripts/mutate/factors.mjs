// Gives every instance of a core the factors of its mutants. Import it before the engine.

/** Which mutant acts, and how: a factor of a constant, 0 to remove a rule. */
export const acting = { number: -1, factor: 1 };
const [number, factor] = (process.env.RICOCHET_MUTANT ?? '').split(':');
if (factor !== undefined) Object.assign(acting, { number: Number(number), factor: Number(factor) });

const mutation = { factor: (asked) => (asked === acting.number ? acting.factor : 1) };
WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(module, imports) {
    super(module, { ...imports, mutation });
  }
};
