// A row of the quality table: it runs an experiment and compares what it measured with the truth.
// Under Vitest a row is a test that fails with every number that missed its target; under
// `node test/physics/report.mjs` the same rows print measured value, target and verdict.

import { test } from 'vitest';

export interface Check {
  what: string;
  value: number;
  /** The target in words, e.g. "≤ 0.05 m". */
  target: string;
  pass: boolean;
}

export class Measurement {
  readonly checks: Check[] = [];

  /** |value − truth| ≤ tolerance. */
  near(what: string, value: number, truth: number, tolerance: number, unit = ''): void {
    const target = `${format(truth)} ± ${format(tolerance)} ${unit}`;
    this.checks.push({ what, value, target, pass: Math.abs(value - truth) <= tolerance });
  }

  atMost(what: string, value: number, limit: number, unit = ''): void {
    this.checks.push({ what, value, target: `≤ ${format(limit)} ${unit}`, pass: value <= limit });
  }

  atLeast(what: string, value: number, limit: number, unit = ''): void {
    this.checks.push({ what, value, target: `≥ ${format(limit)} ${unit}`, pass: value >= limit });
  }

  equal(what: string, value: number, truth: number): void {
    this.checks.push({ what, value, target: `= ${format(truth)}`, pass: value === truth });
  }

  holds(what: string, condition: boolean): void {
    this.checks.push({ what, value: condition ? 1 : 0, target: 'true', pass: condition });
  }

  /** Printed by the report, never judged. */
  note(what: string, value: number, unit = ''): void {
    this.checks.push({ what, value, target: `(${unit || 'for information'})`, pass: true });
  }
}

/** At most six significant digits, without trailing zeros. */
function format(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return value.toExponential(3);
  return String(Number(value.toPrecision(6)));
}

export interface RowOptions {
  /** Time limit of the test, generous: the machine may be busy. */
  seconds?: number;
  /**
   * Checks that do not reach their target yet, with the worst value that is known: printed as behind at
   * every run, an error when the figure gets worse, and an error when the target is reached, so that the
   * mark goes. Infinity where the experiment fails altogether and the figures mean nothing.
   */
  behind?: Record<string, number>;
}

/** One row of the table. */
export function row(name: string, experiment: (m: Measurement) => void, options: RowOptions = {}): void {
  const { seconds = 120, behind = {} } = options;
  // Four times as long on a machine that does other things, too.
  test(name, { timeout: 4 * seconds * 1000 }, () => {
    const m = new Measurement();
    experiment(m);
    const sink = (globalThis as { ricochetReport?: (name: string, checks: Check[]) => void }).ricochetReport;
    if (sink) return sink(name, m.checks);
    const wrong: string[] = [];
    for (const { what, value, target, pass } of m.checks) {
      const worst = behind[what];
      if (worst === undefined) {
        if (!pass) wrong.push(`${what}: ${format(value)}, target ${target}`);
      } else if (pass && Number.isFinite(worst)) {
        wrong.push(
          `${what}: ${format(value)} reaches its target ${target}; take it off the list of those behind`,
        );
      } else if (target.startsWith('≥') ? value < worst : value > worst) {
        wrong.push(`${what}: ${format(value)} is worse than ${format(worst)}; target ${target}`);
      } else if (!pass) {
        console.warn(`behind target: ${name}: ${what}: ${format(value)}, target ${target}`);
      }
    }
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
  });
}
