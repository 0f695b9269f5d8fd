// Groups of scenes of the demo, as site/build.mjs found them, and which pictures there are.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../pages.mjs';

export default {
  load: () => ({
    groups: JSON.parse(readFileSync(join(root, '.cache/site/scenes.json'), 'utf8')),
    pictured: readdirSync(join(root, 'site/public/thumbs')).map((name) => name.replace('.jpg', '')),
  }),
};
