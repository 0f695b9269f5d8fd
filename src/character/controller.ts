// A character controller: a character of the core that moves when `update` is called, not in the step. In: a velocity and a
// time step, a filter of the user. Out: commands, which the world carries out at once; readings from the character's row.
// How it moves: core/actors/character/update.ts. The filter is asked before a move, about all that could be in the way;
// shapes that it refuses go with the move, so that a recording has the move without the filter.
import {
  type BodyId,
  MAX_BODIES as MAX_SLOT,
  type QuatLike,
  QueryShape,
  type RigidBody,
  type ShapeId,
  type ShapeOptions,
  type Vec3Like,
  World,
} from 'ricochet';
import * as codes from '../core/memory/constants';
import type { ActorLink } from '../replica/actorLink';
import {
  ignoreShape,
  moveCharacter,
  SetCharacter,
  SetCharacterInput,
  SetCharacterState,
  setCharacter,
  setCharacterInput,
  setCharacterState,
} from '../wasm/actor-commands';
import { Character as Row } from '../wasm/core-layout';
import {
  type CharacterFilter,
  type CharacterOptions,
  DEFAULTS,
  numberIn,
  refused,
  type Settings,
  settingsWith,
  vectorOf,
} from './options';
import { CHECKED, setupWords } from './setup';
import { length, plus, type Vec3 } from './vectors';

/** The ground under a character. */
export interface Ground {
  /** The body that it stands on. */
  body: RigidBody;
  /** The shape of that body. */
  shape: ShapeId;
  /** Unit, world, up from the ground; at an edge of the contact, not of the surface. */
  normal: [number, number, number];
  /** m, world. */
  point: [number, number, number];
}

/** The state of a character outside of its world: numbers that can be stored as JSON. */
export interface CharacterState {
  /** Ids, 0 in the air. */
  groundBody: number;
  /** Id of the shape that it stands on; 0 for none. */
  groundShape: number;
  /** Unit, world; of the ground. */
  groundNormal: number[];
  /** m, world. */
  groundPoint: number[];
  /** Its place in the frame of the ground's body, and the rotation that this body had. */
  anchor: number[];
  /** Rotation that the ground's body had, x, y, z, w. */
  groundRotation: number[];
  /** m: where the centre of mass of the ground's body was. */
  groundPosition: number[];
  /** m/s: from falling, jumping, sliding and `addVelocity`; the wanted velocity is added to it. */
  airVelocity: number[];
  /** m/s: of the ground under it at the last update. */
  carried: number[];
  /** m/s: in the last update, including the ground's. */
  velocity: number[];
  /** m. */
  position: number[];
  /** m; before the last update. */
  previous: number[];
  /** m/s: speed of a requested jump; 0 for none. */
  jump: number;
  /** s. */
  timeStep: number;
}

/** m/s: most of what calls of `addVelocity` add up to. */
const FASTEST = 1e9;
/** m. What overlaps less leaves room for another shape. */
const LITTLE = 1e-3;
/** m: a ground that is placed farther away leaves the character behind, see core/actors/character/ground.ts. */
const RIDE_LIMIT = 2;
/** m/s: how fast it gets out of what it overlaps, see core/actors/character/update.ts. */
const RECOVERY = 10;

/** Where a character's row is in the memory of its core. */
interface Place {
  words: Int32Array;
  floats: Float32Array;
  at: number;
}

/** A character controller: moves by its own sweeps, and follows the ground that it stands on. */
export class CharacterController {
  /** Its world. */
  readonly world: World;
  /** Its kinematic body, whose position every update sets. Its rotation changes only with that of the ground. */
  readonly body: RigidBody;
  private settings: Settings;
  private readonly link: ActorLink;
  private shape: QueryShape;
  /** For drawing only: the core does not have them. */
  private drawn: Pick<CharacterState, 'position' | 'previous' | 'timeStep'>;

