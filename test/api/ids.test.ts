// Ids: slot and generation, handed out in an order that depends only on the calls.
import { expect, test } from 'vitest';
import { generationOf, IdAllocator, MAX_GENERATION, MAX_SLOT, makeId, slotOf } from '../../src/base/ids';

test('ids take the lowest fresh slots, then the slot freed last, with the next generation', () => {
  const ids = new IdAllocator('body');
  const [a, b, c] = [ids.allocate(), ids.allocate(), ids.allocate()];
  expect([a, b, c].map(slotOf)).toEqual([1, 2, 3]);
  expect([a, b, c].map(generationOf)).toEqual([1, 1, 1]);
  ids.release(a);
  ids.release(c);
  expect(ids.allocate()).toBe(makeId(3, 2));
  expect(ids.allocate()).toBe(makeId(1, 2));
  expect(slotOf(ids.allocate())).toBe(4);
  expect(ids.count).toBe(4);
});

test('peek says what allocate returns, over a random history (seed 7)', () => {
  const ids = new IdAllocator('body');
  const live: number[] = [];
  let state = 7;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let i = 0; i < 5000; i++) {
    if (live.length > 0 && random() < 0.45)
      ids.release(live.splice(Math.floor(random() * live.length), 1)[0]!);
    else {
      const expected = ids.peek();
      expect(ids.allocate()).toBe(expected);
      live.push(expected);
    }
  }
  expect(new Set(live).size).toBe(live.length);
  for (const id of live) expect(ids.isLive(id)).toBe(true);
  expect(ids.count).toBe(live.length);
});

test('stale, foreign and impossible ids are told apart by typed errors', () => {
  const ids = new IdAllocator('body');
  const a = ids.allocate();
  ids.release(a);
  const b = ids.allocate();
  const failure = (id: unknown) => {
    try {
      ids.check(id, 'skip');
    } catch (error) {
      return error;
    }
  };
  expect(failure(b)).toBeUndefined();
  expect(failure(a)).toMatchObject({ code: 'stale-id', argument: 'skip', value: a });
  expect(failure(0)).toMatchObject({ code: 'stale-id' });
  expect(failure(makeId(77, 1))).toMatchObject({ code: 'stale-id', message: expect.stringMatching(/never/) });
  for (const value of [-1, 1.5, Number.NaN, '1', null, undefined, 2 ** 31])
    expect(failure(value)).toMatchObject({ code: 'invalid-argument' });
});

test('generations start again after 4,095 and never are 0', () => {
  const ids = new IdAllocator('body');
  let id = ids.allocate();
  for (let i = 0; i < MAX_GENERATION; i++) {
    ids.release(id);
    id = ids.allocate();
    expect(generationOf(id)).toBeGreaterThan(0);
  }
  expect(id).toBe(makeId(1, 1));
});

test('a full allocator refuses, and has room again after a release', () => {
  const ids = new IdAllocator('body');
  for (let i = 0; i < MAX_SLOT; i++) ids.allocate();
  expect(() => ids.allocate()).toThrow(expect.objectContaining({ code: 'limit-exceeded' }));
  ids.release(makeId(5, 1));
  expect(slotOf(ids.allocate())).toBe(5);
});

test('undone operations leave no trace', () => {
  const ids = new IdAllocator('body');
  const a = ids.allocate();
  const b = ids.allocate();
  ids.release(a);
  const next = ids.peek();
  const reused = ids.willReuse;
  const c = ids.allocate();
  ids.release(b);
  ids.undoRelease(b);
  ids.undoAllocate(c, reused);
  expect(ids.peek()).toBe(next);
  expect(ids.isLive(b)).toBe(true);
  expect(ids.isLive(c)).toBe(false);
  expect(ids.count).toBe(1);
});
