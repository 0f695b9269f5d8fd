// Every TypeScript example in README.md and docs/ is a file of docs/snippets that is type-checked with
// the rest and run: here, or in the browser where it needs one. This test keeps the copies identical.
// In a document: `<!-- snippet: docs/snippets/hello.ts -->`, then the fenced code.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { read, root } from './sources';

const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .sort();

/** All fenced TypeScript of a document, with the marker of the line before. */
function examples(document: string): { marker: string | undefined; code: string }[] {
  const pattern = /(?:<!-- snippet: (\S+) -->\n)?```(?:ts|typescript|js|javascript)\n([\s\S]*?)```/g;
  return [...read(document).matchAll(pattern)].map(([, marker, code]) => ({ marker, code: code as string }));
}

test.each(documents)('the examples of %s are its snippets', (document) => {
  for (const { marker, code } of examples(document)) {
    expect(marker, `an example without a snippet marker:\n${code}`).toBeDefined();
    expect(code.trim()).toBe(read(marker as string).trim());
  }
});

test('README shows the two examples', () => {
  expect(examples('README.md').map(({ marker }) => marker)).toEqual([
    'docs/snippets/hello.ts',
    'docs/snippets/worker.ts',
  ]);
});

test('hello.ts: a crate dropped on a plane rests at half its height', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import('../docs/snippets/hello');
    const [position, hash] = log.mock.calls[0] as [ArrayLike<number>, unknown];
    expect(Array.from(position)[1]).toBeGreaterThan(0.495);
    expect(Array.from(position)[1]).toBeLessThan(0.505);
    expect(String(hash)).toMatch(/^[0-9a-fx]+$/i);
  } finally {
    log.mockRestore();
  }
});

test('subscriptions.ts: a crash is heard, and that the crate falls asleep', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import('../docs/snippets/subscriptions');
    expect(log.mock.calls.map(([what]) => what)).toEqual(['crash', 'asleep']);
    expect(log.mock.calls[1]![1]).toBe(true);
  } finally {
    log.mockRestore();
  }
});

test('recording.ts: a replay is bit for bit the same', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import('../docs/snippets/recording');
    expect(log.mock.calls[0]![0][0]).toBeGreaterThan(0.5);
    expect(log.mock.calls[1]).toEqual([null]);
  } finally {
    log.mockRestore();
  }
});
