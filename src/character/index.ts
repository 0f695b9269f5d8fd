// Entry of `ricochet/character`: a character controller for a World. Pages that do not import it do not load it.
export { CharacterController, type CharacterState, type Ground } from './controller';
export type { CharacterFilter, CharacterOptions } from './options';
