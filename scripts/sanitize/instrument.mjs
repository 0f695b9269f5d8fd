// Puts a call of the shadow before every instruction that touches memory. In: the core, compiled without optimisation,
// so that functions, fields (`Body#get:mass`) and constants still have their names. Out: the same with imports from
// `sanitize`, and what each place in the code is: its function, and the field that it is about.
//
// It works on the bytes of the module: no instruction that touches memory can be missed, for one that is not known here
// is an error.
import { UNSEEN } from './transform.mjs';

const I32 = 0x7f;
const I64 = 0x7e;
const F32 = 0x7d;
const F64 = 0x7c;
const V128 = 0x7b;

/** Loads and stores by opcode: bytes, and of stores the type of the value. */
const ACCESS = new Map([
  ...[0x28, 0x2a].map((op) => [op, [4]]),
  ...[0x29, 0x2b].map((op) => [op, [8]]),
  ...[0x2c, 0x2d, 0x30, 0x31].map((op) => [op, [1]]),
  ...[0x2e, 0x2f, 0x32, 0x33].map((op) => [op, [2]]),
  ...[0x34, 0x35].map((op) => [op, [4]]),
  [0x36, [4, I32]],
  [0x37, [8, I64]],
  [0x38, [4, F32]],
  [0x39, [8, F64]],
  [0x3a, [1, I32]],
  [0x3b, [2, I32]],
  [0x3c, [1, I64]],
  [0x3d, [2, I64]],
  [0x3e, [4, I64]],
]);
/** The same after the prefix 0xfd; the third: what lies above the address is a vector, of a load as well. */
const WIDE_ACCESS = new Map([
  [0, [16]],
  ...[1, 2, 3, 4, 5, 6].map((op) => [op, [8]]),
  ...[1, 2, 4, 8].map((bytes, i) => [7 + i, [bytes]]),
  [11, [16, V128]],
  ...[1, 2, 4, 8].map((bytes, i) => [84 + i, [bytes, V128, 'load']]),
  ...[1, 2, 4, 8].map((bytes, i) => [88 + i, [bytes, V128]]),
  [92, [4]],
  [93, [8]],
]);

/** Imports: parameters, result. */
const ADDRESS = [[I32, I32, I32], [I32]];
const IMPORTS = {
  ...Object.fromEntries(
    [1, 2, 4, 8, 16].flatMap((n) => [
      [`read${n}`, ADDRESS],
      [`write${n}`, ADDRESS],
    ]),
  ),
  record: [[I32, I32, I32, I32], [I32]],
  derived: [[I32, I32, I32], [I32]],
  fill: [[I32, I32, I32, I32], []],
  copy: [[I32, I32, I32, I32], []],
  stored: [[I32, I32, I32], []],
  allocated: [[I32, I32, I32], []],
  reallocated: [[I32, I32, I32, I32, I32], []],
  released: [[I32, I32, I32], []],
  scratched: [[I32, I32, I32], []],
  reserved: [[I32, I32, I32, I32], []],
  grown: [[], []],
};

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  byte() {
    return this.bytes[this.at++];
  }
  u32() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }
  /** Also of 64 bits: its bytes are what matters. */
  skipLeb() {
    while (this.byte() >= 128);
  }
  s32() {
    let value = 0;
    let shift = 0;
    let byte;
    do {
      byte = this.byte();
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte >= 128);
    return shift < 32 && byte & 64 ? value | (-1 << shift) : value;
  }
  name() {
    const length = this.u32();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }
}

function u32(value) {
  const out = [];
  do {
    out.push(value >= 128 ? (value % 128) | 128 : value);
    value = Math.floor(value / 128);
  } while (value > 0);
  return out;
}
function s32(value) {
  const out = [];
  for (;;) {
    const byte = value & 127;
    value >>= 7;
    if ((value === 0 && !(byte & 64)) || (value === -1 && byte & 64)) return [...out, byte];
    out.push(byte | 128);
  }
}
const named = (text) => {
  const bytes = new TextEncoder().encode(text);
  return [...u32(bytes.length), ...bytes];
};

