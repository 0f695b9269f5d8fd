// What a game is on both sides of the network, and how one tick of it is made. In: a world, the inputs of a tick. Out:
// the world one tick later. Server and clients call `runTick` with the same frame and reach the same bits.
import type { JointId, World, WorldOptions } from 'ricochet';
import { equalBytes } from './bytes';

/** Numbers of players are 0 … 63. */
export const MOST_PLAYERS = 64;
/** Longest input of one player in one tick. */
export const MOST_INPUT_BYTES = 1024;
export const NO_INPUT = new Uint8Array(0);

/** What a room plays: functions that change a world by the same rules on the server and on every client. */
export interface Game {
  /** Settings of the world; the same on all sides. */
  readonly world?: WorldOptions;
  /**
   * Version of the rules, 0 … 2³² − 1: the server refuses clients of another one. Default 0.
   */
  readonly version?: number;
  /** Builds the world of a new room. Only the server calls it; clients receive the state. */
  build(world: World): void;
  /** A player comes in, at the beginning of a tick. */
  join?(world: World, player: number, tick: number): void;
  /** A player is gone. */
  leave?(world: World, player: number, tick: number): void;
  /**
   * Applies the input of a player in a tick. It must depend on its arguments, the world and the state of `save` only, and
   * must use exact functions only (docs/determinism.md). What it throws is counted; the tick goes on.
   *
   * @param input  bytes of the client, empty for none: anything that `sanitize` lets through
   */
  applyInput(world: World, player: number, input: Uint8Array, tick: number): void;
  /**
   * Creates and removes bodies by the input of a player, after `applyInput`. In mode 'state' only the server calls it, and
   * its commands travel; there `applyInput` and `step` must not create or remove anything.
   */
  act?(world: World, player: number, input: Uint8Array, tick: number): void;
  /** Deterministic systems, after the inputs and before the step of the world: characters, vehicles, rules. */
  step?(world: World, tick: number): void;
  /**
   * Input of a player of whom none has arrived, made from the one before: the server decides by it when it is too late,
   * clients predict others by it. Default: the same again. Leave out what happens once, as a throw.
   */
  predict?(before: Uint8Array): Uint8Array;
  /** On the server: the input as it may be used, or null to refuse it. Must not keep the bytes. Default: as it is. */
  sanitize?(player: number, input: Uint8Array): Uint8Array | null;
  /** What the game knows beside the world, as bytes: part of states and hashes. Default none. */
  save?(): Uint8Array;
  /** Takes the bytes of `save`. */
  restore?(world: World, state: Uint8Array): void;
  /** On the server, mode 'state': where a player looks from, m, for the interest. Default: everything is near. */
  viewpoint?(world: World, player: number): readonly [number, number, number] | null;
}

/** A player came (or came back: no event) or left. */
export interface PlayerEvent {
  player: number;
  joins: boolean;
}

/** All that happens from one state to the next. */
export interface Frame {
  readonly events: readonly PlayerEvent[];
  /** By player; undefined for who is not there. */
  readonly inputs: readonly (Uint8Array | undefined)[];
  /** Commands of `act`, and those that switch off what broke in the tick before; mode 'state' only. */
  readonly commands?: Int32Array;
}

export const EMPTY_FRAME: Frame = { events: [], inputs: [] };

/** The input that follows when none is known. */
export function predicted(game: Game, before: Uint8Array): Uint8Array {
  if (before.length === 0 || game.predict === undefined) return before;
  try {
    return game.predict(before);
  } catch {
    return NO_INPUT;
  }
}

/** The inputs of a frame after `before` when none is known: of those who are there after the events. */
export function predictedInputs(
  game: Game,
  before: Frame,
  events: readonly PlayerEvent[] = [],
): (Uint8Array | undefined)[] {
  const inputs = before.inputs.map((input) => (input === undefined ? undefined : predicted(game, input)));
  for (const { player, joins } of events) {
    while (inputs.length <= player) inputs.push(undefined);
    inputs[player] = joins ? NO_INPUT : undefined;
  }
  while (inputs.length > 0 && inputs[inputs.length - 1] === undefined) inputs.pop();
  return inputs;
}

export function equalFrames(a: Frame, b: Frame): boolean {
  if (a.events.length !== b.events.length || a.inputs.length !== b.inputs.length) return false;
  if ((a.commands?.length ?? 0) !== (b.commands?.length ?? 0)) return false;
  if (a.commands?.some((word, i) => word !== b.commands![i])) return false;
  for (let i = 0; i < a.events.length; i++)
    if (a.events[i]!.player !== b.events[i]!.player || a.events[i]!.joins !== b.events[i]!.joins)
      return false;
  return a.inputs.every((input, i) => {
    const other = b.inputs[i];
    return input === undefined || other === undefined ? input === other : equalBytes(input, other);
  });
}

/**
 * Who calls `act` and what becomes of its commands. `broken`: joints that broke in the tick before; the server switches
 * them off, by commands, for loads that only it knows decide what breaks.
 */
export type Acting = 'runs' | 'follows' | { taken: Int32Array[]; broken: readonly JointId[] };

/**
 * One tick: events, inputs by number of player, systems, the step. Returns how often the game threw.
 *
 * @param acting  'runs' `act`; 'follows' the commands of the frame; or runs it and takes its commands
 */
export function runTick(
  world: World,
  game: Game,
  frame: Frame,
  at: { tick: number; dt: number },
  acting: Acting,
): number {
  const { tick, dt } = at;
  let errors = 0;
  const guarded = (run: () => void) => {
    try {
      run();
    } catch (error) {
      if (world.isDisposed) throw error;
      errors++;
    }
  };
  for (const { player, joins } of frame.events)
    guarded(() => (joins ? game.join?.(world, player, tick) : game.leave?.(world, player, tick)));
  frame.inputs.forEach((input, player) => {
    if (input !== undefined) guarded(() => game.applyInput(world, player, input, tick));
  });
  if (acting === 'follows') {
    if (frame.commands !== undefined) world.applyCommands(frame.commands);
  } else {
    const act = () =>
      frame.inputs.forEach((input, player) => {
        if (input !== undefined) guarded(() => game.act?.(world, player, input, tick));
      });
    if (acting === 'runs') act();
    else {
      const switchOffAndAct = () => {
        for (const id of acting.broken) world.getJoint(id)?.setEnabled(false);
        act();
      };
      takeCommands(world, switchOffAndAct, acting.taken);
    }
  }
  guarded(() => game.step?.(world, tick));
  world.step(dt);
  return errors;
}

/** Runs something and copies the commands that it wrote. A recorder of the world still hears of them. */
function takeCommands(world: World, run: () => void, out: Int32Array[]): void {
  world.sync();
  const before = world.tap;
  const tap = {
    commands: (words: Int32Array) => {
      out.push(words.slice());
      before?.commands(words);
    },
    step: (dt: number) => before?.step(dt),
    restored: () => before?.restored(),
    filtered: (collide: boolean) => before?.filtered(collide),
  };
  world.tap = tap;
  try {
    run();
    world.sync();
  } finally {
    world.tap = before;
  }
}

/** FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
function fnv(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** 16 digits for world and game together: the hash of the world, with that of `save` in its low half. */
export function roomHash(world: World, game: Game): string {
  const hash = world.stateHash();
  const state = game.save?.();
  if (state === undefined || state.length === 0) return hash;
  const low = (Number.parseInt(hash.slice(8), 16) ^ fnv(state)) >>> 0;
  return hash.slice(0, 8) + low.toString(16).padStart(8, '0');
}
