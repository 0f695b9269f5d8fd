// A core with a sanitizer around it. In: what build.mjs made, and the imports of an ordinary core. Out: exports that
// look like those of the ordinary core, and throw where it strays: with the table, the function, and what was wrong.

import { MEMORY_MAP } from '../memory-map.mjs';
import { EXPORTS, FIXED, LASTING, QUESTION_FIELDS, READS_UNWRITTEN, ROOTS, TABLES } from './map.mjs';

const OUTSIDE = 0;
const ACROSS = 1;
const UNWRITTEN = 2;
const WRONG_CLASS = 3;
const WRONG_ROW = 4;
const STRAYED = 5;

const IS_DENIED = 1;
const IS_WATCHED = 2;
const ALL = 0xffffffffffffffffn;
const WORKSPACE = 'src/core/state/walk/WORKSPACE';
const ROW_BYTES = 'src/core/state/walk/ROW_BYTES';

/** What a core did that it must not. */
export class SanitizerError extends Error {
  name = 'SanitizerError';
  constructor(message, fields) {
    super(message);
    Object.assign(this, fields);
  }
}

/** What instances of a build have in common. */
export function prepare(built) {
  return {
    ...built,
    module: new WebAssembly.Module(built.wasm),
    shadow: new WebAssembly.Module(built.shadow),
    constants: new Map(built.constants),
    offsets: new Map(built.offsets),
  };
}

/** Places that have been reported. */
const reported = new Set();

