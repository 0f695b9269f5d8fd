// Entry of `ricochet/character`: characters that the core moves, and a character controller for a World. Pages that do not
// import it do not load it.
export { Character, createCharacter, makeCharacter, type Touch } from './character';
export { CharacterController, type CharacterState, type Ground } from './controller';
export type { CharacterFilter, CharacterOptions } from './options';
export type { CharacterChanges, CharacterInput, CharacterSetup } from './setup';
