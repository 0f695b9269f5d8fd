// What is seen of a room: a mesh for each body, where the client draws it. In: a RoomClient. Out: meshes in a scene.
import type { RigidBody, World } from 'ricochet';
import type { RoomClient } from 'ricochet/net';
import type { Vehicle } from 'ricochet/vehicle';
import {
  BoxGeometry,
  type BufferGeometry,
  Color,
  CylinderGeometry,
  Float32BufferAttribute,
  Mesh,
  MeshStandardMaterial,
  Object3D,
  SphereGeometry,
} from 'three';
import { CRATE, isCar, PLAYER, THROWN, vehicleOf, WHEELS } from './arena';
import { pigment, resting, STATIC } from './palette';

/** A ball whose turning is seen: stripes along its meridians. */
function stripedBall(): BufferGeometry {
  const geometry = new SphereGeometry(1, 32, 20);
  const colors: number[] = [];
  const uv = geometry.getAttribute('uv');
  for (let i = 0; i < uv.count; i++) {
    const shade = Math.floor(uv.getX(i) * 8 + 0.01) % 2 === 0 ? 1 : 0.62;
    colors.push(shade, shade, shade);
  }
  geometry.setAttribute('color', new Float32BufferAttribute(colors, 3));
  return geometry;
}

const BALL = stripedBall();
const BOX = new BoxGeometry(2, 2, 2);

/** A wheel of radius 1 about x. */
const WHEEL = new CylinderGeometry(1, 1, 0.7, 24).rotateZ(Math.PI / 2);
const HUB = new BoxGeometry(0.74, 1.3, 0.3);
const RUBBER = new MeshStandardMaterial({ color: 0x2b2b2e, roughness: 0.9 });

/** The wheels and the cabin of a car, which are no bodies. */
class CarView {
  private readonly wheels: Object3D[];
  private readonly vehicle: Vehicle;

  constructor(world: World, chassis: RigidBody, parent: Object3D, material: MeshStandardMaterial) {
    this.vehicle = vehicleOf(world, chassis);
    this.wheels = WHEELS.map(({ radius }) => {
      const steered = new Object3D();
      const wheel = new Mesh(WHEEL, RUBBER);
      wheel.add(new Mesh(HUB, material));
      wheel.scale.setScalar(radius);
      wheel.castShadow = true;
      steered.add(wheel);
      return steered;
    });
    parent.add(...this.wheels);
    for (const [y, z, height, length] of [
      [0.26, -0.16, 0.12, 0.34],
      [0.06, 0.1, 0.08, 0.6],
    ] as const) {
      const part = new Mesh(BOX, material);
      part.position.set(0, y, z);
      part.scale.set(0.28, height, length);
      part.castShadow = true;
      parent.add(part);
    }
  }

  update(): void {
    for (const [i, steered] of this.wheels.entries()) {
      const { compression, steerAngle, rotation } = this.vehicle.wheels[i]!;
      const [x, y, z] = WHEELS[i]!.position;
      steered.position.set(x, y + compression, z);
      steered.rotation.y = steerAngle;
      steered.children[0]!.rotation.x = rotation;
    }
  }
}

interface Shown {
  object: Object3D;
  material: MeshStandardMaterial;
  color: Color;
  car: CarView | null;
  stamp: number;
}

export const colorOf = (player: number) => pigment(player);

export class RoomView {
  /** By id and meaning: an id may mean another body when the past is put right. */
  private readonly shown = new Map<string, Shown>();
  private readonly pose = new Float32Array(7);
  private readonly color = new Color();
  private stamp = 0;

  constructor(private readonly parent: Object3D) {}

  private make(world: World, body: RigidBody): Shown | null {
    const info = body.getShape(body.shapes[0]!);
    if (info.type !== 'sphere' && info.type !== 'box') return null;
    const { userIndex } = body;
    const isBall = info.type === 'sphere';
    const owner = userIndex >= THROWN && userIndex < CRATE ? userIndex - THROWN : userIndex - PLAYER;
    const isOwned = body.type !== 'static' && userIndex < CRATE;
    const color = body.type === 'static' ? STATIC : isOwned ? colorOf(owner) : pigment(userIndex - CRATE);
    const material = new MeshStandardMaterial({ color, roughness: 0.75, vertexColors: isBall });
    const mesh = new Mesh<BufferGeometry, MeshStandardMaterial>(isBall ? BALL : BOX, material);
    const [a, b, c] = info.params as readonly number[];
    mesh.scale.set(a!, isBall ? a! : b!, isBall ? a! : c!);
    mesh.castShadow = mesh.receiveShadow = true;
    const object = new Object3D();
    object.add(mesh);
    this.parent.add(object);
    const car = isOwned && isCar(body) ? new CarView(world, body, object, material) : null;
    if (car !== null) mesh.scale.y *= 0.6;
    return { object, material, color, car, stamp: 0 };
  }

  /** Once per frame. */
  update(client: RoomClient): void {
    this.stamp++;
    for (const body of client.world.bodies()) {
      // The ball and the car of a player are two bodies, which may have the same id.
      const key = `${body.id} ${body.userIndex} ${body.mass}`;
      let shown = this.shown.get(key);
      if (shown === undefined) {
        const made = this.make(client.world, body);
        if (made === null) continue;
        shown = made;
        this.shown.set(key, shown);
      }
      const [x, y, z, i, j, k, w] = client.drawnPose(body, this.pose);
      const { object, material, color } = shown;
      object.position.set(x!, y!, z!);
      object.quaternion.set(i!, j!, k!, w!);
      shown.stamp = this.stamp;
      shown.car?.update();
      if (body.userIndex >= CRATE) material.color.copy(body.isActive() ? color : resting(color, this.color));
    }
    for (const [key, { object, material, stamp }] of this.shown)
      if (stamp !== this.stamp) {
        object.removeFromParent();
        material.dispose();
        this.shown.delete(key);
      }
  }
}
