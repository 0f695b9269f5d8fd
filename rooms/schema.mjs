// What the same poses cost in Colyseus's own schema: seven float32 per body, of those that changed, per packet time.
// `NET_POSES=poses.json NET_SECONDS=5 npx vitest run --project node test/net/load`, then `node rooms/schema.mjs poses.json`.
import { readFileSync } from 'node:fs';
import { Encoder, MapSchema, schema, t } from '@colyseus/schema';

/** Packet times in a second, and those before the first second is over, in which the crates settle. */
const PER_SECOND = 20;
const number = () => t.float32();
const Body = schema({
  x: number(),
  y: number(),
  z: number(),
  i: number(),
  j: number(),
  k: number(),
  w: number(),
});
const State = schema({ bodies: t.map(Body) });
const times = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const state = new State();
state.bodies ??= new MapSchema();
const encoder = new Encoder(state);
let bytes = 0;
let count = 0;
times.forEach((changed, time) => {
  for (const [id, ...pose] of changed) {
    let body = state.bodies.get(`${id}`);
    if (body === undefined) {
      body = new Body();
      state.bodies.set(`${id}`, body);
    }
    ['x', 'y', 'z', 'i', 'j', 'k', 'w'].forEach((name, at) => {
      body[name] = pose[at];
    });
  }
  const { length } = encoder.encode();
  encoder.discardChanges();
  if (time < PER_SECOND) return;
  bytes += length;
  count += changed.length;
});
const seconds = (times.length - PER_SECOND) / PER_SECOND;
console.log(
  `${(bytes / seconds / 1000).toFixed(1)} KB/s to each client, ${(count / seconds / PER_SECOND).toFixed(0)} poses per packet time, ` +
    `${(bytes / count).toFixed(1)} bytes per pose, ${seconds.toFixed(1)} s`,
);
