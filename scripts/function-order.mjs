// Puts functions that resemble each other side by side in a WebAssembly module. gzip finds repetitions only in the last
// 32 KB, and the core has 300 KB: in the compiler's order a page loads 3 % more.
import { gzipSync } from 'node:zlib';
import binaryen from 'assemblyscript/binaryen';
import { writerOf } from './core-text.mjs';
import { bodiesOf } from './wasm-code.mjs';

// Of windows of 16 to 34 KB, sequences of 4 to 10 bytes and powers of 0.55 to 0.9 these give the smallest core: 0.7 KB less
// than 28 KB, 8 bytes, 0.65.
/** Bytes behind the current one in which gzip finds repetitions: 32 KB of text (core-text.mjs). */
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

/** Moves of functions that are tried. 12,000 saved 1 KB of a page, half of it with the first quarter. */
const MOVES = 20000;
/** Most functions that move together. */
const MOST_MOVED = 6;

/** Improves an order by what gzip makes of it: moves a few functions somewhere else, again and again, and keeps what is no larger. */
function refined(bodies, first, wasm) {
  const write = writerOf(wasm);
  const texts = bodies.map((body) => Buffer.from(write(body)));
  const sizeOf = (order) => gzipSync(Buffer.concat(order.map((i) => texts[i]))).length;
  // A linear congruential generator: the same core at every build.
  let state = 1;
  const chance = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  let best = first;
  let size = sizeOf(best);
  for (let move = 0; move < MOVES; move++) {
    const order = best.slice();
    const count = 1 + Math.floor(chance() * chance() * MOST_MOVED);
    const moved = order.splice(Math.floor(chance() * (order.length - count)), count);
    order.splice(Math.floor(chance() * order.length), 0, ...moved);
    const now = sizeOf(order);
    if (now <= size) [best, size] = [order, now];
  }
  return best;
}

/** The same module with its functions in such an order; `refine`: with the one that takes minutes. */
export function orderFunctions(wasm, features, refine) {
  const module = binaryen.readBinary(wasm);
  module.setFeatures(features);
  const functions = [];
  for (let i = 0; i < module.getNumFunctions(); i++) {
    const info = binaryen.getFunctionInfo(module.getFunctionByIndex(i));
    if (!info.module) functions.push(info);
  }
  const bodies = bodiesOf(wasm);
  if (bodies.length !== functions.length) throw new Error('order: the functions do not fit the code');
  const order = orderOf(bodies);
  const ordered = (refine ? refined(bodies, order, wasm) : order).map((i) => functions[i]);
  for (const { name } of functions) module.removeFunction(name);
  for (const { name, params, results, vars, body } of ordered)
    module.addFunction(name, params, results, vars, body);
  if (!module.validate()) throw new Error('order: the module is not valid');
  const result = module.emitBinary();
  module.dispose();
  return result;
}
