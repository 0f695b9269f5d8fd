// Puts functions that resemble each other side by side in a WebAssembly module. What is near costs less to copy (pack.mjs): in the
// compiler's order a packed core is 2.7 % larger.
import binaryen from 'assemblyscript/binaryen';
import { bodiesOf } from './wasm-code.mjs';

// Of windows of 26, 60 and 400 KB, sequences of 4, 5, 6 and 8 bytes and powers of 0.7 and 0.9 these give the smallest core.
/** Bytes behind the current one in which repetitions count. */
const WINDOW = 26000;
/** Bytes of a sequence that counts as a repetition. */
const SEQUENCE = 5;
/** Power of its length by which a function's repetitions are divided. */
const LENGTH_POWER = 0.9;

/** The different sequences of a function's code, as numbers; two sequences may share one. */
function sequencesOf(body) {
  const found = new Set();
  for (let i = 0; i + SEQUENCE <= body.length; i++) {
    let hash = 0;
    for (let k = 0; k < SEQUENCE; k++) hash = (Math.imul(hash, 0x01000193) ^ body[i + k]) >>> 0;
    found.add(hash);
  }
  return [...found];
}

/**
 * An order of the functions, by index: after the longest one always that of which the largest part occurs in the window
 * behind. Sequences that many functions have count less.
 */
function orderOf(bodies) {
  const sequences = bodies.map(sequencesOf);
  const owners = new Map();
  for (const list of sequences) for (const s of list) owners.set(s, (owners.get(s) ?? 0) + 1);
  const left = new Set(bodies.keys());
  const order = [];
  const inWindow = new Map();
  let first = 0;
  let size = 0;
  const append = (i) => {
    left.delete(i);
    order.push(i);
    size += bodies[i].length;
    for (const s of sequences[i]) inWindow.set(s, (inWindow.get(s) ?? 0) + 1);
    for (; size - bodies[order[first]].length > WINDOW; first++) {
      size -= bodies[order[first]].length;
      for (const s of sequences[order[first]]) inWindow.set(s, inWindow.get(s) - 1);
    }
  };
  append([...left].reduce((a, b) => (bodies[b].length > bodies[a].length ? b : a)));
  while (left.size > 0) {
    let best = -1;
    let most = -1;
    for (const i of left) {
      let repeated = 0;
      for (const s of sequences[i]) if (inWindow.get(s) > 0) repeated += 1 / owners.get(s);
      const share = repeated / (sequences[i].length + 2) ** LENGTH_POWER;
      if (share > most) [best, most] = [i, share];
    }
    append(best);
  }
  return order;
}

/** The same module with its functions in such an order. */
export function orderFunctions(wasm, features) {
  const module = binaryen.readBinary(wasm);
  module.setFeatures(features);
  const functions = [];
  for (let i = 0; i < module.getNumFunctions(); i++) {
    const info = binaryen.getFunctionInfo(module.getFunctionByIndex(i));
    if (!info.module) functions.push(info);
  }
  const bodies = bodiesOf(wasm);
  if (bodies.length !== functions.length) throw new Error('order: the functions do not fit the code');
  const ordered = orderOf(bodies).map((i) => functions[i]);
  for (const { name } of functions) module.removeFunction(name);
  for (const { name, params, results, vars, body } of ordered)
    module.addFunction(name, params, results, vars, body);
  if (!module.validate()) throw new Error('order: the module is not valid');
  const result = module.emitBinary();
  module.dispose();
  return result;
}
