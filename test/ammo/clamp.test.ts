// The impulse clamp of a point joint, by which programs drag bodies: it lifts what the hand can lift. In: bodies of
// several masses, a pivot that goes up. Out: where ammo.js has them.
import { describe, expect, test } from 'vitest';
import { addBody, box, createWorld, ENGINES, load, positionOf } from './engines';

/** N·s per step of 1/60 s: 180 N. */
const CLAMP = 3;

describe.each(ENGINES)('%s', (engine) => {
  test.each([
    [1, 'is carried to the pivot', 2.5],
    [10, 'is carried, on a long spring', 2.5],
    [19, 'is too heavy', 0.5],
    [1000, 'does not move', 0.5],
  ])('a box of %i kg %s', async (mass, _, height) => {
    const A = await load(engine);
    const world = createWorld(A);
    addBody(A, world, box(A, 20, 1, 20), 0, { position: [0, -1, 0] });
    const body = addBody(A, world, box(A), mass, { position: [0, 0.5, 0] });
    body.setActivationState(4);
    body.setDamping(0.9, 0.9);
    const joint = new A.btPoint2PointConstraint(body, new A.btVector3(0, 0.5, 0));
    world.addConstraint(joint, true);
    joint.get_m_setting().set_m_impulseClamp(CLAMP);
    for (let i = 0; i < 600; i++) {
      joint.setPivotB(new A.btVector3(0, 1 + Math.min(i, 60) / 30, 0));
      world.stepSimulation(1 / 60, 0);
    }
    expect(Math.abs(positionOf(body)[1] - height)).toBeLessThan(0.1);
  });

  test('the clamp may be set before the joint is added, by the attribute and by a copied setting, and taken away', async () => {
    const A = await load(engine);
    const world = createWorld(A);
    const heights = [0, 1, 2].map((kind) => {
      const body = addBody(A, world, box(A), 1000, { position: [3 * kind, 0, 0] });
      const joint = new A.btPoint2PointConstraint(body, new A.btVector3(0, 0.5, 0));
      if (kind === 0) joint.m_setting.m_impulseClamp = CLAMP;
      if (kind === 1) {
        const setting = new A.btConstraintSetting();
        setting.set_m_impulseClamp(CLAMP);
        joint.set_m_setting(setting);
        setting.set_m_impulseClamp(0); // the joint has a copy
      }
      world.addConstraint(joint);
      if (kind === 2) {
        joint.get_m_setting().set_m_impulseClamp(CLAMP);
        joint.get_m_setting().set_m_impulseClamp(0);
      }
      return () => positionOf(body)[1];
    });
    for (let i = 0; i < 60; i++) world.stepSimulation(1 / 60, 0);
    expect(heights[0]!()).toBeLessThan(-4);
    expect(heights[1]!()).toBeLessThan(-4);
    expect(Math.abs(heights[2]!())).toBeLessThan(0.01);
  });
});
