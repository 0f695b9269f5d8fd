// Groups of scenes of the demo, as site/build.mjs found them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../pages.mjs';

export default {
  load: () => JSON.parse(readFileSync(join(root, '.cache/site/scenes.json'), 'utf8')),
};
