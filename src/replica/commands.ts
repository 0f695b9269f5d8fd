// Reads and validates commands by their declaration (commandTable.ts). In: buffers of words, from this program or from
// elsewhere. Out: commands by name, their fields, a PhysicsError for damaged ones. A command is a word `code | total
// words << 8` and its fields, 32-bit little-endian words; docs/commands.md lists them.

import { PhysicsError } from '../base/errors';
import { geometryFault } from '../cooking/geometryWords';
import type { ACTOR_COMMAND_FIELDS } from '../wasm/actor-commands';
import type { CommandRow } from '../wasm/commandRow';
import {
  AddGeometry,
  addGeometry,
  COMMAND_FIELDS,
  LONGEST_COMMAND,
  MOTION_CODES,
} from '../wasm/core-commands';
import { FIELD_KINDS, type FieldKind } from './commandFields';
import type { CommandWriter } from './commandWriter';

/** The only command of variable length: the words of a geometry follow its fields. */
const LONG = addGeometry.code;

/** Name of a command; docs/commands.md has them all. */
export type CommandName = keyof typeof COMMAND_FIELDS | keyof typeof ACTOR_COMMAND_FIELDS;

/** One command of the table. */
export interface Command extends CommandRow {
  /** As in docs/commands.md. */
  readonly name: CommandName;
  /** In the order of their words. */
  readonly fields: readonly (readonly [name: string, kind: FieldKind])[];
}

/** Row, and name:kind of each field (one word if both are the same), by the name of the command. */
type Rows = Readonly<Record<string, readonly [CommandRow, string]>>;

/** All commands, by their names. */
export const COMMANDS = {} as { readonly [name in CommandName]: Command };

/** The table by code; undefined for unused codes. */
export const COMMANDS_BY_CODE: readonly (Command | undefined)[] = [];

const isMotion = new Uint8Array(256);

/**
 * Adds the commands of a module to the tables. `motion`: codes of those that move bodies only. Whoever reads streams with
 * commands of actors calls it for them first.
 */
export function addCommands(
  table: Rows,
  kinds: Readonly<Record<string, FieldKind>>,
  motion: readonly number[],
): void {
  for (const name of Object.keys(table)) {
    const [row, text] = table[name]!;
    const fields = (text.match(/\S+/g) ?? []).map((word) => {
      const [field, kind = word] = word.split(':');
      return [field!, kinds[kind]!] as const;
    });
    const command = { ...row, name, fields } as Command;
    (COMMANDS as Record<string, Command>)[name] = command;
    (COMMANDS_BY_CODE as Command[])[row.code] = command;
  }
  for (const code of motion) isMotion[code] = 1;
}

addCommands(COMMAND_FIELDS, FIELD_KINDS, MOTION_CODES);

/** Whether valid commands change nothing that a replica stores, except forces. */
export function onlyMove(words: Int32Array): boolean {
  for (let at = 0; at < words.length; at += words[at]! >>> 8)
    if (isMotion[words[at]! & 255] === 0) return false;
  return true;
}

/** A number, or the numbers of a vector or quaternion, by field name. */
export type CommandFields = Record<string, number | readonly number[]>;

/** Appends a command given by field names, for tools and tests; the engine writes words directly. */
export function writeCommand(writer: CommandWriter, name: CommandName, fields: CommandFields): void {
  if (name === 'addGeometry') {
    writer.writeGeometry(
      fields['geometry'] as number,
      fields['kind'] as number,
      Int32Array.from(fields['content'] as number[]),
    );
    return;
  }
  const values: number[] = [];
  for (const [field, kind] of COMMANDS[name].fields) {
    const value = fields[field];
    const list = typeof value === 'number' ? [value] : (value ?? []);
    if (list.length !== kind.words)
      throw new PhysicsError('invalid-argument', `must be ${kind.words} numbers`, `${name}.${field}`, value);
    values.push(...list);
  }
  writer.write(COMMANDS[name], values);
}

