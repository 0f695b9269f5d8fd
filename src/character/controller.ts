// A character that walks: swept by what its user wants, stopped and led by what stands in its way. In: a velocity and
// a time step, after each step of the world. Out: the new place of its body, what it stands on, pushes to what it leans
// on. All that it does follows from the world's state and its own, with + − × ÷ √ only: the same bits everywhere.
//
// An update looks once at everything near, as planes. Walking is a plane problem across `up` (what is too steep is a
// wall whatever its height), climbing is what the ground then asks for along `up`, falling is a problem of all planes.
// Sliding one obstacle after the other, as Bullet and Quake do, swings to and fro in corners; a projection onto all
// planes at once does not. The design owes to Jolt's CharacterVirtual and Box3D's mover.
import {
  type BodyId,
  deterministic,
  type QuatLike,
  QueryShape,
  type RigidBody,
  type ShapeId,
  type ShapeOptions,
  type SweepHit,
  type Vec3Like,
  World,
} from 'ricochet';
import {
  type CharacterOptions,
  DEFAULTS,
  numberIn,
  refused,
  type Settings,
  settingsWith,
  vectorOf,
} from './options';
import { across, dot, length, nearestWithin, type Plane, plus, times, type Vec3 } from './planes';
import { type Near, SIDE, Surroundings } from './surroundings';

const { cos, quatConjugate, quatMultiply, quatNormalize, rotate } = deterministic;

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
  /** m, in the frame of the ground's body. */
  groundPoint: number[];
  /** Its place in the frame of the ground's body, and the rotation that this body had. */
  anchor: number[];
  /** Rotation that the ground's body had, x, y, z, w. */
  groundRotation: number[];
  /** m/s: from falling, jumping, sliding and `addVelocity`; the wanted velocity is added to it. */
  airVelocity: number[];
  /** m/s: of the ground under it at the last update. */
  carried: number[];
  /** m/s: from falling, jumping, sliding and `addVelocity`; the wanted velocity is added to it. */
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

/** m: most of a way at once; longer ways are made in pieces, up to so many. */
const PIECE = 0.25;
const PIECES = 16;
/** m/s: how fast it gets out of what it overlaps. */
const RECOVERY = 10;
/** Of a gap that is too small beside walls, what is won back in an update. */
const WON_BACK = 0.2;
/** m: a ground that has moved farther in an update was placed elsewhere, and leaves the character behind. */
const RIDE_LIMIT = 2;
/** m: a way shorter than this is none, and a step that wins less. */
const NO_WAY = 1e-6;
const LITTLE = 1e-3;
/** Of its offset: a way shorter than the gap before a step does not lead over its edge, so it then goes so far at once. */
const OVER_EDGE = 1.25;
/** m: how far aside it slips off an edge. */
const SLIP = 0.03;
const ZERO: Vec3 = [0, 0, 0];

