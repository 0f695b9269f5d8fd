// The command `ricochet`, bundled as the package has it and run in a Node of its own.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { beforeAll, expect, test } from 'vitest';
import { importHulls, World } from '../../src';
import { Recorder } from '../../src/replay';
import { corner } from '../cooking/support/solids';
import { root } from '../sources';

const folder = join(root, '.cache/cli');
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const bundle = await rolldown({
    input: join(root, 'src/replay/cli.ts'),
    platform: 'node',
    logLevel: 'silent',
    resolve: {
      alias: { 'ricochet/cooking': join(root, 'src/cooking/index.ts'), ricochet: join(root, 'src/index.ts') },
    },
  });
  await bundle.write({ file: path('cli.mjs'), format: 'esm' });
});

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path('cli.mjs'), ...args], {
    encoding: 'utf8',
  });
  return { status, text: stdout + stderr };
}

async function record(name: string, push = 0): Promise<Uint8Array> {
  const world = new World();
  world.createBody({ type: 'static', shape: { type: 'plane' } });
  const body = world.createBody({ mass: 1, position: [0, 3, 0], shape: { type: 'sphere', radius: 0.5 } });
  const recorder = new Recorder(world, { compress: false, notes: { scene: name } });
  for (let i = 0; i < 30; i++) {
    if (i === 10 && push > 0) body.applyImpulse([push, 0, 0]);
    world.step(1 / 60);
  }
  const file = await recorder.finish();
  writeFileSync(path(name), file);
  return file;
}

test('verifies, compares and says what is wrong, with exit codes to match', async () => {
  await record('a.ricochet');
  await record('b.ricochet', 1);
  const good = run('replay', path('a.ricochet'));
  expect(good.text).toMatch(/30 steps[\s\S]*compared 31 hashes[\s\S]*verified: bit for bit the same/);
  expect(good.status).toBe(0);
  expect(run('diff', path('a.ricochet'), path('a.ricochet')).status).toBe(0);
  const parted = run('diff', path('a.ricochet'), path('b.ricochet'));
  expect(parted.text).toMatch(/part after step 11: position of body 2/);
  expect(parted.status).toBe(1);
  expect(run('replay', path('none.ricochet')).status).toBe(2);
  expect(run('fly').text).toMatch(/usage/);
});

test('cook writes hulls that importHulls reads, and a model to look at', () => {
  const { vertices, indices } = corner;
  const lines = [...vertices].map((_, i) => (i % 3 === 0 ? `v ${vertices.slice(i, i + 3).join(' ')}` : ''));
  const faces = [...indices].map((_, i) =>
    i % 3 === 0 ? `f ${[...indices.slice(i, i + 3)].map((v) => v + 1).join(' ')}` : '',
  );
  writeFileSync(path('corner.obj'), [...lines, ...faces].filter((line) => line !== '').join('\n'));
  const { text, status } = run('cook', path('corner.obj'), '--scale=0.5', '--resolution=24');
  expect(text).toMatch(/20 triangles, closed[\s\S]*2 hulls/);
  expect(status).toBe(0);
  expect(importHulls(readFileSync(path('corner.obj.hulls'))).length).toBe(2);
  expect(run('cook', path('corner.obj'), `--out=${path('seen.obj')}`).status).toBe(0);
  expect(readFileSync(path('seen.obj'), 'utf8').match(/^o /gm)?.length).toBe(2);
  writeFileSync(path('bad.obj'), 'v 0 0 0\nf 1 2 3\n');
  expect(run('cook', path('bad.obj'))).toMatchObject({ status: 2, text: expect.stringMatching(/line 2/) });
  expect(run('cook', path('corner.obj'), '--size=3')).toMatchObject({
    status: 2,
    text: expect.stringMatching(/no option/),
  });
});

test('a file whose commands were changed diverges, and the step is named', async () => {
  const { crc32, PREAMBLE_BYTES } = await import('../../src/replay/format');
  const file = (await record('c.ricochet', 1)).slice();
  const words = new Int32Array(file.buffer, PREAMBLE_BYTES);
  // The push becomes another one: its x, behind the head and the body's slot.
  for (let at = 0; at < words.length; ) {
    const end = at + 2 + words[at + 1]!;
    if ((words[at]! & 255) === 4)
      for (let k = at + 2; k < end; k += words[k]! >>> 8)
        if ((words[k]! & 255) === 9) words[k + 2] = 0x40000000;
    words[end] = crc32(words, at, end);
    at = end + 1;
  }
  writeFileSync(path('c.ricochet'), file);
  const result = run('replay', path('c.ricochet'), '--go-on');
  expect(result.text).toMatch(/DIVERGES: after step 11, first in position of body 2;[\s\S]*20 differences/);
  expect(result.status).toBe(1);
});
