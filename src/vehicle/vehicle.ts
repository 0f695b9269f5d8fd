// A vehicle of a world, in process or in a worker. In: options, inputs. Out: commands; what frames carry about it.

import { PhysicsError } from '../base/errors';
import { MAX_SLOT } from '../base/ids';
import { cos, quatMultiply, rotate, sin } from '../base/math';
import { fillQuat, fillVec3 } from '../base/out';
import { invalid } from '../base/validate';
import type { ActorLink, ActorPage } from '../replica/actorLink';
import type { PhysicsWorld, WorldBody } from '../replica/physicsWorld';
import type { QuatOut, Vec3Out } from '../types';
import { removeVehicle, setVehicle, setVehicleInput, setWheel } from '../wasm/actor-commands';
import { PublishedVehicle, PublishedWheel } from '../wasm/core-layout';
import type { World } from '../world/world';
import {
  encodeInput,
  encodeVehicle,
  type VehicleInput,
  type VehicleOptions,
  type VehicleWords,
  vehicleOptions,
} from './options';

const RPM = 60 / (2 * Math.PI);
const FIELD = (offset: number) => offset >> 2;
const VEHICLE_WORDS = FIELD(PublishedVehicle.SIZE);
const WHEEL_WORDS = FIELD(PublishedWheel.SIZE);
const TURN = 2 * Math.PI;

/** Of the body with this slot: the word where its record begins, or −1. */
function find(page: ActorPage, slot: number): number {
  const { words, end } = page;
  for (let at = page.at; at < end; ) {
    if (words[at + FIELD(PublishedVehicle.body)] === slot) return at;
    const length = words[at + FIELD(PublishedVehicle.words)]!;
    if (!(length > 0)) break;
    at += length;
  }
  return -1;
}

/** A wheel of a vehicle. What it tells is of the drawn moment, like poses. */
export class VehicleWheel {
  /** @internal See Vehicle.wheels. */
  constructor(
    private readonly vehicle: Vehicle,
    /** Its number. */
    readonly index: number,
    /** m */
    readonly radius: number,
  ) {}

  private read(offset: number): number {
    return this.vehicle.readWheel(this.index, FIELD(offset));
  }

  /** Whether it touches the ground. */
  get isInContact(): boolean {
    return this.vehicle.wheelGround(this.index) !== 0 && this.load > 0;
  }

  /** N, on the ground. */
  get load(): number {
    return this.read(PublishedWheel.load);
  }

  /** m, compression of the suspension from the designed place. */
  get compression(): number {
    return this.read(PublishedWheel.compression);
  }

  /** rad, to the left. */
  get steerAngle(): number {
    return this.read(PublishedWheel.steerAngle);
  }

  /** rad, how far it has turned, 0 to 2π. */
  get rotation(): number {
    return this.vehicle.wheelAngle(this.index);
  }

  /** rad/s, forward. */
  get spin(): number {
    return this.read(PublishedWheel.spin);
  }

  /** Longitudinal slip of the tyre: (rω − v) / |v|; above 0 driving, −1 locked. */
  get slip(): number {
    return this.read(PublishedWheel.slip);
  }

  /** Tangent of the slip angle. */
  get sideSlip(): number {
    return this.read(PublishedWheel.sideSlip);
  }

  /** N, of the tyre, forward. */
  get force(): number {
    return this.read(PublishedWheel.force);
  }

  /** N, of the tyre, to the left. */
  get sideForce(): number {
    return this.read(PublishedWheel.sideForce);
  }

  /** m, world: its centre, for drawing; into `out` if given. */
  getPosition<T extends Vec3Out = [number, number, number]>(out?: T): T {
    const { chassis, frame } = this.vehicle;
    const up = rotate(frame, [0, this.compression, 0]);
    const place = [PublishedWheel.positionX, PublishedWheel.positionY, PublishedWheel.positionZ].map(
      (offset, i) => this.read(offset) + up[i]!,
    );
    const [x, y, z] = rotate(chassis.getRotation(), place);
    const at = chassis.getPosition();
    return fillVec3((out ?? [0, 0, 0]) as T, at[0] + x, at[1] + y, at[2] + z);
  }

