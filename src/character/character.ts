// A character that the core moves inside the step: of a World, or of a world in a worker. In: options and inputs. Out:
// commands; and what frames carry about it. Nothing of its state is here, so snapshots, rollbacks and recordings have it.

import type { BodyId, PhysicsWorld, ShapeId, ShapeOptions, World, WorldBody } from 'ricochet';
import { MAX_BODIES as MAX_SLOT, PhysicsError } from 'ricochet';
import * as codes from '../core/memory/constants';
import type { ActorLink, ActorPage } from '../replica/actorLink';
import { removeCharacter, setCharacter, setCharacterInput } from '../wasm/actor-commands';
import { PublishedCharacter as P } from '../wasm/core-layout';
import { refused } from './options';
import {
  CHECKED,
  type CharacterChanges,
  type CharacterInput,
  type CharacterSetup,
  type Checked,
  checked,
  inputWords,
  setupWords,
  shapesOf,
} from './setup';
import type { Vec3 } from './vectors';

/** A shape that a character touched in the last step. */
export interface Touch {
  /** Its body. */
  body: WorldBody;
  /** The shape. */
  shape: ShapeId;
}

const GENERATION = MAX_SLOT + 1;
const NO_PLACE = -1;

/** Index of the first word of a character's record in what was published, or −1. */
function placeIn(page: ActorPage, key: number): number {
  const { words, end } = page;
  let at = page.at;
  while (at < end) {
    if (words[at] === key) return at;
    const size = words[at + 1] as number;
    if (!(size > 0)) break;
    at += size;
  }
  return NO_PLACE;
}

/**
 * Makes a character, and a kinematic body for it unless one is given. It moves in every step from the next one on, also in
 * a worker, whose module of actors is loaded first.
 *
 * @throws PhysicsError 'invalid-argument', 'unknown-option', 'stale-id', 'foreign-id', 'disposed'; then nothing is made
 */
export async function createCharacter(world: PhysicsWorld, setup: CharacterSetup): Promise<Character> {
  if (typeof world?.actorLink !== 'function')
    throw refused('world', 'must be a World, or the client of a worker', world);
  partsOf(setup); // before anything is loaded
  return characterIn(world, await world.actorLink(), setup);
}

/**
 * As createCharacter, but at once, and in a World of this thread only: for the rules of a room and other code inside of a tick.
 * A `body` that has a character already, as after a restore, keeps it as it is; `setup` has to be the one that it was made with.
 *
 * @throws PhysicsError 'invalid-argument', 'unknown-option', 'stale-id', 'foreign-id', 'disposed'; then nothing is made
 */
export function makeCharacter(world: World, setup: CharacterSetup): Character {
  return characterIn(world, world.actorLink(), setup, true);
}

/** Checked settings, and the shapes of a new body; null if there is one already. */
function partsOf(setup: CharacterSetup): { settings: Checked; parts: ReturnType<typeof shapesOf> | null } {
  const settings = checked(CHECKED, setup, true);
  if (setup.body === undefined) {
    if (setup.standing !== undefined)
      throw refused('standing', 'must be given with a body only', setup.standing);
    return { settings, parts: shapesOf(setup) };
  }
  for (const name of ['shape', 'crouchShape', 'position', 'rotation'] as const)
    if (setup[name] !== undefined) throw refused(name, 'must not be given with a body', setup[name]);
  return { settings, parts: null };
}

/**
 * @internal Makes one at once: what makes characters has loaded their module. `keeps`: the character that a given body may
 * have already.
 */
export function characterIn(
  world: PhysicsWorld,
  link: ActorLink,
  setup: CharacterSetup,
  keeps = false,
): Character {
  const { settings, parts } = partsOf(setup);
  if (parts === null) return new Character(world, link, settings, ...ownBody(world, setup), keeps);
  const body = world.createBody({
    type: 'kinematic',
    position: setup.position ?? [0, 0, 0],
    rotation: setup.rotation ?? [0, 0, 0, 1],
    shape: parts.shapes.length === 1 ? (parts.shapes[0] as ShapeOptions) : parts.shapes,
    group: settings.group,
    mask: settings.mask,
  });
  return new Character(world, link, settings, body, parts.standing, false);
}

