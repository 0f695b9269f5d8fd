// What a command is declared by: see commandTable.ts.

import type { FieldKindName } from './commandFields';

/** Name, kind of the field (a key of FIELD_KINDS in commandFields.ts), and a note if these two are not sufficient. */
export type FieldDeclaration = readonly [name: string, kind: FieldKindName, note?: string];

export interface CommandDeclaration {
  /** 1 to 255. Codes from 40 to 59 belong to joints: their first field is the joint. */
  readonly code: number;
  /** One or two sentences for docs/commands.md. */
  readonly about: string;
  readonly fields: readonly FieldDeclaration[];
  /**
   * True if a replica stores data of this command: follow.ts has a function of this name. Otherwise it only checks the
   * first field.
   */
  readonly remembered?: true;
  /** True if it only moves bodies: readers of bodies, shapes and joints need not read them again. */
  readonly motion?: true;
  /** Set if a module that is loaded on request reads it: its rows are in a file of their own (src/wasm/actor-commands.ts). */
  readonly module?: 'actors';
  /** True if the words of a geometry follow the fields. */
  readonly variableLength?: true;
}