/** A character controller: moves by its own sweeps, and follows the ground that it stands on. */
export class CharacterController {
  /** Its world. */
  readonly world: World;
  /** Its kinematic body, whose position every update sets. Its rotation is not changed. */
  readonly body: RigidBody;
  private settings: Settings;
  private readonly around: Surroundings;
  private cosClimb = 0;
  private cosStand = 0;
  private p: Vec3 = [0, 0, 0];
  private q: QuatLike & number[] = [0, 0, 0, 1];
  private standing: Ground | null = null;
  private state: CharacterState = {
    groundBody: 0,
    groundShape: 0,
    groundNormal: [0, 0, 0],
    groundPoint: [0, 0, 0],
    anchor: [0, 0, 0],
    groundRotation: [0, 0, 0, 1],
    airVelocity: [0, 0, 0],
    carried: [0, 0, 0],
    velocity: [0, 0, 0],
    position: [0, 0, 0],
    previous: [0, 0, 0],
    jump: 0,
    timeStep: 1 / 60,
  };

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
    const asked = shape instanceof QueryShape ? shape : new QueryShape(shape);
    if (body === undefined) {
      this.body = world.createBody({
        type: 'kinematic',
        position: position ?? [0, 0, 0],
        rotation: rotation ?? [0, 0, 0, 1],
        shape: asked.options,
        group: this.settings.group,
        mask: this.settings.mask,
      });
    } else {
      if (position !== undefined) throw refused('position', 'must not be given with a body', position);
      if (rotation !== undefined) throw refused('rotation', 'must not be given with a body', rotation);
      this.body = world.resolve(world.idOf(body));
      if (this.body.type === 'dynamic') throw refused('body', 'must be static or kinematic', 'dynamic');
    }
    this.around = new Surroundings(world, this.body, asked, this.settings);
    this.derive();
    this.place();
  }

  private derive(): void {
    this.cosClimb = cos(this.settings.maxSlope);
    this.cosStand = cos(this.settings.slideSlope);
    this.around.settings = this.settings;
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
    const { position, previous, timeStep } = this.state;
    const back = Math.min(1, -this.world.interpolationTime / timeStep);
    return plus(position, plus(previous, position, -1), back);
  }

  /** m/s: its velocity in the last update, including the ground's. */
  get velocity(): [number, number, number] {
    return [...this.state.velocity] as Vec3;
  }

  /** Whether it stands on ground that it can walk on. */
  get isGrounded(): boolean {
    return this.standing !== null;
  }

  /** The ground that it stands on; null in the air and on ground that is too steep. */
  get ground(): Ground | null {
    return this.standing;
  }

  /** m/s: velocity of the ground at its feet; 0 in the air. */
  get groundVelocity(): [number, number, number] {
    return [...this.state.carried] as Vec3;
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
    this.derive();
  }

  /** Jumps at the next update, also in the air: check `isGrounded` first if you do not want that. */
  jump(speed: number = this.settings.jumpSpeed): void {
    this.state.jump = numberIn(speed, 'speed', 1e-6, 1e6);
  }

  /** m/s: lifts it off the ground and adds to its velocity. */
  addVelocity(velocity: Vec3Like): void {
    const thrown = vectorOf(velocity, 'velocity');
    this.state.airVelocity = plus(
      this.standing === null ? this.state.airVelocity : this.state.carried,
      thrown,
    );
    this.standing = null;
  }

  /** Moves it to another place, at rest. */
  teleport(position: Vec3Like): void {
    this.body.setPosition(vectorOf(position, 'position'));
    this.standing = null;
    this.state.airVelocity = [0, 0, 0];
    this.state.carried = [0, 0, 0];
    this.place();
    this.state.previous = [...this.p];
  }

  /**
   * Changes its shape, for example for crouching. The feet stay in place if both shapes have them at the same height in the
   * body's frame.
   *
   * @returns false if there is no room for it; then nothing changes
   */
  setShape(shape: ShapeOptions | readonly ShapeOptions[] | QueryShape): boolean {
    const asked = shape instanceof QueryShape ? shape : new QueryShape(shape);
    this.place();
    const before = this.around.shape;
    this.around.shape = asked;
    if (this.around.near(this.p, this.q, 0).some(({ gap }) => gap < -LITTLE)) {
      this.around.shape = before;
      return false;
    }
    const old = [...this.body.shapes];
    for (const options of listOf(asked.options)) this.body.addShape(options);
    for (const id of old) this.body.removeShape(id);
    return true;
  }

  /** The state that `restore` needs, beside a snapshot of the world: a copy. */
  save(): CharacterState {
    const copy = { ...this.state } as unknown as Record<string, unknown>;
    for (const [name, value] of Object.entries(copy)) if (Array.isArray(value)) copy[name] = [...value];
    const { standing } = this;
    copy['groundBody'] = standing === null ? 0 : standing.body.id;
    copy['groundShape'] = standing === null ? 0 : standing.shape;
    copy['groundNormal'] = standing === null ? [0, 0, 0] : [...standing.normal];
    copy['groundPoint'] = standing === null ? [0, 0, 0] : [...standing.point];
    return copy as unknown as CharacterState;
  }

  /**
   * Restores the state of `save`. Restore the world to the same moment first.
   *
   * @throws PhysicsError 'invalid-argument'; then nothing changes
   */
  restore(saved: CharacterState): void {
    const copy: Record<string, unknown> = {};
    for (const [name, now] of Object.entries(this.state)) {
      const value = (saved as unknown as Record<string, unknown> | null)?.[name];
      if (Array.isArray(now)) {
        if (!Array.isArray(value) || value.length !== now.length)
          throw refused(`state.${name}`, `must be ${now.length} numbers`, value);
        copy[name] = value.map((part, i) => numberIn(part, `state.${name}[${i}]`, -1e9, 1e9));
      } else copy[name] = numberIn(value, `state.${name}`, -0x80000000, 0x7fffffff);
    }
    this.state = copy as unknown as CharacterState;
    const { groundBody, groundShape, groundNormal, groundPoint } = this.state;
    const body = groundBody === 0 ? undefined : this.world.getBody(groundBody as BodyId);
    this.standing =
      body === undefined
        ? null
        : { body, shape: groundShape as ShapeId, normal: groundNormal as Vec3, point: groundPoint as Vec3 };
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
    const { state, settings } = this;
    const { up, gravity } = settings;
    this.place();
    const [start, turned] = [this.p, this.q];
    this.ride(dt);

    if (state.jump > 0) {
      state.airVelocity = plus(
        this.standing === null ? across(state.airVelocity, up) : state.carried,
        up,
        state.jump,
      );
      state.jump = 0;
      this.standing = null;
    }
    const walk = times(gravity === 0 ? wanted : across(wanted, up), dt);
    let fall: Vec3 = ZERO;
    if (gravity === 0) this.standing = null;
    if (this.standing === null) {
      const before = state.airVelocity;
      state.airVelocity = plus(before, up, -gravity * dt);
      const sinking = -dot(state.airVelocity, up) - settings.fallSpeed;
      if (sinking > 0) state.airVelocity = plus(state.airVelocity, up, sinking);
      fall = times(plus(before, state.airVelocity), 0.5 * dt);
    }
    const way = length(walk) + length(fall);
    const pieces = Math.min(PIECES, Math.max(1, Math.ceil(way / PIECE)));
    for (let i = 0; i < pieces; i++) {
      const [w, f] = [times(walk, 1 / pieces), times(fall, 1 / pieces)];
      const planes = this.around.near(this.p, this.q, length(w) + length(f) + 2 * settings.offset);
      this.recover(planes, dt / pieces);
      this.push(planes, wanted, w, dt / pieces);
      if (gravity === 0) this.fly(planes, w, f, dt / pieces);
      else if (this.standing !== null) this.walk(planes, w);
      else this.fall(planes, w, f);
    }
    this.weigh(dt);
    this.settle(start, turned, dt);
  }

  /** Where its body is: its user may have moved it, and then it stands on nothing yet. */
  private place(): void {
    this.p = this.body.getPosition();
    this.q = this.body.getRotation();
    const { position } = this.state;
    if (this.p.some((value, i) => value !== position[i])) {
      this.standing = null;
      this.state.carried = [0, 0, 0];
      this.state.position = [...this.p];
      this.state.previous = [...this.p];
    }
  }

  /** Goes where the ground has gone since the last update, and turns with it about `up`. */
  private ride(dt: number): void {
    const { state, standing } = this;
    state.carried = [0, 0, 0];
    if (standing === null) return;
    const { body } = standing;
    if (body.isRemoved) {
      this.standing = null;
      return;
    }
    const rotation = body.getRotation();
    const carried = plus(plus(rotate(rotation, state.anchor), body.getPosition()), this.p, -1);
    const size = length(carried);
    if (size > RIDE_LIMIT) {
      this.standing = null;
      return;
    }
    // Rounding of a ground that rests is no motion.
    if (rotation.every((value, i) => value === state.groundRotation[i])) {
      if (size < 1e-5 && length(body.getLinearVelocity()) === 0) return;
    } else {
      const { up } = this.settings;
      const turn = quatMultiply(rotation, quatConjugate(state.groundRotation));
      const about = dot(turn, up);
      if (Math.abs(about) + Math.abs(turn[3]) > 1e-6) {
        const twist = quatNormalize([...times(up, about), turn[3]]);
        this.q = quatNormalize(quatMultiply(twist, this.q as number[]));
      }
    }
    this.p = plus(this.p, carried);
    state.carried = times(carried, 1 / dt);
  }

  /** Gets out of what overlaps it, and away from walls that are nearer than its offset. */
  private recover(planes: Near[], dt: number): void {
    const { up, offset } = this.settings;
    const constraints: Plane[] = [];
    const firm: Plane[] = [];
    // What carried it into something in this update takes it out again.
    const most = RECOVERY * dt + length(this.state.carried) * dt;
    let needed = false;
    for (const { normal, gap, body } of planes) {
      const rise = dot(normal, up);
      let least = -Math.max(gap, 0);
      if (gap < -1e-5) least = Math.min(-gap, most);
      else if (gap < 0.8 * offset && Math.abs(rise) < 0.1) least = WON_BACK * (offset - gap);
      needed ||= least > 0;
      // Ground lifts: along its normal a slope would shift what stands on it.
      const lifts = gap < 0 && rise >= this.cosStand;
      const plane = lifts ? { normal: up, least: least / rise } : { normal, least };
      constraints.push(plane);
      if (body.type !== 'dynamic') firm.push(plane);
    }
    if (!needed) return;
    // Squeezed between what moves and what does not: out of the latter.
    let way = nearestWithin(ZERO, constraints) ?? nearestWithin(ZERO, firm);
    if (way === null) {
      // Between two that do not: out of the deepest, whatever is on the other side.
      const [deepest] = planes;
      if (!(deepest!.gap < 0)) return;
      way = times(deepest!.normal, Math.min(-deepest!.gap, most));
    }
    this.p = plus(this.p, way);
    for (const plane of planes) plane.gap += dot(plane.normal, way);
  }

  /** How far it may go towards something, keeping its offset. */
  private room(gap: number): number {
    return Math.max(0, gap - this.settings.offset);
  }

  /** The part of a way across `up` that walls allow; what is too steep to climb is a wall. */
  private alongWalls(planes: readonly Near[], way: Vec3): Vec3 {
    const { up } = this.settings;
    const walls: Plane[] = [];
    for (const { normal, gap } of planes) {
      if (dot(normal, up) >= this.cosClimb) continue;
      const flat = across(normal, up);
      const size = length(flat);
      if (size < 0.05) continue; // a ceiling
      walls.push({ normal: times(flat, 1 / size), least: -this.room(gap) / size });
    }
    return nearestWithin(way, walls) ?? ZERO;
  }

  /** On the ground. */
  private walk(planes: Near[], way: Vec3): void {
    const { up, offset, stepHeight } = this.settings;
    let flat = this.alongWalls(planes, way);
    const asked = length(way);
    if (asked > NO_WAY && stepHeight > 0) {
      const progress = dot(flat, way) / asked;
      if (progress < asked - NO_WAY && this.isStep(planes, way) && this.climb(way, asked, progress)) return;
    }
    // What the ground asks for, and what a ceiling leaves.
    let lift = 0;
    for (const { normal, gap } of planes) {
      const rise = dot(normal, up);
      if (rise >= this.cosClimb) lift = Math.max(lift, (offset - gap - dot(normal, flat)) / rise);
    }
    for (const { normal, gap } of planes) {
      const rise = dot(normal, up);
      if (rise > -0.05) continue;
      const most = (this.room(gap) + dot(normal, flat)) / -rise;
      if (lift <= most) continue;
      flat = ZERO;
      lift = Math.max(0, Math.min(lift, this.room(gap) / -rise));
    }
    this.p = plus(plus(this.p, flat), up, lift);
    this.stand(planes, flat);
  }

  /**
   * Off an edge that its side touches, on its way out: aside as far as it has to, so that its feet find what is below.
   * Otherwise it would hang beside the edge for several short steps, and leave the ground.
   *
   * @returns what they find; null if nothing, and then it is where it was
   */
  private slipOff(edge: SweepHit, walked: Vec3, way: Vec3): SweepHit | null {
    const { up, offset } = this.settings;
    const rise = dot(edge.normal, up);
    const out = across(edge.normal, up);
    const size = length(out);
    if (!(dot(out, walked) > 0) || !(rise > 0)) return null;
    const aside = Math.min(SLIP, (length(way) * rise) / size);
    if (this.around.sweep(this.p, this.q, times(out, (aside + offset) / size)) !== null) return null;
    const beside = plus(this.p, out, aside / size);
    const hit = this.around.sweep(beside, this.q, way);
    if (hit === null || dot(hit.normal, up) < SIDE) return null;
    this.p = beside;
    return hit;
  }

  /** Finds the ground under it within the snap distance, or lets it fall. `walked`: its way across `up`. */
  private stand(planes: readonly Near[], walked: Vec3): void {
    const { up, offset, snapDistance } = this.settings;
    const reach = 2 * offset + snapDistance;
    const way = times(up, -reach);
    const first = this.around.sweep(this.p, this.q, way);
    let hit = first;
    let most = reach;
    const beside = first !== null && dot(first.normal, up) < SIDE;
    const slipped = beside ? this.slipOff(first, walked, way) : null;
    if (slipped !== null) hit = slipped;
    else if (beside) {
      // Its side touches before its feet do. It may stand a little higher; from higher up it falls past that.
      most = first.fraction * reach;
      hit = this.around.sweep(this.p, this.q, way, SIDE);
    }
    if (hit !== null) {
      const rise = dot(hit.normal, up);
      const drop = hit.fraction * reach - offset / Math.max(rise, 0.5);
      const carries = rise >= this.cosStand || this.around.carries(hit.point, hit.normal, this.cosStand);
      if (carries && drop <= most + offset) {
        this.p = plus(this.p, up, -Math.min(drop, most));
        this.standing = { body: hit.body, shape: hit.shape, normal: hit.normal, point: hit.point };
        return;
      }
    }
    // Beside something that it overlaps, a sweep may find only that.
    const floor = planes.find(({ normal, gap }) => dot(normal, up) >= this.cosStand && gap < 2 * offset);
    if (floor !== undefined && first?.fraction === 0) {
      const { body, shape, normal, point } = floor;
      this.standing = { body, shape, normal, point };
      return;
    }
    this.state.airVelocity = [...this.state.carried];
    this.standing = null;
  }

  /** Whether some of what is in the way may be a step: not a wall that is touched higher than that. */
  private isStep(planes: readonly Near[], way: Vec3): boolean {
    const { up, offset, stepHeight } = this.settings;
    const highest = dot(this.standing!.point, up) + stepHeight + offset;
    return planes.some(
      ({ normal, gap, top }) =>
        dot(normal, way) < -this.room(gap) && dot(normal, up) < this.cosClimb && top <= highest,
    );
  }

  /** Up a step: up, along, down. Whether it came farther and stands there. */
  private climb(way: Vec3, asked: number, progress: number): boolean {
    const { up, offset, stepHeight, stepWidth } = this.settings;
    const above = this.around.sweep(this.p, this.q, times(up, stepHeight + offset));
    const rise = above === null ? stepHeight : above.fraction * (stepHeight + offset) - offset;
    if (rise < LITTLE) return false;
    const raised = plus(this.p, up, rise);
    const room = Math.max(asked, stepWidth);
    let direction = times(way, 1 / asked);
    let wall = this.around.sweep(raised, this.q, times(direction, room + offset));
    if (wall !== null && wall.fraction * (room + offset) < stepWidth + offset) {
      // A wall beside the stairs that it leans on: along it.
      const flat = across(wall.normal, up);
      const size = length(flat);
      const leant = size < SIDE ? ZERO : across(direction, times(flat, 1 / size));
      const share = length(leant);
      if (share * asked < Math.max(progress, LITTLE)) return false;
      direction = times(leant, 1 / share);
      asked *= share;
      wall = this.around.sweep(raised, this.q, times(direction, room + offset));
    }
    const free = wall === null ? room : wall.fraction * (room + offset) - offset;
    if (free < Math.max(progress, stepWidth)) return false;
    if (this.standsBeyond(plus(raised, direction, Math.min(asked, free)), rise)) return true;
    const least = OVER_EDGE * offset;
    return asked < least && free >= least && this.standsBeyond(plus(raised, direction, least), rise);
  }

  /** Down from over a step. Whether it then stands higher than it began. */
  private standsBeyond(along: Vec3, rise: number): boolean {
    const { up, offset, stepOnDynamic } = this.settings;
    const down = this.around.sweep(along, this.q, times(up, -rise - offset));
    if (down === null || (!stepOnDynamic && down.body.type === 'dynamic')) return false;
    const slope = dot(down.normal, up);
    if (slope < this.cosClimb && !this.around.carries(down.point, down.normal, this.cosClimb)) return false;
    const drop = down.fraction * (rise + offset) - offset / Math.max(slope, 0.5);
    if (rise - drop < LITTLE) return false;
    this.p = plus(along, up, -drop);
    this.standing = { body: down.body, shape: down.shape, normal: down.normal, point: down.point };
    return true;
  }

  /** In the air: all planes at once; it lands on what is not too steep, and slides down what is. */
  private fall(planes: readonly Near[], walk: Vec3, fall: Vec3): void {
    const { up, offset } = this.settings;
    const flat = this.alongWalls(planes, walk);
    const way = plus(flat, fall);
    const level = across(way, up);
    const sinking = dot(fall, up) <= 0;
    const constraints: Plane[] = [];
    let floor: Near | null = null;
    let height = Number.NEGATIVE_INFINITY;
    for (const near of planes) {
      const { normal, gap, point } = near;
      const rise = dot(normal, up);
      const reached = gap - offset + dot(normal, way) <= 0;
      const carries =
        rise >= this.cosStand ||
        (sinking && reached && rise >= SIDE && this.around.carries(point, normal, this.cosStand));
      if (carries) {
        const least = (offset - gap - dot(normal, level)) / Math.max(rise, 0.5);
        if (least > height) [floor, height] = [near, least];
      } else constraints.push({ normal, least: -this.room(gap) });
    }
    if (floor !== null) constraints.push({ normal: up, least: height });
    const moved = nearestWithin(way, constraints) ?? ZERO;
    this.p = plus(this.p, moved);
    if (floor !== null && sinking && dot(moved, up) <= height + NO_WAY) {
      const { body, shape, normal, point } = floor;
      this.standing = { body, shape, normal, point };
      this.state.airVelocity = [0, 0, 0];
      return;
    }
    if (moved === way) return;
    // Of its own speed, not of its walk: who runs up a slope in a jump is lifted, not thrown.
    const pressing = constraints.filter(({ normal, least }) => dot(normal, moved) <= least + NO_WAY);
    for (const plane of pressing) plane.least = 0;
    this.state.airVelocity = nearestWithin(this.state.airVelocity as Vec3, pressing) ?? [0, 0, 0];
  }

  /** Without gravity, all directions are alike. */
  private fly(planes: readonly Near[], walk: Vec3, thrown: Vec3, dt: number): void {
    const constraints = planes.map(({ normal, gap }) => ({ normal, least: -this.room(gap) }));
    const flown = nearestWithin(walk, constraints) ?? ZERO;
    const way = plus(flown, thrown);
    const moved = nearestWithin(way, constraints) ?? ZERO;
    this.p = plus(this.p, moved);
    this.state.airVelocity = plus(this.state.airVelocity, plus(moved, way, -1), 1 / dt);
  }

  /** Pushes dynamic bodies in its way up to its own speed, with no more than its force. */
  private push(planes: readonly Near[], wanted: Vec3, way: Vec3, dt: number): void {
    const { up, pushForce } = this.settings;
    if (pushForce === 0) return;
    for (const { body, normal, gap, point } of planes) {
      if (dot(normal, up) >= this.cosClimb || dot(normal, way) >= -this.room(gap)) continue;
      if (body.type !== 'dynamic') continue;
      const speed = -dot(normal, wanted) + dot(normal, body.getVelocityAtPoint(point));
      const impulse = Math.min(body.mass * speed, pushForce * dt);
      if (!(impulse > 0)) continue;
      body.activate();
      body.applyImpulseAtPoint(times(normal, -impulse), point);
    }
  }

  /** Its weight, on a dynamic body. */
  private weigh(dt: number): void {
    const { up, mass, gravity } = this.settings;
    const { standing } = this;
    if (standing === null || mass === 0 || standing.body.type !== 'dynamic') return;
    standing.body.activate();
    standing.body.applyImpulseAtPoint(times(up, -mass * gravity * dt), standing.point);
  }

  /** Writes its place to its body, and where that is on the ground. */
  private settle(start: Vec3, turned: QuatLike, dt: number): void {
    const { state, standing } = this;
    this.p = this.p.map(Math.fround) as Vec3;
    if (this.p.some((value, i) => value !== start[i]) || this.q !== turned)
      this.body.setTransform(this.p, this.q);
    state.previous = state.position;
    state.position = [...this.p];
    state.velocity = times(plus(this.p, start, -1), 1 / dt);
    state.timeStep = dt;
    if (standing === null) return;
    const rotation = standing.body.getRotation();
    const arm = plus(this.p, standing.body.getPosition(), -1);
    state.anchor = rotate(quatConjugate(rotation), arm);
    state.groundRotation = rotation;
  }
}

function listOf(shape: ShapeOptions | readonly ShapeOptions[]): ShapeOptions[] {
  return Array.isArray(shape) ? [...shape] : [shape as ShapeOptions];
}