/** A body that exists, and the number of its shapes for standing. */
function ownBody(world: PhysicsWorld, { body: given, standing }: CharacterSetup): [WorldBody, number] {
  const id = typeof given === 'object' && given !== null ? given.id : given;
  if (typeof id !== 'number') throw refused('body', 'must be a body or its id', given);
  const body = world.getBody(id);
  if (body === undefined)
    throw new PhysicsError('stale-id', 'was removed, or is of another world', 'body', given);
  if (body.type !== 'kinematic') throw refused('body', 'must be kinematic', body.type);
  const count = body.shapes.length;
  if (standing === undefined) return [body, Math.max(1, count)];
  if (!Number.isInteger(standing) || standing < 1 || standing > count)
    throw refused('standing', `must be an integer from 1 to ${count}`, standing);
  return [body, standing];
}

/**
 * A character that the core moves in every step. Readings are those of the last step, with a worker those of the frame that
 * is drawn.
 */
export class Character {
  /** Its world. */
  readonly world: PhysicsWorld;
  /** Its kinematic body, which each step moves. To place the character, move this body. */
  readonly body: WorldBody;
  private readonly link: ActorLink;
  private settings: Checked;
  private readonly standing: number;
  private isGone = false;

  /** @internal Made by createCharacter. */
  constructor(
    world: PhysicsWorld,
    link: ActorLink,
    settings: Checked,
    body: WorldBody,
    standing: number,
    keeps: boolean,
  ) {
    this.world = world;
    this.link = link;
    this.settings = settings;
    this.body = body;
    this.standing = standing;
    const slot = this.slot();
    const isThere = keeps && placeIn(link.view(slot).to, slot + codes.PUBLISHED_CHARACTER) >= 0;
    if (!isThere) link.write(setCharacter, setupWords(slot, settings, standing));
  }

  private slot(): number {
    if (this.isRemoved) throw new PhysicsError('stale-id', 'was removed', 'character', this.body.id);
    return this.body.id & MAX_SLOT;
  }

  /** True from `remove` on, or when its body was removed. */
  get isRemoved(): boolean {
    return this.body.isRemoved || this.isGone; // in this order: a world that was disposed of says so
  }

  // --- what users ask ---

  /**
   * Changes what it wants, from the next step on. Parts that are not given stay; a jump and a launch happen once.
   *
   * @throws PhysicsError 'invalid-argument', 'unknown-option', 'stale-id'; then nothing changes
   */
  setInput(input: CharacterInput): void {
    const slot = this.slot();
    this.link.write(setCharacterInput, inputWords(slot, input));
  }

  /**
   * Changes options: all except shapes, body and pose.
   *
   * @throws PhysicsError 'invalid-argument', 'unknown-option', 'stale-id'; then nothing changes
   */
  setOptions(changes: CharacterChanges): void {
    const slot = this.slot();
    const { group, mask } = this.settings;
    const next = checked(this.settings, changes, false);
    if (next.group !== group || next.mask !== mask) this.body.setFilter(next.group, next.mask);
    this.link.write(setCharacter, setupWords(slot, next, this.standing));
    this.settings = next;
  }

  /** Removes it and its body; with `keepBody` its body stays, where it is. Nothing happens if it is removed already. */
  remove(keepBody = false): void {
    // The world is asked first: it may be disposed of, which a handle that another body replaced does not know.
    if (this.world.getBody(this.body.id) === undefined || this.isRemoved) return;
    this.link.write(removeCharacter, [this.slot()]);
    if (keepBody) this.isGone = true;
    else this.body.remove();
  }

  // --- readings ---

  /** Index of a record's word, and the words and floats. */
  private read<T>(take: (page: ActorPage, at: number) => T, none: T): T {
    const slot = this.slot();
    const { to } = this.link.view(slot);
    const at = placeIn(to, slot + codes.PUBLISHED_CHARACTER);
    return at < 0 ? none : take(to, at);
  }

