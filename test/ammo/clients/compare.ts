// What a client's scene came to on each engine, side by side. In: a scene that runs on either module. Out: checks that
// bodies rest within 2 cm of each other and that events and rays are alike.
import { expect } from 'vitest';
import { type Ammo, load, outerMargin } from '../engines';

export interface Outcome {
  /** Where bodies came to rest, m. */
  rest: Record<string, readonly number[]>;
  /** Events in any order, each once. */
  events?: readonly string[];
  /** Hits of rays: what, and where. */
  rays?: Record<string, { hit: string; point: readonly number[] } | null>;
  /** Numbers that must agree within a twentieth. */
  numbers?: Record<string, number>;
}

const NEAR = 0.02;

/**
 * Runs a scene on both engines and compares; returns ours.
 *
 * @param truths  bodies that ammo.js moves where physics would not, and where they belong: there ours must be
 * @param onMargins  cones and hulls that stand on Bullet's margin of 4 cm in ammo.js, and on none by default in ours
 */
export async function compare(
  scene: (Ammo: Ammo) => Promise<Outcome> | Outcome,
  truths: Record<string, readonly number[]> = {},
  onMargins: readonly string[] = [],
): Promise<Outcome> {
  const ours = await scene(await load('ricochet'));
  const theirs = await scene(await load('bullet'));
  for (const name of onMargins) {
    const [x, y, z] = theirs.rest[name] as [number, number, number];
    theirs.rest[name] = [x, y - 0.04 + outerMargin(), z];
  }
  expect(Object.keys(ours.rest)).toEqual(Object.keys(theirs.rest));
  const far = Object.entries(ours.rest).filter(([name, place]) =>
    place.some((part, i) => !(Math.abs(part - (truths[name] ?? theirs.rest[name]!)[i]!) <= NEAR)),
  );
  expect(far.map(([name, place]) => [name, place, theirs.rest[name]])).toEqual([]);
  expect([...new Set(ours.events)].sort()).toEqual([...new Set(theirs.events)].sort());
  for (const [name, hit] of Object.entries(ours.rays ?? {})) {
    const other = theirs.rays![name]!;
    expect([name, hit?.hit]).toEqual([name, other?.hit]);
    hit?.point.forEach((part, i) => void expect(Math.abs(part - other!.point[i]!)).toBeLessThan(NEAR));
  }
  for (const [name, value] of Object.entries(ours.numbers ?? {})) {
    const other = theirs.numbers![name]!;
    expect(Math.abs(value - other), `${name}: ${value}, Bullet ${other}`).toBeLessThan(
      Math.max(0.01, 0.05 * Math.abs(other)),
    );
  }
  return ours;
}
