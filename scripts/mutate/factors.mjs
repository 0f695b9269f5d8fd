// Gives every instance of a core the factors of its mutants. Import it before the engine.

/** Which mutants act, by number: the factor of a constant, 0 to remove a rule. RICOCHET_MUTANTS: "3:4,17:0". */
export const acting = new Map(
  (process.env.RICOCHET_MUTANTS ?? '')
    .split(',')
    .filter((text) => text !== '')
    .map((text) => text.split(':').map(Number)),
);

const mutation = { factor: (number) => acting.get(number) ?? 1 };
const { instantiate } = WebAssembly;
WebAssembly.instantiate = (module, imports) => instantiate(module, { ...imports, mutation });
WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(module, imports) {
    super(module, { ...imports, mutation });
  }
};