/** Grows as it is written to. */
class Writer {
  bytes = new Uint8Array(1 << 16);
  length = 0;
  push(...values) {
    this.append(values);
  }
  append(values) {
    if (this.length + values.length > this.bytes.length) {
      const more = new Uint8Array(2 * (this.length + values.length));
      more.set(this.bytes.subarray(0, this.length));
      this.bytes = more;
    }
    this.bytes.set(values, this.length);
    this.length += values.length;
  }
  view() {
    return this.bytes.subarray(0, this.length);
  }
}

/** Skips what follows an opcode; throws for one that is not known. Returns a callee's place, to be renumbered. */
function skipImmediates(r, op) {
  if (op === 0x02 || op === 0x03 || op === 0x04 || op === 0x41 || op === 0x42) r.skipLeb();
  else if (op === 0x0c || op === 0x0d || (op >= 0x20 && op <= 0x26)) r.u32();
  else if (op === 0x0e) for (let n = r.u32() + 1; n > 0; n--) r.u32();
  else if (op === 0x11) {
    r.u32();
    r.u32();
  } else if (op === 0x1c) for (let n = r.u32(); n > 0; n--) r.byte();
  else if (op === 0x3f || op === 0x40) r.byte();
  else if (op === 0x43) r.at += 4;
  else if (op === 0x44) r.at += 8;
  else if (
    !(
      op <= 0x01 ||
      op === 0x05 ||
      op === 0x0b ||
      op === 0x0f ||
      op === 0x1a ||
      op === 0x1b ||
      (op >= 0x45 && op <= 0xc4)
    )
  )
    throw new Error(`instrument: unknown instruction 0x${op.toString(16)}`);
}

function skipWide(r, op) {
  if (op === 12 || op === 13) r.at += 16;
  else if (op >= 21 && op <= 34) r.at++;
  else if (!(op === 14 || (op >= 15 && op <= 20) || (op >= 35 && op <= 83) || (op >= 94 && op <= 255)))
    throw new Error(`instrument: unknown instruction 0xfd ${op}`);
}

function sections(wasm) {
  const r = new Reader(wasm);
  r.at = 8;
  const out = [];
  while (r.at < wasm.length) {
    const id = r.byte();
    const size = r.u32();
    out.push({ id, bytes: wasm.subarray(r.at, r.at + size) });
    r.at += size;
  }
  return out;
}

/** Names of functions and globals by index. */
function readNames(all) {
  const names = { functions: [], globals: [] };
  for (const { id, bytes } of all) {
    if (id !== 0) continue;
    const r = new Reader(bytes);
    if (r.name() !== 'name') continue;
    while (r.at < bytes.length) {
      const kind = r.byte();
      const end = r.u32() + r.at;
      const to = kind === 1 ? names.functions : kind === 7 ? names.globals : undefined;
      if (to) for (let n = r.u32(); n > 0; n--) to[r.u32()] = r.name();
      r.at = end;
    }
  }
  return names;
}

/** A getter or setter of a field: `…/Body#get:mass`. */
const FIELD = /([^/]+)#(get|set):(\w+)$/;

/** The number of every class of which no table has rows: a shadow has a bit per number. */
const OTHER_CLASS = 63;

/**
 * @param wasm        with names
 * @param watched     'Class.field' of fields whose writes the host wants to know
 * @param rowClasses  classes that lie in tables
 * @returns the module; its places; constants by name; classes in the order of their numbers
 */
