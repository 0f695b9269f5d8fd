// An animated WebP of pictures that a browser encoded as WebP. In: files and ms for each. Out: one file, repeated without end.
// Format: https://developers.google.com/speed/webp/docs/riff_container

const tag = (text) => Buffer.from(text, 'latin1');

/** A chunk of RIFF: name, size, content, padded to an even length. */
function chunk(name, content) {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([tag(name), size, content, Buffer.alloc(content.length % 2)]);
}

const u24 = (value) => Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255]);

/** The chunks of a still picture that hold its pixels. */
function pixelsOf(file) {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP')
    throw new Error('a picture is no WebP');
  const found = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (['ALPH', 'VP8 ', 'VP8L'].includes(file.toString('latin1', at, at + 4)))
      found.push(file.subarray(at, end));
    at = end;
  }
  return Buffer.concat(found);
}

/** @param {Buffer[]} pictures  all of the same size */
export function animatedWebp(pictures, width, height, ms) {
  const ANIMATED = 2;
  const head = chunk(
    'VP8X',
    Buffer.concat([Buffer.from([ANIMATED, 0, 0, 0]), u24(width - 1), u24(height - 1)]),
  );
  const forEver = chunk('ANIM', Buffer.alloc(6)); // background, then the number of rounds: 0 is no end
  const WHOLE = 2; // not blended with the picture before
  const frames = pictures.map((picture) =>
    chunk(
      'ANMF',
      Buffer.concat([
        u24(0),
        u24(0),
        u24(width - 1),
        u24(height - 1),
        u24(ms),
        Buffer.from([WHOLE]),
        pixelsOf(picture),
      ]),
    ),
  );
  return chunk('RIFF', Buffer.concat([tag('WEBP'), head, forEver, ...frames]));
}