  /**
   * A character, with a kinematic body in `world` unless one is given.
   *
   * @throws PhysicsError 'invalid-argument', 'unknown-option', 'stale-id', 'foreign-id'; then nothing is created
   */
  constructor(world: World, options: CharacterOptions) {
    if (!(world instanceof World)) throw refused('world', 'must be a World', world);
    this.world = world;
    this.settings = settingsWith(DEFAULTS, options, true);
    const { shape, body, position, rotation } = options;
    this.shape = shape instanceof QueryShape ? shape : new QueryShape(shape);
    this.link = world.actorLink();
    if (body === undefined) {
      this.body = world.createBody({
        type: 'kinematic',
        position: position ?? [0, 0, 0],
        rotation: rotation ?? [0, 0, 0, 1],
        shape: this.shape.options,
        group: this.settings.group,
        mask: this.settings.mask,
      });
    } else {
      if (position !== undefined) throw refused('position', 'must not be given with a body', position);
      if (rotation !== undefined) throw refused('rotation', 'must not be given with a body', rotation);
      this.body = world.resolve(world.idOf(body));
      if (this.body.type === 'dynamic') throw refused('body', 'must be static or kinematic', 'dynamic');
    }
    const at = this.body.getPosition();
    this.drawn = { position: at, previous: [...at], timeStep: 1 / 60 };
    this.define();
  }

  private slot(): number {
    return this.world.idOf(this.body) & MAX_SLOT;
  }

  /** Writes the settings to its row, which keeps its state if there is one. */
  private define(): void {
    if (this.body.isRemoved) return;
    const settings = { ...CHECKED, ...this.settings, yields: false };
    const words = setupWords(this.slot(), settings, Math.max(1, this.body.shapes.length));
    words[SetCharacter.options]! |= codes.CHARACTER_WAITS;
    this.link.write(setCharacter, words);
  }

