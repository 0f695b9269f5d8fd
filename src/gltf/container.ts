// The container. In: the bytes of a .glb or .gltf file. Out: its JSON, and the buffers that are inside.
import { PhysicsError } from 'ricochet/cooking';
import { fault, type Json, listAt, numberAt, objectAt } from './errors';
import type { Buffers } from './meshes';

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

/** The parts of a file that `readPhysics` takes. */
export interface GltfFile {
  /** The parsed JSON. */
  json: unknown;
  /** Buffers inside of the file; those in files of their own are undefined: load them by their `uri`. */
  buffers: (ArrayBuffer | Uint8Array | undefined)[];
}

function parse(bytes: Uint8Array, place: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new PhysicsError('damaged-file', `${place}: ${error instanceof Error ? error.message : 'no JSON'}`);
  }
}

/**
 * Takes a .glb or .gltf file apart.
 *
 * @throws PhysicsError 'damaged-file' that names the chunk and byte, or the path in the JSON
 */
export function parseGltf(file: ArrayBuffer | Uint8Array): GltfFile {
  const bytes = file instanceof Uint8Array ? file : new Uint8Array(file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const binary = bytes.length >= 12 && view.getUint32(0, true) === MAGIC;
  if (!binary) {
    const json = parse(bytes, 'the file');
    return { json, buffers: buffersOf(json, undefined) };
  }
  const version = view.getUint32(4, true);
  if (version !== 2) throw new PhysicsError('damaged-file', `byte 4: version ${version}, not 2`);
  if (view.getUint32(8, true) > bytes.length)
    throw new PhysicsError('damaged-file', `byte 8: cut off at ${bytes.length} bytes`);
  let json: unknown;
  let bin: Uint8Array | undefined;
  for (let at = 12, chunk = 0; at < view.getUint32(8, true); chunk++) {
    if (at + 8 > bytes.length)
      throw new PhysicsError('damaged-file', `chunk ${chunk} at byte ${at}: cut off`);
    const [length, type] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    if (at + 8 + length > bytes.length)
      throw new PhysicsError(
        'damaged-file',
        `chunk ${chunk} at byte ${at}: ${length} bytes, more than there are`,
      );
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (type === JSON_CHUNK && json === undefined) json = parse(content, `chunk ${chunk} at byte ${at}`);
    else if (type === BIN_CHUNK) bin ??= content;
    at += 8 + length;
  }
  if (json === undefined) throw new PhysicsError('damaged-file', 'chunk 0: no JSON');
  return { json, buffers: buffersOf(json, bin) };
}

function buffersOf(json: unknown, bin: Uint8Array | undefined): Buffers[number][] {
  const file: Json = objectAt(json, 'json');
  return listAt(file, 'buffers', '').map((value, i) => {
    const path = `buffers[${i}]`;
    const buffer = objectAt(value, path);
    const { uri } = buffer;
    const data = typeof uri === 'string' ? /^data:[^,]*;base64,(.*)$/s.exec(uri)?.[1] : undefined;
    if (data === undefined) return i === 0 && uri === undefined ? bin : undefined;
    const length = numberAt(buffer, 'byteLength', path, 0, { min: 0 });
    let text: string;
    try {
      text = atob(data);
    } catch {
      throw fault(`${path}.uri`, 'must be base64');
    }
    if (text.length < length) throw fault(`${path}.uri`, `must hold ${length} bytes`, text.length);
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  });
}