export function instrument(wasm, watched, rowClasses) {
  const all = sections(wasm);
  const names = readNames(all);
  const section = (id) => all.find((s) => s.id === id)?.bytes ?? new Uint8Array([0]);

  // Types, and those of the imports added.
  const types = [];
  {
    const r = new Reader(section(1));
    for (let n = r.u32(); n > 0; n--) {
      if (r.byte() !== 0x60) throw new Error('instrument: a type that is no function');
      const params = [...r.bytes.subarray(r.at + 1, r.at + 1 + r.bytes[r.at])];
      r.at += 1 + params.length;
      const results = [...r.bytes.subarray(r.at + 1, r.at + 1 + r.bytes[r.at])];
      r.at += 1 + results.length;
      types.push([params, results]);
    }
  }
  const typeOf = ([params, results]) => {
    const same = types.findIndex(([p, q]) => `${p}|${q}` === `${params}|${results}`);
    return same >= 0 ? same : types.push([params, results]) - 1;
  };

  // Imports: `derived` is there already, declared by the transform; it gets a third parameter.
  const imports = [];
  let imported = 0;
  let derivedIndex = -1;
  {
    const r = new Reader(section(2));
    for (let n = r.u32(); n > 0; n--) {
      const start = r.at;
      const module = r.name();
      const name = r.name();
      const kind = r.byte();
      if (kind === 0) {
        r.u32();
        if (module === 'sanitize' && name === 'derived') {
          derivedIndex = imported;
          imports.push([...named(module), ...named(name), 0, ...u32(typeOf(IMPORTS.derived))]);
          imported++;
          continue;
        }
        imported++;
      } else if (kind === 2) {
        const limits = r.byte();
        r.u32();
        if (limits & 1) r.u32();
      } else throw new Error(`instrument: import of kind ${kind}`);
      imports.push([...r.bytes.subarray(start, r.at)]);
    }
  }
  const added = Object.keys(IMPORTS).filter((name) => name !== 'derived' || derivedIndex < 0);
  const hook = Object.fromEntries(added.map((name, i) => [name, imported + i]));
  if (derivedIndex >= 0) hook.derived = derivedIndex;
  const shift = (index) => (index < imported ? index : index + added.length);

  const functionTypes = [];
  {
    const r = new Reader(section(3));
    for (let n = r.u32(); n > 0; n--) functionTypes.push(r.u32());
  }

  // Bodies.
  const code = section(10);
  const bodies = [];
  {
    const r = new Reader(code);
    for (let n = r.u32(); n > 0; n--) {
      const size = r.u32();
      bodies.push(code.subarray(r.at, r.at + size));
      r.at += size;
    }
  }

  /** Fields by the index of their accessor: what the one instruction of its body does. */
  const fields = new Map();
  const classes = [];
  const classNumber = (name) => {
    if (!rowClasses.has(name)) return OTHER_CLASS;
    const at = classes.indexOf(name);
    return at >= 0 ? at + 1 : classes.push(name);
  };
  for (const [i, body] of bodies.entries()) {
    const match = FIELD.exec(names.functions[imported + i] ?? '');
    if (!match) continue;
    const r = new Reader(body);
    for (let n = r.u32(); n > 0; n--) {
      r.u32();
      r.byte();
    }
    let access;
    while (r.at < body.length) {
      const op = r.byte();
      const wide = op === 0xfd ? r.u32() : -1;
      const found = wide >= 0 ? WIDE_ACCESS.get(wide) : ACCESS.get(op);
      if (found) {
        const align = r.u32();
        access = { op, wide, align, offset: r.u32(), bytes: found[0], value: found[1] };
      } else if (wide >= 0) skipWide(r, wide);
      else if (op === 0x10) r.u32();
      else skipImmediates(r, op);
    }
    if (!access) throw new Error(`instrument: ${names.functions[imported + i]} touches nothing`);
    fields.set(imported + i, {
      ...access,
      cls: classNumber(match[1]),
      isSet: match[2] === 'set',
      name: `${match[1]}.${match[3]}`,
    });
  }

  if (classes.length >= OTHER_CLASS) throw new Error('instrument: more classes than a shadow has bits for');

  const places = [];
  const place = (name, kind, field) => places.push([name, kind, field ?? '']) - 1;
  /** Functions whose calls the host hears of. */
  const called = new Map();
  for (const [i, name] of names.functions.entries()) {
    if (name === 'src/core/memory/allocator/allocate') called.set(i, 'allocated');
    if (name === 'src/core/memory/allocator/reallocate') called.set(i, 'reallocated');
    if (name === 'src/core/memory/allocator/release') called.set(i, 'released');
    if (name === 'src/core/memory/tables/scratch') called.set(i, 'scratched');
    if (name === 'src/core/state/snapshot/reserveSnapshot') called.set(i, 'reserved');
  }

  const emit = (bytes, i) => {
    const name = names.functions[imported + i] ?? `function ${imported + i}`;
    const r = new Reader(bytes);
    const out = new Writer();
    const params = types[functionTypes[i]][0].length;
    const groups = [];
    let locals = params;
    for (let n = r.u32(); n > 0; n--) {
      const count = r.u32();
      groups.push([count, r.byte()]);
      locals += count;
    }
    // Room for what lies on the stack above an address: three numbers, and one of each type.
    // Accessors are left to those that see nothing: where they are called, their one instruction takes their place.
    const unseen = UNSEEN.test(name) || fields.has(imported + i);
    const room = { a: locals, b: locals + 1, c: locals + 2 };
    const roomOf = {
      [I32]: room.b,
      [I64]: locals + 3,
      [F32]: locals + 4,
      [F64]: locals + 5,
      [V128]: locals + 6,
    };
    if (!unseen) groups.push([3, I32], [1, I64], [1, F32], [1, F64], [1, V128]);
    out.append(u32(groups.length));
    for (const [count, type] of groups) out.append([...u32(count), type]);

    const get = (local) => out.append([0x20, ...u32(local)]);
    const set = (local) => out.append([0x21, ...u32(local)]);
    const tee = (local) => out.append([0x22, ...u32(local)]);
    const number = (value) => out.append([0x41, ...s32(value)]);
    const call = (index) => out.append([0x10, ...u32(index)]);

    /** With an address on the stack, and a value above it if `value` is its type: checks, and leaves them there. */
    const check = (access, site, instruction) => {
      const { bytes: size, offset, value, cls, load } = access;
      if (value) set(roomOf[value]);
      if (cls) {
        number(offset);
        number(cls);
        number(site);
        call(hook.record);
      }
      number(offset);
      number(site);
      call(hook[`${value && !load ? 'write' : 'read'}${size}`]);
      if (value && access.watched) tee(room.a);
      if (value) get(roomOf[value]);
      out.append(instruction);
      if (value && access.watched) {
        get(room.a);
        number(offset);
        out.push(0x6a);
        get(room.b);
        number(site);
        call(hook.stored);
      }
    };

    while (r.at < bytes.length) {
      const start = r.at;
      const op = r.byte();
      if (op === 0x10) {
        const callee = r.u32();
        const field = fields.get(callee);
        const event = called.get(callee);
        if (unseen) call(shift(callee));
        else if (field) {
          const instruction = [
            field.op,
            ...(field.wide >= 0 ? u32(field.wide) : []),
            ...u32(field.align),
            ...u32(field.offset),
          ];
          const watchedHere = field.isSet && watched.has(field.name);
          check(
            { ...field, watched: watchedHere },
            place(name, field.isSet ? 'write' : 'read', field.name),
            instruction,
          );
        } else if (event) {
          const site = place(name, event);
          const arity = { allocated: 1, scratched: 1, released: 2, reserved: 2, reallocated: 3 }[event];
          const args = [room.a, room.b, room.c].slice(0, arity);
          for (const local of [...args].reverse()) set(local);
          if (event === 'released') {
            for (const local of args) get(local);
            number(site);
            call(hook.released);
          }
          for (const local of args) get(local);
          call(shift(callee));
          if (event !== 'released') {
            // The result, then what was asked for.
            const result = arity > 1 ? roomOf[I64] : room.b;
            if (arity > 1) {
              out.push(0xad); // kept as 64 bits: the numbers are taken
              tee(result);
              out.push(0xa7);
            } else tee(result);
            for (const local of args) get(local);
            number(site);
            call(hook[event]);
            get(result);
            if (arity > 1) out.push(0xa7);
          }
        } else if (callee === derivedIndex) {
          number(place(name, 'derived'));
          call(derivedIndex);
        } else call(shift(callee));
        continue;
      }
      if (op === 0xfc) {
        const sub = r.u32();
        if (sub <= 7) out.append([op, sub]);
        else if (sub === 10 || sub === 11) {
          const instruction = sub === 10 ? [op, sub, r.byte(), r.byte()] : [op, sub, r.byte()];
          if (!unseen) {
            for (const local of [room.c, room.b, room.a]) set(local);
            for (const local of [room.a, room.b, room.c]) get(local);
            number(place(name, sub === 10 ? 'copy' : 'fill'));
            call(sub === 10 ? hook.copy : hook.fill);
            for (const local of [room.a, room.b, room.c]) get(local);
          }
          out.append(instruction);
        } else throw new Error(`instrument: unknown instruction 0xfc ${sub}`);
        continue;
      }
      const wide = op === 0xfd ? r.u32() : -1;
      const access = wide >= 0 ? WIDE_ACCESS.get(wide) : ACCESS.get(op);
      if (access) {
        r.u32();
        const offset = r.u32();
        const [size, value, load] = access;
        if (wide >= 84 && wide <= 91) r.byte(); // the lane
        const instruction = bytes.subarray(start, r.at);
        if (unseen) out.append(instruction);
        else {
          const isWrite = value && !load;
          const watchedHere = op === 0x36 && watched.has(`${name.split('/').at(-1)}()`);
          check(
            { bytes: size, offset, value, load, watched: watchedHere },
            place(name, isWrite ? 'write' : 'read'),
            instruction,
          );
        }
        continue;
      }
      if (wide >= 0) skipWide(r, wide);
      else skipImmediates(r, op);
      out.append(bytes.subarray(start, r.at));
      if (op === 0x40) call(hook.grown);
    }
    return out.view();
  };

  const newBodies = bodies.map(emit);
  const globals = new Map();
  {
    const r = new Reader(section(6));
    const count = r.u32();
    for (let i = 0; i < count; i++) {
      r.byte();
      r.byte();
      const op = r.byte();
      if (op === 0x41) globals.set(names.globals[i], r.s32());
      else if (op === 0x42) r.skipLeb();
      else if (op === 0x43) r.at += 4;
      else if (op === 0x44) r.at += 8;
      else if (op === 0x23) r.u32();
      else if (op === 0xfd && r.u32() === 12) r.at += 16;
      else throw new Error(`instrument: a global that begins with 0x${op.toString(16)}`);
      r.byte(); // end
    }
  }

  // --- the module again ---
  const out = new Writer();
  out.append([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  const put = (id, bytes) => {
    out.append([id, ...u32(bytes.length)]);
    out.append(bytes);
  };
  const renumbered = (r, from) => [...r.bytes.subarray(from, r.at)];
  for (const { id, bytes } of all) {
    const w = new Writer();
    const r = new Reader(bytes);
    if (id === 1) {
      w.append(u32(types.length));
      for (const [p, q] of types) w.append([0x60, p.length, ...p, q.length, ...q]);
    } else if (id === 2) {
      w.append(u32(imports.length + added.length));
      for (const bytesOf of imports) w.append(bytesOf);
      for (const name of added)
        w.append([...named('sanitize'), ...named(name), 0, ...u32(typeOf(IMPORTS[name]))]);
    } else if (id === 7) {
      const count = r.u32();
      w.append(u32(count));
      for (let i = 0; i < count; i++) {
        const from = r.at;
        r.name();
        const kind = r.byte();
        w.append(renumbered(r, from));
        const index = r.u32();
        w.append(u32(kind === 0 ? shift(index) : index));
      }
    } else if (id === 8) w.append(u32(shift(r.u32())));
    else if (id === 9) {
      const count = r.u32();
      w.append(u32(count));
      for (let i = 0; i < count; i++) {
        const from = r.at;
        if (r.u32() !== 0) throw new Error('instrument: an element segment that is not plain');
        while (r.byte() !== 0x0b);
        w.append(renumbered(r, from));
        const n = r.u32();
        w.append(u32(n));
        for (let k = 0; k < n; k++) w.append(u32(shift(r.u32())));
      }
    } else if (id === 10) {
      w.append(u32(newBodies.length));
      for (const body of newBodies) {
        w.append(u32(body.length));
        w.append(body);
      }
    } else if (id === 0) {
      if (r.name() !== 'name') continue;
      const list = new Writer();
      const entries = [...names.functions.entries()].filter(([, name]) => name !== undefined);
      const extra = added.map((name, i) => [imported + i, `sanitize/${name}`]);
      const numbered = [
        ...entries.filter(([i]) => i < imported),
        ...extra,
        ...entries.filter(([i]) => i >= imported).map(([i, name]) => [shift(i), name]),
      ];
      list.append(u32(numbered.length));
      for (const [i, name] of numbered) list.append([...u32(i), ...named(name)]);
      w.append(named('name'));
      w.append([1, ...u32(list.length)]);
      w.append(list.view());
    } else w.append(bytes);
    put(id, w.view());
  }
  return { wasm: out.view().slice(), places, globals, classes };
}
