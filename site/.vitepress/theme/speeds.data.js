// The table of speeds in README.md, which is a copy of the benchmark's results: rows of four texts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../pages.mjs';

export default {
  watch: ['../../../README.md'],
  load() {
    const table = /\| scene \|[\s\S]*?\n\n/.exec(readFileSync(join(root, 'README.md'), 'utf8'))[0];
    return table
      .trim()
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
  },
};