  /** World, for drawing: x along the axle to the left, z forward in a wheel that has not turned; into `out` if given. */
  getRotation<T extends QuatOut = [number, number, number, number]>(out?: T): T {
    const { chassis, frame } = this.vehicle;
    const steer = this.steerAngle / 2;
    const turn = this.rotation / 2;
    const own = quatMultiply([0, sin(steer), 0, cos(steer)], [sin(turn), 0, 0, cos(turn)]);
    const [x, y, z, w] = quatMultiply(chassis.getRotation(), quatMultiply(frame, own));
    return fillQuat((out ?? [0, 0, 0, 1]) as T, x, y, z, w);
  }
}

/** A vehicle: see createVehicle. */
export class Vehicle {
  /** In the order of the options. */
  readonly wheels: readonly VehicleWheel[];
  /** @internal Its axes in the frame of the chassis. */
  readonly frame: readonly number[];
  private readonly slot: number;
  private removed = false;

  /** @internal See createVehicle. */
  constructor(
    private readonly world: PhysicsWorld,
    private readonly link: ActorLink,
    /** The body that it moves. */
    readonly chassis: WorldBody,
    private options: Record<string, unknown>,
    private words: VehicleWords,
    isThere = false,
  ) {
    this.slot = chassis.id & MAX_SLOT;
    this.frame = words.frame;
    this.wheels = words.radii.map((radius, i) => new VehicleWheel(this, i, radius));
    if (!isThere) this.write();
  }

  private write(): void {
    this.link.write(setVehicle, this.words.vehicle);
    for (const wheel of this.words.wheels) this.link.write(setWheel, wheel);
  }

  /** True from `remove` on, and when the chassis was removed. */
  get isRemoved(): boolean {
    return this.world.getBody(this.chassis.id) === undefined || this.removed; // as characters: what is disposed of says so
  }

  private check(): void {
    if (this.isRemoved) throw new PhysicsError('stale-id', 'the vehicle was removed');
  }

  /**
   * How it is driven from the next step on, until the next call; what is left out stays: after the
   * world went back to an earlier state, as that has it.
   *
   * @throws PhysicsError 'invalid-argument', 'unknown-option', 'stale-id' when it was removed
   */
  setInput(input: VehicleInput): void {
    this.check();
    this.link.write(setVehicleInput, [this.slot, ...encodeInput(input, this.words.gears)]);
  }

  /**
   * Changes options; the others stay. `chassis` and the number of wheels cannot change.
   *
   * @throws PhysicsError 'invalid-argument', 'unknown-option', 'stale-id' when it was removed
   */
  setOptions(changes: Partial<Omit<VehicleOptions, 'chassis'>>): void {
    this.check();
    const given = { ...this.options, ...vehicleOptions(changes), chassis: this.chassis };
    const words = encodeVehicle(given, chassisOf(this.world, this.chassis));
    if (words.wheels.length !== this.wheels.length)
      throw invalid('wheels', `must be ${this.wheels.length} wheels, as before`, changes.wheels);
    this.options = given;
    this.words = words;
    this.write();
  }

  /** Takes the vehicle away; the chassis stays. Nothing happens if it is removed already. */
  remove(): void {
    if (!this.isRemoved) this.link.write(removeVehicle, [this.slot]);
    this.removed = true;
  }

  // --- what frames carry ---

  private read(offset: number): number {
    const { from, to, fraction } = this.link.view();
    const at = find(to, this.slot);
    if (at < 0) return 0;
    const value = to.floats[at + FIELD(offset)]!;
    const before = fraction < 1 ? find(from, this.slot) : -1;
    return before < 0 ? value : value + (1 - fraction) * (from.floats[before + FIELD(offset)]! - value);
  }

  /** m/s, forward, over the ground on which it stands. */
  get speed(): number {
    return this.read(PublishedVehicle.speed);
  }

  /** 1/min, of the engine. */
  get rpm(): number {
    return RPM * this.read(PublishedVehicle.engineSpeed);
  }

  /** Of the steering wheel: −1 (right) to 1 (left). */
  get steering(): number {
    return this.read(PublishedVehicle.steering);
  }

  /** −1 reverse, 0 neutral. */
  get gear(): number {
    const { to } = this.link.view();
    const at = find(to, this.slot);
    return at < 0 ? 0 : to.words[at + FIELD(PublishedVehicle.gear)]!;
  }

