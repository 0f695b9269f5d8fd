// Queries through a worker answer as the same world in process does, in one message per task of the page, and
// say which step they saw.
import { World } from 'ricochet';
import { expect, test } from 'vitest';
import { pileMixed } from '../../demo/scenes/pile-mixed';
import { startPhysics } from './support';

const BOX = { type: 'box', halfExtents: [0.6, 0.4, 0.5] } as const;
const HULL = { type: 'hull', points: [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1] } as const;

const bare = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, entry) => (key === 'body' ? (entry?.id ?? null) : entry)));

test('all kinds of questions have the answers of the world in process', async () => {
  const world = new World();
  const physics = await startPhysics();
  for (const target of [world, physics]) pileMixed.build(target);
  for (let i = 0; i < 30; i++) world.step(1 / 60);
  await physics.step(30);
  const [a, b] = [7, 12];
  const questions = (target: { bodies(): Iterable<{ id: number }> }) => {
    const bodies = [...target.bodies()];
    return [
      { type: 'ray', from: [0, 30, 0], to: [0, -1, 0], mode: 'all' },
      { type: 'sweep', target: { shape: HULL, position: [0.5, 30, 0.5] }, delta: [0, -30, 0] },
      { type: 'overlap', target: { shape: BOX, position: [0, 1, 0] }, skip: bodies[a] },
      { type: 'nearest', target: bodies[a], mode: 'all', maxDistance: 0.5 },
      { type: 'contacts', target: bodies[b]!.id },
      { type: 'closestPoints', a: bodies[a], b: bodies[b] },
      { type: 'pairContacts', a: { shape: BOX }, b: { shape: HULL }, maxDistance: 1 },
      { type: 'point', point: [0, 1, 0] },
      { type: 'box', min: [-1, 0, -1], max: [1, 2, 1] },
    ];
  };
  const expected = world.queryBatch(questions(world) as never);
  const { step, answers } = await physics.queryBatch(questions(physics) as never);
  expect(step).toBe(30);
  expect(bare(answers)).toEqual(bare(expected));
  expect(answers.filter((hits) => hits.length > 0).length).toBeGreaterThan(6);
  expect(await physics.closestPoints({ shape: BOX }, { shape: HULL, position: [5, 0, 0] })).toMatchObject({
    body: null,
    shape: 0,
  });
  const spread = await physics.nearestTest([...physics.bodies()][a]!.id);
  expect(spread?.body.isRemoved).toBe(false);
});

test('what one task asks travels in one message, and each question sees what was called before it', async () => {
  const physics = await startPhysics();
  const link = (physics as unknown as { link: { ask: (...question: unknown[]) => Promise<unknown> } }).link;
  const { ask } = link;
  let messages = 0;
  link.ask = function (...question) {
    messages++;
    return ask.apply(this, question);
  };
  const before = physics.pointTest([0, 0, 0]);
  const body = physics.createBody({ mass: 1, shape: BOX });
  const after = physics.pointTest([0, 0, 0]);
  const swept = physics.convexSweepTest({ shape: BOX, position: [0, 5, 0] }, [0, -10, 0]);
  const other = physics.createBody({ mass: 1, shape: BOX, position: [9, 9, 9] });
  const alone = physics.contactTest(other);
  other.remove();
  const gone = physics.pointTest([9, 9, 9]);
  expect((await after).map((hit) => hit.body)).toEqual([body]);
  expect(await before).toEqual([]);
  expect(await alone).toEqual([]);
  expect(await gone).toEqual([]);
  expect((await swept)?.fraction).toBeCloseTo(0.42, 4);
  expect(messages).toBe(1);
});

test('what is wrong is refused on the page, by name', async () => {
  const physics = await startPhysics();
  const body = physics.createBody({ mass: 1, shape: BOX });
  await expect(physics.pointTest([0, Number.NaN, 0])).rejects.toMatchObject({ argument: 'point.y' });
  await expect(physics.convexSweepTest({ shape: { type: 'plane' } }, [1, 0, 0])).rejects.toMatchObject({
    argument: 'target.shape.type',
  });
  body.remove();
  await expect(physics.contactTest(body)).rejects.toMatchObject({ code: 'stale-id', argument: 'target' });
  await expect(physics.queryBatch([{ type: 'point' } as never])).rejects.toMatchObject({
    argument: 'queries[0].point',
  });
});