/** @param built  of prepare */
export function instantiate(built, imports) {
  const { memory } = imports.env;
  const { constants, classes, offsets, places } = built;
  let words = new Int32Array(memory.buffer);
  const word = (address) => {
    if (words.buffer !== memory.buffer) words = new Int32Array(memory.buffer);
    return words[address >>> 2];
  };
  const constant = (name) => {
    if (typeof name === 'number') return name;
    const value = constants.get(`src/core/${name}`) ?? constants.get(name);
    if (value === undefined) throw new Error(`sanitizer: no constant ${name}`);
    return value;
  };
  const offset = (field) => {
    if (!offsets.has(field)) throw new Error(`sanitizer: no field ${field}`);
    return offsets.get(field);
  };

  // --- regions ---

  /** By number. */
  const regions = [null];
  const freeNumbers = [];
  const byBase = new Map();
  /** Those that hold nothing when a call begins. */
  const poisoned = new Set();
  const poisonedByStep = new Set();
  /** Rows behind the end that the next write of the end makes unreadable: a last row is read after it is given up. */
  const dropped = new Map();
  let running = null;

  const flagsOf = (r) => (r.isDenied ? IS_DENIED : 0) | (r.live || r.companions ? IS_WATCHED : 0);

  function isDenied(r) {
    if (running === null || running.allowed === 'all') return false;
    const role = r.table?.role;
    return !(role === 'output' || role === 'scratch' || running.allowed.includes(r.table?.field ?? r.name));
  }

  function classBits(table) {
    const names = [table?.class, ...(table?.parts ?? [])].filter((name) => name !== undefined);
    if (names.length === 0) return ALL;
    return names.reduce((bits, name) => bits | (1n << BigInt(classes.indexOf(name) + 1)), 0n);
  }

  function describe(r) {
    r.isDenied = isDenied(r);
    const rowClass = r.table?.class === undefined ? 0 : classes.indexOf(r.table.class) + 1;
    shadow.setRegion(r.number, classBits(r.table), rowClass, flagsOf(r));
  }

  function create(name, base, bytes, table) {
    const number = freeNumbers.pop() ?? regions.length;
    if (number > 2047) throw new Error('sanitizer: more regions than it has numbers for');
    const r = { number, name, base, bytes: (Math.max(bytes, 1) + 3) & ~3, table, extent: 0, isDenied: false };
    r.extent = r.bytes;
    regions[number] = r;
    byBase.set(base, r);
    shadow.define(base, r.bytes, number);
    describe(r);
    return r;
  }

  function forget(r) {
    shadow.undefine(r.base, r.bytes, r.number);
    regions[r.number] = null;
    freeNumbers.push(r.number);
    if (byBase.get(r.base) === r) byBase.delete(r.base);
    poisoned.delete(r);
    poisonedByStep.delete(r);
    dropped.delete(r);
  }

  const strideOf = (r) => (r.table?.stride === undefined ? 0 : constant(r.table.stride));

  /** The region is the table of a field, of the record at `record`. */
  function dedicate(r, field, record) {
    const table = { ...TABLES[field], field };
    r.table = table;
    const root = ROOTS.find((name) => field.startsWith(`${name}.`));
    const owner = regions[shadow.regionOf(record)];
    const place =
      owner.name === 'World' ? '' : `${owner.name}[${Math.floor((record - owner.base) / strideOf(owner))}].`;
    r.name = `${place}${field.slice(root.length + 1)}`;
    r.record = record;
    describe(r);
    shape(r, 0);
  }

  /** Rows from byte `from` on. */
  function shape(r, from) {
    const stride = strideOf(r);
    if (r.table?.class !== undefined) shadow.markRows(r.base + from, r.bytes - from, stride);
    if (r.table?.zeroed) shadow.mark(r.base + from, r.bytes - from, 1);
    if (r.table?.dummy && from === 0) shadow.mark(r.base, stride, 1);
    if (r.table?.live && stride > 0) {
      const rows = new Uint8Array(Math.floor(r.bytes / stride));
      if (r.live) rows.set(r.live.subarray(0, rows.length));
      if (r.table.dummy) rows[0] = 1;
      r.live = rows;
      describe(r);
    }
    if (r.table?.role === 'scratch') poisoned.add(r);
    if (r.table?.step) poisonedByStep.add(r);
  }

  const inside = (address) => regions[shadow.regionOf(address)];

  // --- what goes wrong ---

  /** Throws; or says it once per place and goes on, which shows many faults of one run. */
  function raise(site, message, fields) {
    const error = new SanitizerError(message, fields);
    if (!process.env['RICOCHET_SANITIZER_REPORT']) throw error;
    if (reported.has(site)) return;
    reported.add(site);
    console.error(`SANITIZER ${error.message}`);
  }

  const functionName = (site) => places[site][0].replace(/^src\/core\//, '');

  function where(address) {
    const r = inside(address);
    if (!r) {
      // The nearest region before says more than nothing.
      let best = null;
      for (const other of regions)
        if (other && other.base <= address && (!best || other.base > best.base)) best = other;
      if (!best) return { table: 'nothing', text: 'no table' };
      const beyond = address - best.base - best.bytes;
      return { table: best.name, text: `${beyond} bytes behind the end of '${best.name}'` };
    }
    const stride = strideOf(r);
    const at = address - r.base;
    const row = stride > 0 ? `row ${Math.floor(at / stride)}, byte ${at % stride}` : `byte ${at}`;
    const end = r.table?.end === undefined ? '' : ` of ${endOf(r)}`;
    return { table: r.name, text: `'${r.name}' ${row}${end}` };
  }

  function fail(site, address, what) {
    const [, , field] = places[site];
    const name = functionName(site);
    const { table, text } = where(address);
    const subject = field ? ` (${field})` : '';
    const message = `${what}: ${text}${subject}, in ${name}, called by ${running?.name ?? 'nobody'}`;
    raise(site, message, { table, function: name, field });
  }

  function fault(kind, addressSigned, bytes, site, otherSigned) {
    const address = addressSigned >>> 0;
    const other = otherSigned >>> 0;
    const verb = places[site][1];
    if (kind === UNWRITTEN) {
      if (places[site][0] in READS_UNWRITTEN) return;
      const r = inside(other);
      const isFree = r?.live && r.live[Math.floor((other - r.base) / strideOf(r))] === 0;
      shadow.mark(address, bytes, 1); // if it goes on, once is enough
      fail(site, other, isFree ? 'read of a free row' : 'read of what was not written');
    }
    if (kind === OUTSIDE) fail(site, address, `${verb} of ${bytes} bytes outside of all tables`);
    if (kind === ACROSS) fail(site, address, `${verb} of ${bytes} bytes across the end of a table`);
    if (kind === WRONG_CLASS) fail(site, address, 'a record where there is none of its class');
    if (kind === WRONG_ROW) fail(site, address, 'a record where no row starts');
    if (kind === STRAYED) {
      const from = where(other);
      const to = where(address);
      const name = functionName(site);
      raise(
        site,
        `an address computed from ${from.text} is that of ${to.text}, in ${name}, called by ${running?.name ?? 'nobody'}`,
        { table: from.table, function: name, field: '' },
      );
    }
  }

  function denied(addressSigned, _bytes, site) {
    const address = addressSigned >>> 0;
    const r = inside(address);
    if (r.name === 'World') {
      const field = fieldAt('World', address - r.base);
      if (QUESTION_FIELDS.includes(field) || running.allowed.includes(field)) return;
      fail(site, address, `write to ${field} by a call that may not`);
    }
    fail(site, address, `write to '${r.name}' by a call that may not`);
  }

  const fieldAt = (record, at) => {
    for (const [field, start] of offsets) if (start === at && field.startsWith(`${record}.`)) return field;
    return `${record} + ${at}`;
  };

  // --- rows ---

  /** Rows in use of a table, as the field says. */
  const endOf = (r) => word(r.record + offset(r.table.end));

  function poisonRows(r, from, to) {
    const stride = strideOf(r);
    const last = Math.min(to * stride, r.bytes);
    if (from * stride < last) shadow.mark(r.base + from * stride, last - from * stride, 0);
  }

  function freeRow(r, row) {
    const { table } = r;
    const base = r.base + row * strideOf(r);
    poisonRows(r, row, row + 1);
    const keep = (at) => shadow.mark(base + at, 4, 1);
    if (table.live) keep(offset(`${table.class}.${table.live[0]}`));
    if (table.link) keep(offsets.has(table.link) ? offset(table.link) : constant(table.link));
    for (const field of table.keeps ?? [])
      shadow.mark(base + offset(field), field.endsWith('child') ? 16 : 4, 1);
    running?.freed.push([r, row]);
  }

  /** The end of a table was written: rows behind it are not to be read. */
  function endWritten(r, old, now) {
    const pending = dropped.get(r);
    if (pending) {
      poisonRows(r, Math.max(pending[0], now), pending[1]);
      dropped.delete(r);
    }
    if (now < old) dropped.set(r, [now, old]);
  }

  /** Which tables have this field as their end, or as the head of their free rows. */
  const endTables = new Map();
  const freeTables = new Map();
  for (const [field, { end, free }] of Object.entries(TABLES)) {
    if (end) endTables.set(end, [...(endTables.get(end) ?? []), field]);
    if (free) freeTables.set(free, [...(freeTables.get(free) ?? []), field]);
  }
  /** What the watched fields held when they were last looked at. */
  const last = new Map();

  function liveWritten(r, row, value) {
    if (row === 0 && r.table.dummy) return;
    const was = r.live[row];
    const is = (value & r.table.live[1]) !== 0 ? 1 : 0;
    r.live[row] = is;
    if (was && !is) freeRow(r, row);
  }

  /** After a write of a watched field. */
  function stored(addressSigned, value, site) {
    const address = addressSigned >>> 0;
    let [, , field] = places[site];
    const owner = inside(address);
    if (!field) {
      if (owner?.name !== 'World') return;
      field = fieldAt('World', address - owner.base);
    }
    const at = offset(field);
    const record = address - at;
    if (field in TABLES) {
      const r = byBase.get(value >>> 0);
      if (r && r.table?.field !== field) dedicate(r, field, record);
      return;
    }
    const old = last.get(address) ?? 0;
    last.set(address, value);
    for (const of of endTables.get(field) ?? []) {
      const r = byBase.get(word(record + offset(of)) >>> 0);
      if (r) endWritten(r, old, value);
    }
    for (const of of freeTables.get(field) ?? []) {
      const r = byBase.get(word(record + offset(of)) >>> 0);
      if (!r || value < 0 || value * strideOf(r) >= r.bytes) continue;
      const link = offsets.has(r.table.link) ? offset(r.table.link) : constant(r.table.link);
      const next = (row) => word(r.base + row * strideOf(r) + link);
      const isTaken = last.has(address) && old > 0 && next(old) === value;
      if (!isTaken && value !== 0 ? next(value) === old || old <= 0 : false) freeRow(r, value);
    }
    if (owner?.live) liveWritten(owner, Math.floor((address - owner.base) / strideOf(owner)), value);
  }

  /** Before a table with rows that are free or in use is filled: one row that is in use becomes free. */
  function filled(addressSigned, bytes) {
    const address = addressSigned >>> 0;
    const r = inside(address);
    const stride = strideOf(r);
    const row = Math.floor((address - r.base) / stride);
    if (bytes !== stride) {
      r.live.fill(0, row, row + Math.ceil(bytes / stride));
      return;
    }
    if (!r.live[row] || (row === 0 && r.table.dummy)) return;
    r.live[row] = 0;
    freeRow(r, row);
  }

  // --- the allocator ---

  function allocated(address, bytes, site) {
    const at = address >>> 0;
    const old = byBase.get(at);
    if (old && old !== room) forget(old); // a test may begin a world again
    create(`allocated by ${functionName(site)}`, at, bytes >>> 0);
  }

  function released(address) {
    const r = byBase.get(address >>> 0);
    if (r) forget(r);
  }

  function reallocated(result, oldAddress, _oldBytes, newBytes, site) {
    const to = result >>> 0;
    const from = oldAddress >>> 0;
    const old = byBase.get(from);
    if (from === 0 || !old) return allocated(result, newBytes, site);
    const size = (Math.max(newBytes >>> 0, 1) + 3) & ~3;
    if (to === from) {
      if (size <= old.bytes) return;
      const before = old.bytes;
      old.bytes = size;
      shadow.define(old.base + before, size - before, old.number);
      shape(old, before);
      return;
    }
    const r = create(old.name, to, size, old.table);
    r.record = old.record;
    r.live = old.live;
    shadow.move(to, from, old.bytes, r.number);
    describe(r);
    shape(r, old.bytes);
    // Rows start where they did.
    const pending = dropped.get(old);
    forget(old);
    if (pending) dropped.set(r, pending);
  }

  function scratched(address, bytes) {
    const r = byBase.get(address >>> 0);
    shadow.define(r.base, r.extent, 0);
    r.extent = Math.min((bytes + 3) & ~3, r.bytes);
    shadow.define(r.base, r.extent, r.number);
  }

  // --- calls ---

  function enter(name, args) {
    const call = { name, allowed: EXPORTS[name], freed: [], outer: running };
    if (call.allowed === undefined)
      throw new Error(`sanitizer: map.mjs does not say what ${name} may write to`);
    const changed = running === null || running.allowed !== call.allowed;
    running = call;
    if (changed)
      for (const r of regions) {
        if (!r) continue;
        r.isDenied = isDenied(r);
        shadow.setFlags(r.number, flagsOf(r));
      }
    for (const r of poisoned) shadow.mark(r.base, r.extent, 0);
    if (name === 'step') for (const r of poisonedByStep) shadow.mark(r.base, r.bytes, 0);
    for (const r of regions) if (r?.table?.role === 'host') shadow.mark(r.base, r.bytes, 1);
    if (name === 'readSnapshot') shadow.mark(args[0] >>> 0, args[1], 1);
  }

  function leave(name, args, result) {
    for (const [r, [from, to]] of dropped) poisonRows(r, from, to);
    dropped.clear();
    for (const [owner, row] of running.freed)
      if (!owner.live?.[row])
        for (const r of regions) if (r?.table?.with === owner.table.field) poisonRows(r, row, row + 1);
    if (name === 'reserveSnapshot') {
      unreserve();
      reserved(result >>> 0, args[0]);
    }
    if (name === 'writeSnapshot' || name === 'readSnapshot') unreserve();
    if (name === 'readSnapshot') lookAgain();
    running = running.outer;
  }

  /** Room for a snapshot lies above the heap and belongs to nobody. */
  let room = null;
  function reserved(address, bytes) {
    if (address === 0) return;
    const before = constant(WORKSPACE);
    let from = address - before;
    let end = address + bytes + constant(ROW_BYTES);
    const old = room;
    if (old === null) {
      room = create('snapshot', from, end - from);
      return;
    }
    // A snapshot that is being read makes way for tables: the two places may overlap.
    from = Math.min(from, old.base);
    end = Math.max(end, old.base + old.bytes);
    room = { ...old, number: freeNumbers.pop() ?? regions.length, base: from, bytes: (end - from + 3) & ~3 };
    room.extent = room.bytes;
    regions[room.number] = room;
    shadow.extend(from, room.bytes, room.number, old.number);
    regions[old.number] = null;
    freeNumbers.push(old.number);
    if (byBase.get(old.base) === old) byBase.delete(old.base);
    byBase.set(room.base, room);
    describe(room);
  }
  function unreserve() {
    if (room !== null && regions[room.number] === room) forget(room);
    room = null;
  }

  /** After a snapshot was read, whose rows were not written field by field. */
  function lookAgain() {
    for (const r of regions) {
      if (!r?.table?.end) continue;
      last.set(r.record + offset(r.table.end), endOf(r));
      const rows = Math.ceil(r.bytes / strideOf(r));
      poisonRows(r, endOf(r), rows);
      if (r.table.free) last.set(r.record + offset(r.table.free), word(r.record + offset(r.table.free)));
      if (!r.live) continue;
      const [field, bit] = r.table.live;
      r.live.fill(0);
      if (r.table.dummy) r.live[0] = 1;
      for (let row = r.table.dummy ? 1 : 0; row < endOf(r); row++)
        r.live[row] =
          (word(r.base + row * strideOf(r) + offset(`${r.table.class}.${field}`)) & bit) !== 0 ? 1 : 0;
    }
  }

  // --- begin ---

  const shadow = new WebAssembly.Instance(built.shadow, {
    host: { fault, denied, filled, copied() {} },
    env: { abort() {} },
  }).exports;
  shadow.cover(memory.buffer.byteLength);
  // The actors are a part of this module. What they ask of the core belongs to the call that is running.
  const own = {};
  const instance = new WebAssembly.Instance(built.module, {
    ...imports,
    core: Object.fromEntries(
      WebAssembly.Module.imports(built.module)
        .filter((each) => each.module === 'core')
        .map(({ name }) => [name, (...args) => own[name](...args)]),
    ),
    sanitize: {
      ...shadow,
      stored,
      allocated,
      reallocated,
      released,
      scratched,
      reserved: (address, bytes) => reserved(address >>> 0, bytes),
      grown: () => shadow.cover(memory.buffer.byteLength),
    },
  });
  Object.assign(own, instance.exports);
  create('World', MEMORY_MAP.WORLD_ADDRESS, built.worldBytes);
  for (const [name, { at, bytes, step, ...rest }] of Object.entries(FIXED)) {
    const r = create(name, at, bytes, { field: name, ...rest });
    if (step) poisonedByStep.add(r);
  }
  for (const { name, at, bytes, hasContent } of built.buffers) {
    const r = create(name, at, bytes, { field: name, role: 'scratch' });
    if (hasContent) shadow.mark(at, bytes, 1);
    else if (!(name in LASTING)) poisoned.add(r);
  }

  const exports = {};
  for (const [name, value] of Object.entries(instance.exports)) {
    exports[name] =
      typeof value !== 'function'
        ? value
        : (...args) => {
            enter(name, args);
            const call = running;
            try {
              const result = value(...args);
              leave(name, args, result);
              return result;
            } finally {
              running = call.outer;
            }
          };
  }
  // The core calls them inside its own calls: in a step, and when commands are applied.
  const { publish, publishCharacter } = exports;
  exports.actorModule = () => ({ actors: own.actors, publish, publishCharacter });
  return { exports, regions: () => regions.filter((r) => r !== null) };
}
