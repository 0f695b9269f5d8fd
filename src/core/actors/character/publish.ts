// What frames carry about characters, so that a page draws them without a question per body. In: rows. Out: in the query
// output, for each character the words of PublishedCharacter.
import { x, y, z } from '../../math/vector';
import { CHARACTER_TOUCHES, PUBLISHED_CHARACTER } from '../../memory/constants';
import { Character, PublishedCharacter } from '../../memory/records';
import { CHARACTER_SIZE, world } from '../../memory/tables';
import { reserveOutput } from '../../queries/output';
import { CHARACTERS, findTrait } from '../../shapes/traits';
import { characterRow } from './table';

const SIZE: usize = offsetof<PublishedCharacter>();

/** Writes from word `from` on; returns the end. */
export function publishCharacters(from: i32): i32 {
  const g = world();
  const words = from + ((<i32>SIZE * g.characterCount) >> 2);
  reserveOutput(words);
  let at = <usize>g.queryOutput + ((<usize>from) << 2);
  for (let i = 0; i < g.characterCount; i++) {
    publish(characterRow(i), changetype<PublishedCharacter>(at));
    at += SIZE;
  }
  return words;
}

/** Writes only that of one body; returns the number of words. */
export function publishCharacter(body: i32): i32 {
  reserveOutput(<i32>(SIZE >> 2));
  const row = findTrait(CHARACTERS, CHARACTER_SIZE, body);
  if (row == 0) return 0;
  publish(changetype<Character>(row), changetype<PublishedCharacter>(<usize>world().queryOutput));
  return <i32>(SIZE >> 2);
}

function publish(c: Character, to: PublishedCharacter): void {
  to.key = c.body + PUBLISHED_CHARACTER;
  to.words = <i32>(SIZE >> 2);
  to.flags = c.flags;
  to.ground = c.ground;
  to.groundGeneration = c.groundGeneration;
  to.groundShape = c.groundShape;
  to.lift = c.lift;
  write(changetype<usize>(to) + offsetof<PublishedCharacter>('velocityX'), c.velocity);
  write(changetype<usize>(to) + offsetof<PublishedCharacter>('carriedX'), c.carried);
  write(changetype<usize>(to) + offsetof<PublishedCharacter>('normalX'), c.groundNormal);
  write(changetype<usize>(to) + offsetof<PublishedCharacter>('pointX'), c.groundPoint);
  write(changetype<usize>(to) + offsetof<PublishedCharacter>('upX'), c.up);
  to.touched = c.touched;
  const list = changetype<usize>(to) + offsetof<PublishedCharacter>('touched0');
  memory.copy(list, changetype<usize>(c) + offsetof<Character>('touched0'), CHARACTER_TOUCHES << 2);
}

/** @inline */
function write(at: usize, v: v128): void {
  store<f32>(at, x(v));
  store<f32>(at, y(v), 4);
  store<f32>(at, z(v), 8);
}
