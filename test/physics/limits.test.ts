// Limits that a body meets at seams between hulls, and in joints: a case on each side of the limit.
import { expect, test } from 'vitest';
import { type ShapeOptions, World } from '../../src/index';

const DT = 1 / 60;

type Vec3 = [number, number, number];

const smooth = { friction: 0, restitution: 0 };
const boxOf = (halfExtents: Vec3, more: object = smooth): ShapeOptions => ({
  type: 'box',
  halfExtents,
  ...more,
});

/** A prism along z. */
const prism = (corners: [number, number][], depth: number): ShapeOptions => ({
  type: 'hull',
  points: corners.flatMap(([x, y]) => [x, y, -depth, x, y, depth]),
  ...smooth,
});

test.each([
  [0.025, true],
  [0.1, false],
])('a side that points down by a sine of %f is hidden behind the tile before it: %s', (sine, hidden) => {
  const world = new World({ gravity: [0, -9.81, 0] });
  world.createBody({ type: 'static', position: [-2, -0.5, 0], shape: boxOf([2, 0.5, 2]) });
  const under = sine / Math.sqrt(1 - sine * sine);
  const tile = prism(
    [
      [0, 0],
      [4, 0],
      [4, -1],
      [under, -1],
    ],
    2,
  ); // prettier-ignore
  world.createBody({ type: 'static', position: [0, 0, 0], shape: tile });
  const half = 0.25;
  const slider = prism(
    [
      [-half, 0],
      [-half, 2 * half],
      [half - 2 * half * under, 2 * half],
      [half, 0],
    ],
    half,
  ); // prettier-ignore
  const body = world.createBody({
    mass: 1,
    position: [-half - 0.001, -0.01, 0],
    linearVelocity: [1, 0, 0],
    shape: slider,
  });
  for (let i = 0; i < 6; i++) world.step(DT);
  console.log(`${body.getLinearVelocity()[0].toFixed(3)} m/s of 1`);
  expect(body.getLinearVelocity()[0] > 0.9).toBe(hidden);
});

test.each([
  [0.01, true],
  [0.15, false],
])('a box that sank %f m into one of two hulls passes the other one: %s', (depth, passes) => {
  const world = new World({ gravity: [0, -9.81, 0] });
  const tile = prism(
    [
      [-1, 0],
      [1, 0],
      [1, -1],
      [-1, -1],
    ],
    1,
  ); // prettier-ignore
  for (const x of [-1, 1]) world.createBody({ type: 'static', position: [x, 0, 0], shape: tile });
  const box = world.createBody({
    mass: 1,
    position: [-0.251, 0.25 - depth, 0],
    linearVelocity: [1, 0, 0],
    shape: boxOf([0.25, 0.25, 0.25]),
  });
  world.step(DT);
  console.log(`${box.getLinearVelocity()[0].toFixed(3)} m/s of 1`);
  expect(box.getLinearVelocity()[0] > 0.9).toBe(passes);
});

test('a ball joint holds 100,000 million tonnes', () => {
  const world = new World({ gravity: [0, -9.81, 0] });
  const body = world.createBody({ mass: 1e14, position: [0, -10, 0], shape: { type: 'sphere', radius: 1 } });
  world.createJoint({ type: 'point', bodyB: body, anchor: [0, 0, 0] });
  for (let i = 0; i < 60; i++) world.step(DT);
  expect(Math.abs(body.getPosition()[1] + 10)).toBeLessThan(0.01);
});
