// The table of characters. In: commands. Out: rows, sorted by the slot of the body. A character is known by its body: it
// needs no id, and goes with it.
import { normalizeOr, rotateInverse, vec3 } from '../../math/vector';
import { MOST_SETTING } from '../../memory/bounds';
import { SetCharacter, SetCharacterInput, SetCharacterState } from '../../memory/commandWords';
import {
  BODY_USED,
  CHARACTER_ASKS_CROUCH,
  CHARACTER_ASKS_LOCAL,
  CHARACTER_FOLLOWS_GRAVITY,
  CHARACTER_GIVES_CROUCH,
  CHARACTER_GIVES_LOCAL,
  CHARACTER_GIVES_MODE,
  CHARACTER_GIVES_MOVE,
  CHARACTER_GIVES_TURN,
  CHARACTER_IS_PLACED,
} from '../../memory/constants';
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

function sum(a: f32, b: f32): f32 {
  return max<f32>(-MOST_SETTING, min<f32>(MOST_SETTING, a + b));
}

export function setCharacterInput(f: usize): void {
  const row = findTrait(CHARACTERS, CHARACTER_SIZE, load<i32>(f));
  if (row == 0) return;
  const c = changetype<Character>(row);
  const given = load<i32>(f, (<usize>SetCharacterInput.given) << 2);
  const asks = load<i32>(f, (<usize>SetCharacterInput.asks) << 2);
  const move = (<usize>SetCharacterInput.move) << 2;
  if (given & CHARACTER_GIVES_MODE) c.mode = load<i32>(f, (<usize>SetCharacterInput.mode) << 2);
  if (given & CHARACTER_GIVES_CROUCH)
    c.asks = (c.asks & ~CHARACTER_ASKS_CROUCH) | (asks & CHARACTER_ASKS_CROUCH);
  if (given & CHARACTER_GIVES_LOCAL)
    c.asks = (c.asks & ~CHARACTER_ASKS_LOCAL) | (asks & CHARACTER_ASKS_LOCAL);
  if (given & CHARACTER_GIVES_MOVE) memory.copy(row + offsetof<Character>('moveX'), f + move, 12);
  if (given & CHARACTER_GIVES_TURN) c.turn = load<f32>(f, (<usize>SetCharacterInput.turn) << 2);
  // Until a step takes them, a jump is kept and launches add up.
  const jump = load<f32>(f, (<usize>SetCharacterInput.jump) << 2);
  const launch = (<usize>SetCharacterInput.launch) << 2;
  if (jump != 0) c.jump = jump;
  c.launchX = sum(c.launchX, load<f32>(f + launch));
  c.launchY = sum(c.launchY, load<f32>(f + launch, 4));
  c.launchZ = sum(c.launchZ, load<f32>(f + launch, 8));
}

/** Three words of a command as a vector. @inline */
function vectorAt(f: usize, word: usize): v128 {
  const at = f + (word << 2);
  return vec3(load<f32>(at), load<f32>(at, 4), load<f32>(at, 8));
}

/** How it moves and on what it stands. What is no body or shape any more is no ground. */
export function setCharacterState(f: usize): void {
  const row = findTrait(CHARACTERS, CHARACTER_SIZE, load<i32>(f));
  if (row == 0) return;
  const c = changetype<Character>(row);
  const g = world();
  const ground = load<i32>(f, (<usize>SetCharacterState.ground) << 2);
  const shape = load<i32>(f, (<usize>SetCharacterState.groundShape) << 2);
  const stands = ground < g.bodyEnd && (bodyAt(ground).flags & BODY_USED) != 0 && shape < g.shapeEnd;
  c.ground = stands ? ground : 0;
  c.groundShape = stands ? shape : 0;
  c.groundGeneration = stands ? bodyAt(ground).generation : 0;
  c.jump = load<f32>(f, (<usize>SetCharacterState.jump) << 2);
  c.position = vectorAt(f, SetCharacterState.position);
  c.velocity = vectorAt(f, SetCharacterState.velocity);
  c.air = vectorAt(f, SetCharacterState.air);
  c.carried = vectorAt(f, SetCharacterState.carried);
  c.groundNormal = vectorAt(f, SetCharacterState.groundNormal);
  c.groundPoint = vectorAt(f, SetCharacterState.groundPoint);
  c.groundPosition = vectorAt(f, SetCharacterState.groundPosition);
  c.groundRotation = v128.load(f + ((<usize>SetCharacterState.groundRotation) << 2));
  c.anchor = vectorAt(f, SetCharacterState.anchor);
  c.flags |= CHARACTER_IS_PLACED;
}

/** Removes the character of a body, if it has one. */
export function removeCharacter(body: i32): void {
  if (findTrait(CHARACTERS, CHARACTER_SIZE, body) != 0) dropTrait(CHARACTERS, CHARACTER_SIZE, body);
}
