// The table of characters. In: commands. Out: rows, sorted by the slot of the body. A character is known by its body: it
// needs no id, and goes with it.
import { normalizeOr, rotateInverse, vec3 } from '../../math/vector';
import { SetCharacter, SetCharacterInput } from '../../memory/commandWords';
import { CHARACTER_FOLLOWS_GRAVITY, CHARACTER_IS_PLACED } from '../../memory/constants';
import { Character } from '../../memory/records';
import { bodyAt, CHARACTER_SIZE, world } from '../../memory/tables';
import { CHARACTERS, dropTrait, findTrait, makeTrait } from '../../shapes/traits';

/** Row `i` of the table. @inline */
export function characterRow(i: i32): Character {
  return changetype<Character>(<usize>world().characters + <usize>i * CHARACTER_SIZE);
}

/** Makes the character of a body, or changes its settings. */
export function setCharacter(f: usize): void {
  const count = world().characterCount;
  const row = makeTrait(CHARACTERS, CHARACTER_SIZE, load<i32>(f));
  memory.copy(row, f, (<usize>SetCharacter.WORDS) << 2);
  const c = changetype<Character>(row);
  const up = normalizeOr(vec3(c.upX, c.upY, c.upZ), vec3(0, 1, 0));
  const isNew = world().characterCount != count;
  // One that follows gravity keeps the direction that it has found.
  if (!isNew && (c.options & CHARACTER_FOLLOWS_GRAVITY) != 0) return;
  c.up = up;
  c.localUp = rotateInverse(bodyAt(c.body).rotation, up);
  if (isNew) c.flags &= ~CHARACTER_IS_PLACED;
}

export function setCharacterInput(f: usize): void {
  const row = findTrait(CHARACTERS, CHARACTER_SIZE, load<i32>(f));
  if (row == 0) return;
  const c = changetype<Character>(row);
  const jump = c.jump;
  const x = c.launchX;
  const y = c.launchY;
  const z = c.launchZ;
  memory.copy(row + offsetof<Character>('mode'), f + 4, (<usize>(SetCharacterInput.WORDS - 1)) << 2);
  // Until a step takes them, a jump is kept and launches add up.
  if (c.jump == 0) c.jump = jump;
  c.launchX += x;
  c.launchY += y;
  c.launchZ += z;
}

/** Removes the character of a body, if it has one. */
export function removeCharacter(body: i32): void {
  if (findTrait(CHARACTERS, CHARACTER_SIZE, body) != 0) dropTrait(CHARACTERS, CHARACTER_SIZE, body);
}
