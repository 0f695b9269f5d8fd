// Rigged models of others, fetched for a run and not kept here: a folder with Soldier.glb, Xbot.glb and CesiumMan.glb, as
// examples/models/gltf of mrdoob/three.js has them.
import { readFileSync } from 'node:fs';
import type { AnimationClip, Group } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** Loads a .glb without its materials: Node has no images. */
export async function loadModel(path: string): Promise<{ scene: Group; animations: AnimationClip[] }> {
  const bytes = readFileSync(path);
  const size = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + size).toString());
  for (const part of ['images', 'textures', 'materials', 'samplers']) delete json[part];
  for (const { primitives } of json.meshes) for (const primitive of primitives) delete primitive.material;
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const rest = bytes.subarray(20 + size);
  const head = Buffer.alloc(20);
  bytes.copy(head, 0, 0, 20);
  head.writeUInt32LE(20 + padded.length + rest.length, 8);
  head.writeUInt32LE(padded.length, 12);
  const whole = Buffer.concat([head, padded, rest]);
  const file = whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length) as ArrayBuffer;
  return (await new GLTFLoader().parseAsync(file, '')) as never;
}
