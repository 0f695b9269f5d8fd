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
export function format(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return value.toExponential(3);
  return String(Number(value.toPrecision(6)));
}

/** One row of the table. `seconds` is the time limit of the test, generous: the machine may be busy. */
export function row(name: string, experiment: (m: Measurement) => void, seconds = 120): void {
  test(name, { timeout: seconds * 1000 }, () => {
    const m = new Measurement();
    experiment(m);
    const sink = (globalThis as { ricochetReport?: (name: string, checks: Check[]) => void }).ricochetReport;
    if (sink) return sink(name, m.checks);
    const missed = m.checks.filter((check) => !check.pass);
    if (missed.length > 0)
      throw new Error(missed.map((c) => `${c.what}: ${format(c.value)}, target ${c.target}`).join('\n'));
  });
}
