// A separate module on the memory of a core: actors, that is vehicles (actors/vehicles.ts) and characters
// (actors/character/update.ts). Worlds that have none never load
// it (src/wasm/actors.ts). In: commands about actors, and the moments of a step at which the core calls (actors/hook.ts).
// Out: rows of their tables, forces and velocities of bodies. Its static memory lies below the core's (scripts/asc.mjs).
//
// What a kind of actor needs, with vehicles as the example:
// 1. memory/records/actors.ts: its rows; World gets a table (address, capacity, count) beside `vehicles`, and
//    shapes/traits.ts an entry. Snapshots, hashes, slots and recordings then have it. hook.ts: hasActors counts it.
// 2. src/replica/commandTable.ts: its commands, from code 60 on, with `module: 'actors'`; the first field is a body.
// 3. Here: its commands, its moments, what it does when its body is removed.
// 4. state/soundActors.ts: what a valid row is. scripts/sanitize/map.mjs: the table.
// 5. A call of its own for what frames carry about it (`publish`), and the public file, like src/vehicle/index.ts.

import { weigh } from './actors/character/forces';
import { publishCharacters } from './actors/character/publish';
import { ignoreShape } from './actors/character/surroundings';
import {
  removeCharacter,
  setCharacter,
  setCharacterInput,
  setCharacterState,
} from './actors/character/table';
import { moveCharacter, updateCharacters } from './actors/character/update';
import { ACTORS_BEGIN, ACTORS_END, ACTORS_FORCES, ACTORS_SUPPORT } from './actors/hook';
import { publishVehicles } from './actors/publish';
import { noteHeld, updateVehicles } from './actors/vehicles';
import {
  removeVehicle,
  setVehicle,
  setVehicleInput,
  setWheel,
  wakeFrom,
  wakeWithGround,
} from './actors/vehicleTable';
import {
  IgnoreShape,
  MoveCharacter,
  RemoveBody,
  RemoveCharacter,
  RemoveVehicle,
  SetCharacter,
  SetCharacterInput,
  SetCharacterState,
  SetVehicle,
  SetVehicleInput,
  SetWheel,
} from './memory/commandWords';

/** The call of the core: see actors/hook.ts. */
export function actors(what: i32, at: usize, dt: f32): void {
  switch (what) {
    case ACTORS_BEGIN:
      return wakeWithGround();
    case ACTORS_FORCES:
      weigh(); // on chassis, too
      return updateVehicles(dt);
    case ACTORS_END:
      noteHeld(dt);
      return updateCharacters(dt);
    case ACTORS_SUPPORT:
      return wakeFrom(<i32>at);
    case SetVehicle.CODE:
      return setVehicle(at);
    case SetWheel.CODE:
      return setWheel(at);
    case SetVehicleInput.CODE:
      return setVehicleInput(at);
    case RemoveVehicle.CODE:
      return removeVehicle(load<i32>(at));
    case SetCharacter.CODE:
      return setCharacter(at);
    case SetCharacterInput.CODE:
      return setCharacterInput(at);
    case RemoveCharacter.CODE:
      return removeCharacter(load<i32>(at));
    case SetCharacterState.CODE:
      return setCharacterState(at);
    case IgnoreShape.CODE:
      return ignoreShape(load<i32>(at, (<usize>IgnoreShape.shape) << 2));
    case MoveCharacter.CODE:
      return moveCharacter(at);
    case RemoveBody.CODE:
      removeVehicle(load<i32>(at));
      return removeCharacter(load<i32>(at));
  }
}

/** Writes what frames carry about actors into the query output, see actors/publish.ts; returns the number of words. */
export function publish(): i32 {
  return publishCharacters(publishVehicles(0));
}

export { publishCharacter } from './actors/character/publish';

/** End of its static memory. A test checks that the core's memory begins after it. */
export function memoryEnd(): usize {
  return __heap_base;
}
