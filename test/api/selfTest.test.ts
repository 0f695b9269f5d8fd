// The self-test, and the option that asks for it.
import { selfTest, World } from 'ricochet';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.restoreAllMocks());

test('this machine computes as all others', () => {
  expect(selfTest()).toEqual({
    ok: true,
    expected: selfTest().actual,
    actual: expect.stringMatching(/^[0-9a-f]{24}$/),
  });
  const world = new World({ deterministic: true });
  world.step(1 / 60);
  expect(() => new World({ deterministic: 1 as never })).toThrow(
    expect.objectContaining({ code: 'invalid-argument', argument: 'deterministic' }),
  );
});

test('a machine that computes otherwise is refused where determinism is asked for', async () => {
  vi.resetModules();
  // Wrong at one number, as an engine that is too clever may be.
  const { round } = Math;
  vi.spyOn(Math, 'round').mockImplementation((x: number) => (round(x) === 12 ? 13 : round(x)));
  const fresh = (await import('../../src/index')) as typeof import('ricochet');
  expect(fresh.selfTest().ok).toBe(false);
  expect(() => new fresh.World({ deterministic: true })).toThrow(
    expect.objectContaining({
      code: 'unsupported-host',
      message: expect.stringMatching(/computes other results/),
    }),
  );
  new fresh.World().step(1 / 60); // who does not ask is not refused
});