/** Reads the fields of the command at `words[at]` into `out`, word by word. Returns its row. */
export function decodeCommand(
  words: Int32Array,
  floats: Float32Array,
  at: number,
  out: Float64Array,
): Command {
  const command = COMMANDS_BY_CODE[words[at]! & 255]!;
  for (let i = 0; i < command.isFloat.length; i++)
    out[i] = command.isFloat[i] === 1 ? floats[at + 1 + i]! : words[at + 1 + i]!;
  return command;
}

/** Words of the command at `words[at]`. */
export function commandLength(words: Int32Array, at: number): number {
  return words[at]! >>> 8;
}

/** The content of the ADD_GEOMETRY at `words[at]`. */
export function geometryContent(words: Int32Array, at: number): Int32Array {
  return words.subarray(at + COMMANDS.addGeometry.totalWords, at + commandLength(words, at));
}

/** The same words as f32. */
export function floatsOf(words: Int32Array): Float32Array {
  return new Float32Array(words.buffer, words.byteOffset, words.length);
}

function damaged(at: number, what: string): PhysicsError {
  return new PhysicsError('damaged-commands', `command buffer refused, word ${at}: ${what}`);
}

/**
 * Checks the structure of a buffer from outside: every command known and of its right length, nothing
 * left over, every number finite and in its range, every slot and generation possible. Throws
 * 'damaged-commands'. Whether a slot is in use only a world knows: see Replica.follow.
 *
 * @returns number of commands
 */
export function validateCommands(words: Int32Array): number {
  return checkCommands(words, geometryFault);
}

/** What is wrong with cooked geometry of a kind, or undefined. */
export type GeometryFault = typeof geometryFault;

/** As validateCommands; cooked geometry is checked by `faultOf`. */
export function checkCommands(words: Int32Array, faultOf: GeometryFault): number {
  const floats = floatsOf(words);
  const values = new Float64Array(LONGEST_COMMAND);
  let count = 0;
  for (let at = 0; at < words.length; count++) {
    const head = words[at]!;
    const command = COMMANDS_BY_CODE[head & 255];
    if (command === undefined) throw damaged(at, `code ${head & 255} is no command`);
    const total = command.code === LONG ? head >>> 8 : command.totalWords;
    if (head >>> 8 !== total || total < command.totalWords)
      throw damaged(at, `${command.name} cannot have ${head >>> 8} words`);
    if (at + total > words.length) throw damaged(at, `${command.name} is cut off`);
    if (command.code === LONG) {
      const fault = faultOf(words[at + 1 + AddGeometry.kind]!, geometryContent(words, at));
      if (fault !== undefined) throw damaged(at, `addGeometry: ${fault}`);
    }
    decodeCommand(words, floats, at, values);
    let word = 0;
    for (const [field, kind] of command.fields) {
      if (!kind.allows(values, word)) {
        const shown = Array.from(values.subarray(word, word + kind.words)).join(', ');
        throw damaged(at, `${command.name}.${field} cannot be ${shown}`);
      }
      word += kind.words;
    }
    at += total;
  }
  return count;
}

/** One command of a recording, decoded. */
export interface DecodedCommand {
  /** As in docs/commands.md. */
  name: CommandName;
  /** Word offset in the buffer. */
  at: number;
  /** Numbers, vectors and quaternions, by the names of docs/commands.md. */
  fields: Record<string, number | number[]>;
}

/** Iterates over the commands of a buffer that `validateCommands` accepts. */
export function* readCommands(words: Int32Array): Generator<DecodedCommand> {
  const floats = floatsOf(words);
  const values = new Float64Array(LONGEST_COMMAND);
  for (let at = 0; at < words.length; ) {
    const command = decodeCommand(words, floats, at, values);
    const fields: Record<string, number | number[]> = {};
    let word = 0;
    for (const [field, kind] of command.fields) {
      fields[field] = kind.words === 1 ? values[word]! : Array.from(values.subarray(word, word + kind.words));
      word += kind.words;
    }
    if (command.code === LONG) fields['content'] = Array.from(geometryContent(words, at));
    yield { name: command.name, at, fields };
    at += commandLength(words, at);
  }
}