  private vector(field: number): Vec3 {
    return this.read(
      ({ floats }, at) => {
        const from = at + (field >> 2);
        return [floats[from]!, floats[from + 1]!, floats[from + 2]!];
      },
      [0, 0, 0],
    );
  }

  private word(field: number): number {
    return this.read(({ words }, at) => words[at + (field >> 2)]!, 0);
  }

  /** Whether it stands on ground that it can walk on. */
  get onGround(): boolean {
    return this.word(P.ground) !== 0;
  }

  /** The body on which it stands; null in the air, and if that body was removed since. */
  get groundBody(): WorldBody | null {
    return this.read(({ words }, at) => {
      const slot = words[at + (P.ground >> 2)]!;
      const generation = words[at + (P.groundGeneration >> 2)]!;
      return slot === 0 ? null : (this.world.getBody(slot + generation * GENERATION) ?? null);
    }, null);
  }

  /** The ground's normal at its feet, unit, world; at an edge of the contact, not of the surface. Zero before the first ground. */
  get groundNormal(): Vec3 {
    return this.vector(P.normalX);
  }

  /** m, world: where its feet touch the ground. */
  get groundPoint(): Vec3 {
    return this.vector(P.pointX);
  }

  /** m/s: velocity of the ground at its feet; 0 in the air. */
  get groundVelocity(): Vec3 {
    return this.vector(P.carriedX);
  }

  /** m/s: its velocity in the last step, including the ground's. */
  get velocity(): Vec3 {
    return this.vector(P.velocityX);
  }

  /** Unit, world: away from the ground; with gravity 'world' against the gravity where it is. */
  get up(): Vec3 {
    return this.vector(P.upX);
  }

  /** Whether it has its shapes for crouching: also while there is no room to rise. */
  get isCrouching(): boolean {
    return (this.word(P.flags) & codes.CHARACTER_IS_CROUCHING) !== 0;
  }

  /** Whether it holds on to a ladder. */
  get isOnLadder(): boolean {
    return (this.word(P.flags) & codes.CHARACTER_IS_ON_LADDER) !== 0;
  }

  /** Whether its origin is below the surface of a liquid: of an area with a density. */
  get isInWater(): boolean {
    return (this.word(P.flags) & codes.CHARACTER_IS_IN_WATER) !== 0;
  }

  /** The shapes that it touched in the last step, at most eight. */
  get touched(): Touch[] {
    return this.read(({ words }, at) => {
      const count = words[at + (P.touched >> 2)]!;
      const from = at + (P.touched0 >> 2);
      return this.touches(words.slice(from, from + count));
    }, []);
  }

  private touches(slots: Int32Array): Touch[] {
    const touches: Touch[] = [];
    const { shapeRecords } = (this.world as unknown as { replica: ShapeTable }).replica;
    for (const slot of slots) {
      const record = shapeRecords[slot];
      const body = record === undefined ? undefined : this.world.getBody(record.body);
      if (body !== undefined) touches.push({ body, shape: record!.id });
    }
    return touches;
  }

  /** m: its body's position; with a worker of the drawn moment. */
  getPosition(): Vec3 {
    return this.body.getPosition();
  }

  /**
   * m: how far along `up` from its body to draw it, so that it does not jerk on stairs: its height follows steps within
   * about 0.1 s. 0 off stairs.
   */
  get lift(): number {
    const slot = this.slot();
    const { from, to, fraction } = this.link.view(slot);
    const key = slot + codes.PUBLISHED_CHARACTER;
    const now = placeIn(to, key);
    if (now < 0) return 0;
    const last = to.floats[now + (P.lift >> 2)]!;
    const before = fraction < 1 ? placeIn(from, key) : NO_PLACE;
    if (before < 0) return last;
    const first = from.floats[before + (P.lift >> 2)]!;
    return first + fraction * (last - first);
  }
}

/** Of a replica: the shapes by slot. */
interface ShapeTable {
  readonly shapeRecords: readonly ({ readonly body: BodyId; readonly id: ShapeId } | undefined)[];
}