  /** Its row, after all commands so far; null without its body, or in a restored world that had no such character. */
  private find(): Place | null {
    const slot = this.slot();
    const { instance } = this.world;
    const rows = this.world.query(() => instance.get('characterCount'));
    const { words, floats } = instance;
    const from = instance.get('characters') >>> 2;
    let [low, high] = [0, rows];
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = from + middle * (Row.SIZE >> 2);
      const body = words[at]!;
      if (body === slot) return this.body.isRemoved ? null : { words, floats, at };
      if (body < slot) low = middle + 1;
      else high = middle;
    }
    return null;
  }

  private vector(field: number, count = 3): number[] {
    const place = this.find();
    const at = place === null ? 0 : place.at + (field >> 2);
    return Array.from({ length: count }, (_, i) => place?.floats[at + i] ?? 0);
  }

  // --- what users ask ---

  /** m: its body's. */
  getPosition(): [number, number, number] {
    return this.body.getPosition();
  }

  /**
   * The position for drawing: interpolated between its last two positions by the world's interpolation time, like dynamic
   * bodies after stepSimulation with a fixed step.
   */
  getInterpolatedPosition(): [number, number, number] {
    const { position, previous, timeStep } = this.drawn;
    const back = Math.min(1, -this.world.interpolationTime / timeStep);
    return plus(position, plus(previous, position, -1), back);
  }

  /** m/s: its velocity in the last update, including the ground's. */
  get velocity(): [number, number, number] {
    return this.vector(Row.velocity) as Vec3;
  }

  /** Whether it stands on ground that it can walk on. */
  get isGrounded(): boolean {
    const place = this.find();
    return place !== null && place.words[place.at + (Row.ground >> 2)] !== 0;
  }

  /** The ground that it stands on; null in the air, on ground that is too steep, and if the ground was removed. */
  get ground(): Ground | null {
    const place = this.find();
    if (place === null) return null;
    const word = (field: number): number => place.words[place.at + (field >> 2)]!;
    const slot = word(Row.ground);
    if (slot === 0) return null;
    const id = slot + word(Row.groundGeneration) * (MAX_SLOT + 1);
    const body = this.world.getBody(id as BodyId);
    const shape = this.world.replica.shapeRecords[word(Row.groundShape)]?.id;
    if (body === undefined || shape === undefined) return null;
    return {
      body,
      shape,
      normal: this.vector(Row.groundNormal) as Vec3,
      point: this.vector(Row.groundPoint) as Vec3,
    };
  }

  /** m/s: velocity of the ground at its feet; 0 in the air. */
  get groundVelocity(): [number, number, number] {
    return this.vector(Row.carried) as Vec3;
  }

  /** A copy of the current options. */
  get options(): Readonly<Settings> {
    return { ...this.settings, up: [...this.settings.up] as Vec3 };
  }

  /** Changes options: all except shape, body and pose. */
  setOptions(changes: Partial<Omit<CharacterOptions, 'shape' | 'body' | 'position' | 'rotation'>>): void {
    const { group, mask } = this.settings;
    this.settings = settingsWith(this.settings, changes, false);
    if (this.settings.group !== group || this.settings.mask !== mask)
      this.body.setFilter(this.settings.group, this.settings.mask);
    this.define();
  }

  /** Jumps at the next update, also in the air: check `isGrounded` first if you do not want that. */
  jump(speed: number = this.settings.jumpSpeed): void {
    const words = new Float64Array(SetCharacterInput.given + 1);
    words[SetCharacterInput.jump] = numberIn(speed, 'speed', 1e-6, 1e6);
    words[SetCharacterInput.body] = this.slot();
    this.link.write(setCharacterInput, words);
  }

  /** m/s: lifts it off the ground and adds to its velocity. */
  addVelocity(velocity: Vec3Like): void {
    const thrown = vectorOf(velocity, 'velocity');
    const state = this.save();
    const own = state.groundBody === 0 ? state.airVelocity : state.carried;
    const airVelocity = plus(own, thrown).map((speed) => Math.max(-FASTEST, Math.min(FASTEST, speed)));
    this.write({ ...state, groundBody: 0, airVelocity });
  }

  /** Moves it to another place, at rest. */
  teleport(position: Vec3Like): void {
    const place = vectorOf(position, 'position');
    this.body.setPosition(place);
    const zero = [0, 0, 0];
    const at = this.body.getPosition();
    this.write({ ...this.save(), groundBody: 0, airVelocity: zero, carried: zero, position: at });
    this.drawn = { ...this.drawn, position: at, previous: [...at] };
  }

  /**
   * Changes its shape, for example for crouching. The feet stay in place if both shapes have them at the same height in the
   * body's frame.
   *
   * @returns false if there is no room for it; then nothing changes
   */
  setShape(shape: ShapeOptions | readonly ShapeOptions[] | QueryShape): boolean {
    const asked = shape instanceof QueryShape ? shape : new QueryShape(shape);
    for (const hit of this.near(asked, 0))
      if (this.sees(hit) && hit.points.some(({ separation }) => separation < -LITTLE)) return false;
    this.shape = asked;
    const old = [...this.body.shapes];
    for (const options of listOf(asked.options)) this.body.addShape(options);
    for (const id of old) this.body.removeShape(id);
    this.define();
    return true;
  }

  /** The state that `restore` needs, beside a snapshot of the world: a copy. */
  save(): CharacterState {
    const place = this.find();
    const word = (field: number): number => place?.words[place.at + (field >> 2)] ?? 0;
    const isPlaced = (word(Row.flags) & codes.CHARACTER_IS_PLACED) !== 0;
    const grounded = this.ground;
    const asked = place?.floats[place.at + (Row.jump >> 2)] ?? 0;
    return {
      groundBody: grounded?.body.id ?? 0,
      groundShape: grounded?.shape ?? 0,
      groundNormal: this.vector(Row.groundNormal),
      groundPoint: this.vector(Row.groundPoint),
      anchor: this.vector(Row.anchor),
      groundRotation: this.vector(Row.groundRotation, 4),
      groundPosition: this.vector(Row.groundPosition),
      airVelocity: this.vector(Row.air),
      carried: this.vector(Row.carried),
      velocity: this.vector(Row.velocity),
      position: isPlaced ? this.vector(Row.position) : [...this.drawn.position],
      previous: [...this.drawn.previous],
      jump: asked,
      timeStep: this.drawn.timeStep,
    };
  }

  /**
   * Restores the state of `save`. Restore the world to the same moment first.
   *
   * @throws PhysicsError 'invalid-argument'; then nothing changes
   */
  restore(saved: CharacterState): void {
    const copy: Record<string, unknown> = {};
    for (const [name, now] of Object.entries(this.save())) {
      const value = (saved as unknown as Record<string, unknown> | null)?.[name];
      if (Array.isArray(now)) {
        const most = UNITS.includes(name) ? 1.000001 : 1e9;
        if (!Array.isArray(value) || value.length !== now.length)
          throw refused(`state.${name}`, `must be ${now.length} numbers`, value);
        copy[name] = value.map((part, i) => numberIn(part, `state.${name}[${i}]`, -most, most));
      } else if (name === 'jump') copy[name] = numberIn(value, 'state.jump', 0, 1e6);
      else if (name === 'timeStep') copy[name] = numberIn(value, 'state.timeStep', 1e-6, 1);
      else copy[name] = numberIn(value, `state.${name}`, -0x80000000, 0x7fffffff);
    }
    const state = copy as unknown as CharacterState;
    this.define();
    this.write(state);
    const { position, previous, timeStep } = state;
    this.drawn = { position, previous, timeStep };
  }

  private write(state: CharacterState): void {
    const words = new Float64Array(SetCharacterState.anchor + 3);
    const { world } = this;
    const body = state.groundBody === 0 ? undefined : world.getBody(state.groundBody as BodyId);
    const { shapeRecords } = world.replica;
    const shape = shapeRecords[state.groundShape & MAX_SLOT]?.id === state.groundShape;
    words[SetCharacterState.body] = this.slot();
    if (body !== undefined && shape) {
      words[SetCharacterState.ground] = body.id & MAX_SLOT;
      words[SetCharacterState.groundShape] = state.groundShape & MAX_SLOT;
    }
    words[SetCharacterState.jump] = state.jump;
    words.set(state.position, SetCharacterState.position);
    words.set(state.velocity, SetCharacterState.velocity);
    words.set(state.airVelocity, SetCharacterState.air);
    words.set(state.carried, SetCharacterState.carried);
    words.set(state.groundNormal, SetCharacterState.groundNormal);
    words.set(state.groundPoint, SetCharacterState.groundPoint);
    words.set(state.groundPosition, SetCharacterState.groundPosition);
    words.set(state.groundRotation, SetCharacterState.groundRotation);
    words.set(state.anchor, SetCharacterState.anchor);
    this.link.write(setCharacterState, words);
  }

  /** Removes its body. */
  remove(): void {
    this.body.remove();
  }

  // --- an update ---

  /**
   * Moves it. Call it once after each step of the world.
   *
   * @param velocity  m/s: wanted velocity; the component along `up` is used only without gravity
   * @param dt  s, 1e-6 … 1: length of that step
   * @throws PhysicsError 'invalid-argument', 'stale-id' without its body, 'disposed'; then nothing changes
   */
  update(velocity: Vec3Like, dt: number): void {
    const wanted = vectorOf(velocity, 'velocity');
    numberIn(dt, 'dt', 1e-6, 1);
    const previous = this.body.getPosition();
    const slot = this.slot();
    if (this.find() === null) this.define();
    if (this.settings.filter !== null)
      for (const shape of this.ignored(this.settings.filter, wanted, dt))
        this.link.write(ignoreShape, [slot, shape & MAX_SLOT]);
    this.link.write(moveCharacter, [slot, ...wanted, dt]);
    this.drawn = { position: this.body.getPosition(), previous, timeStep: dt };
  }

  private near(shape: QueryShape, maxDistance: number) {
    const [position, rotation] = [this.body.getPosition(), this.body.getRotation() as QuatLike];
    const { group, mask } = this.settings;
    const options = { group, mask, skip: this.body, sensors: false, maxDistance };
    return this.world.contactTest({ shape, position, rotation }, options);
  }

  private sees(hit: { body: RigidBody; shape: ShapeId }): boolean {
    const { filter } = this.settings;
    return filter === null || filter(hit.body, hit.shape) !== false;
  }

  /** What its filter refuses of all that it could meet in an update. */
  private ignored(filter: CharacterFilter, wanted: Vec3, dt: number): ShapeId[] {
    const { body, world } = this;
    const { gravity, offset, stepHeight, stepWidth, snapDistance, group, mask } = this.settings;
    const place = this.find();
    const jump = place === null ? 0 : place.floats[place.at + (Row.jump >> 2)]!;
    const own = length(this.vector(Row.air)) + length(this.vector(Row.carried)) + jump + gravity * dt;
    const ground = this.ground;
    const rides = ground === null || ground.body.type === 'static' ? 0 : RIDE_LIMIT;
    // Twice its way: from where that ends, it looks as far again.
    const way = (2 * (length(wanted) + own) + RECOVERY) * dt;
    const reach = way + rides + stepHeight + stepWidth + snapDistance + 8 * offset;
    const [min, max]: Vec3[] = [
      [0, 0, 0],
      [0, 0, 0],
    ];
    body.getAabb(min!, max!);
    const all = [reach, reach, reach];
    const options = { group, mask, skip: body, sensors: false };
    return world
      .overlapTest(plus(min!, all, -1).map(within), plus(max!, all).map(within), options)
      .filter((hit) => filter(hit.body, hit.shape) === false)
      .map(({ shape }) => shape);
  }
}

/** m: largest coordinate of a question. */
const FARTHEST = 1e9;
const within = (coordinate: number): number => Math.max(-FARTHEST, Math.min(FARTHEST, coordinate));

/** Parts of its state that are no longer than 1. */
const UNITS = ['groundNormal', 'groundRotation'];

function listOf(shape: ShapeOptions | readonly ShapeOptions[]): ShapeOptions[] {
  return Array.isArray(shape) ? [...shape] : [shape as ShapeOptions];
}
