// A recording as the end of an address, in letters that addresses may have. Files of recordings are compressed already.

/** More letters than this make an address that few programs pass on. */
export const LONGEST_CLIP = 150_000;

/** base64url, without its padding. */
export function packClip(file: Uint8Array): string {
  let text = '';
  for (let i = 0; i < file.length; i += 8192) text += String.fromCharCode(...file.subarray(i, i + 8192));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @throws  if the text is no base64url */
export function unpackClip(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
