// The threaded core with its static memory elsewhere, for a helper of its own. In: the module's bytes, where in them
// addresses of static memory are (scripts/relocation.mjs), a distance. Out: bytes to compile. And the places of its data.

/** Ascending numbers from their differences, seven bits in a byte, the lowest first. */
export function unpackPlaces(packed: Uint8Array): Uint32Array {
  const places: number[] = [];
  let at = 0;
  for (let i = 0; i < packed.length; ) {
    for (let shift = 0; ; shift += 7) {
      const byte = packed[i++]!;
      at += (byte & 127) << shift;
      if (byte < 128) break;
    }
    places.push(at);
  }
  return Uint32Array.from(places);
}

/** A copy of `module` whose addresses of static memory are `by` bytes higher. */
export function moved(module: Uint8Array, places: Uint32Array, by: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(module);
  for (const at of places) {
    const address = (bytes[at]! & 127) + ((bytes[at + 1]! & 127) << 7) + (bytes[at + 2]! << 14) + by;
    bytes[at] = (address & 127) | 128;
    bytes[at + 1] = ((address >>> 7) & 127) | 128;
    bytes[at + 2] = address >>> 14;
  }
  return bytes;
}
