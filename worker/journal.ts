// The client's log of the commands since the last checkpoint, for the replacement of a lost worker. In: each command
// buffer, and the step at which the host applied it. Out: one array with all of them. An entry: sequence, number of
// words, steps of the world before it (−1: unknown), 0, its times, then the commands.
import { type FrameTimes, TIMES_WORDS, writeTimes } from './protocol';

const TIMES = 4;
const JOURNAL_HEADER = TIMES + TIMES_WORDS;

export class Journal {
  private words = new Int32Array(4096);
  private end = 0;
  /** The first entry without a mark. */
  private unmarked = 0;

  /** Number of words in the log. */
  get length(): number {
    return this.end;
  }

  add(sequence: number, commands: Int32Array, due = Number.NaN, frame: FrameTimes | null = null): void {
    const needed = this.end + JOURNAL_HEADER + commands.length;
    if (needed > this.words.length) {
      const words = new Int32Array(Math.max(needed, 2 * this.words.length));
      words.set(this.words.subarray(0, this.end));
      this.words = words;
    }
    const { words, end } = this;
    words[end] = sequence;
    words[end + 1] = commands.length;
    words[end + 2] = -1;
    words[end + 3] = 0;
    writeTimes(words, end + TIMES, due, frame);
    words.set(commands, end + JOURNAL_HEADER);
    this.end = needed;
  }

  /** Marks a buffer as applied by the host after `steps` steps of the world. */
  readonly mark = (sequence: number, steps: number): void => {
    const { words } = this;
    for (let at = this.unmarked; at < this.end; at = this.after(at)) {
      if ((words[at] as number) > sequence) return;
      if (words[at] !== sequence) continue;
      words[at + 2] = steps;
      while (this.unmarked < this.end && (words[this.unmarked + 2] as number) >= 0)
        this.unmarked = this.after(this.unmarked);
      return;
    }
  };

  private after(at: number): number {
    return at + JOURNAL_HEADER + (this.words[at + 1] as number);
  }

  /** Removes the entries that a checkpoint at `sequence` contains. */
  trim(sequence: number): void {
    let from = 0;
    while (from < this.end && (this.words[from] as number) <= sequence) from = this.after(from);
    this.words.copyWithin(0, from, this.end);
    this.end -= from;
    this.unmarked = Math.max(0, this.unmarked - from);
  }

  /** Removes the entries after `sequence`, which were refused. */
  cut(sequence: number): void {
    let at = 0;
    while (at < this.end && (this.words[at] as number) <= sequence) at = this.after(at);
    this.end = at;
    this.unmarked = Math.min(this.unmarked, at);
  }

  /** A copy of the entries that the host is known to have applied. */
  applied(): Int32Array {
    return this.words.slice(0, this.unmarked);
  }

  /** Visits the other entries in order. */
  forEachPending(visit: JournalVisitor): void {
    forEachEntry(this.words.subarray(this.unmarked, this.end), visit);
  }
}

/** @param times  in `journal`, the word of the entry's times; see readTimes */
export type JournalVisitor = (
  sequence: number,
  commands: Int32Array,
  steps: number,
  journal: Int32Array,
  times: number,
) => void;

/** Visits the entries of a journal in order. */
export function forEachEntry(journal: Int32Array, visit: JournalVisitor): void {
  for (let at = 0; at < journal.length; ) {
    const from = at + JOURNAL_HEADER;
    const end = from + (journal[at + 1] as number);
    visit(journal[at] as number, journal.subarray(from, end), journal[at + 2] as number, journal, at + TIMES);
    at = end;
  }
}
