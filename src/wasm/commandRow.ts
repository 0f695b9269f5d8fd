// Types for writing commands. The rows themselves are generated: core-commands.ts, from src/replica/commandTable.ts.

/** Code, length and types of the words of a command. */
export interface CommandRow {
  /** 1 to 255. */
  readonly code: number;
  /** Words including the first. */
  readonly totalWords: number;
  /** The first word. */
  readonly head: number;
  /** 1 where the word at that place is an f32; index 0 is the first word after the head. */
  readonly isFloat: Uint8Array;
}

/** `types`: a letter for each word after the head, `i` or `f`. */
export function row(code: number, types: string): CommandRow {
  const isFloat = Uint8Array.from(types, (type) => (type === 'f' ? 1 : 0));
  const totalWords = 1 + isFloat.length;
  return { code, totalWords, head: code | (totalWords << 8), isFloat };
}