  /** @internal */
  readWheel(index: number, field: number): number {
    const { from, to, fraction } = this.link.view();
    const place = VEHICLE_WORDS + index * WHEEL_WORDS + field;
    const at = find(to, this.slot);
    if (at < 0) return 0;
    const value = to.floats[at + place]!;
    const before = fraction < 1 ? find(from, this.slot) : -1;
    return before < 0 ? value : value + (1 - fraction) * (from.floats[before + place]! - value);
  }

  /** @internal rad: the shorter way round. */
  wheelAngle(index: number): number {
    const { from, to, fraction } = this.link.view();
    const place = VEHICLE_WORDS + index * WHEEL_WORDS + FIELD(PublishedWheel.angle);
    const at = find(to, this.slot);
    if (at < 0) return 0;
    const value = to.floats[at + place]!;
    const before = fraction < 1 ? find(from, this.slot) : -1;
    if (before < 0) return value;
    let way = value - from.floats[before + place]!;
    way -= TURN * Math.round(way / TURN);
    const angle = value - (1 - fraction) * way;
    return angle - TURN * Math.floor(angle / TURN);
  }

  /** @internal Slot of the body under a wheel plus one; 0 in the air. */
  wheelGround(index: number): number {
    const { to } = this.link.view();
    const at = find(to, this.slot);
    const place = VEHICLE_WORDS + index * WHEEL_WORDS + FIELD(PublishedWheel.ground);
    return at < 0 ? 0 : to.words[at + place]!;
  }
}

/** What the options of a vehicle depend on. */
function chassisOf(world: PhysicsWorld, body: WorldBody): Parameters<typeof encodeVehicle>[1] {
  const [x, y, z] = world.getGravity();
  const gravity = Math.sqrt(x * x + y * y + z * z);
  return {
    slot: body.id & MAX_SLOT,
    mass: body.mass,
    centerOfMass: body.getLocalCenterOfMass(),
    group: body.group,
    mask: body.mask,
    gravity: gravity > 0 ? gravity : 9.81,
  };
}

/**
 * Makes a vehicle of a body: a car with four wheels, a lorry, a tank. It is part of the world: stepped with it, in its
 * snapshots, hashes and recordings. See docs/vehicle.md.
 *
 * @param world  a World, or the client of a worker
 * @throws PhysicsError as a rejection: 'invalid-argument' for options out of range, a chassis that is not dynamic,
 *   without wheels; 'unknown-option'; 'stale-id' for a chassis that was removed
 */
export async function createVehicle(world: PhysicsWorld, options: VehicleOptions): Promise<Vehicle> {
  vehicleOptions(options);
  return vehicleIn(world, await world.actorLink(), options);
}

/** @internal The same at once, in a world whose actors are loaded. */
export function vehicleIn(world: PhysicsWorld, link: ActorLink, options: VehicleOptions): Vehicle {
  const given = vehicleOptions(options);
  const chassis = bodyOf(world, given['chassis']);
  if (chassis.type !== 'dynamic') throw invalid('chassis', 'must be a dynamic body', chassis.type);
  return new Vehicle(world, link, chassis, given, encodeVehicle(given, chassisOf(world, chassis)));
}

/**
 * As createVehicle, but at once, and in a World of this thread only: for the rules of a room and other code inside of a tick.
 * A chassis that has a vehicle already, as after a restore, keeps it as it is; `options` have to be those that it was made with.
 *
 * @throws PhysicsError 'invalid-argument', 'unknown-option', 'stale-id'; then nothing is made
 */
export function makeVehicle(world: World, options: VehicleOptions): Vehicle {
  const given = vehicleOptions(options);
  const link = world.actorLink();
  const chassis = bodyOf(world, given['chassis']);
  if (chassis.type !== 'dynamic') throw invalid('chassis', 'must be a dynamic body', chassis.type);
  const isThere = find(link.view().to, chassis.id & MAX_SLOT) >= 0;
  return new Vehicle(world, link, chassis, given, encodeVehicle(given, chassisOf(world, chassis)), isThere);
}

function bodyOf(world: PhysicsWorld, given: unknown): WorldBody {
  const id = typeof given === 'number' ? given : (given as WorldBody | undefined)?.id;
  if (typeof id !== 'number') throw invalid('chassis', 'must be a body or the id of one', given);
  const body = world.getBody(id);
  if (body === undefined) throw new PhysicsError('stale-id', 'is no body of this world', 'chassis', given);
  if (typeof given === 'object' && body !== given)
    throw new PhysicsError('foreign-id', 'belongs to another world', 'chassis', given);
  return body;
}
