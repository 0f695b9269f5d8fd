// What is seen of a room: a mesh for each body, where the client draws it. In: a RoomClient. Out: meshes in a scene.
import type { RigidBody } from 'ricochet';
import type { RoomClient } from 'ricochet/net';
import {
  BoxGeometry,
  type BufferGeometry,
  Color,
  Float32BufferAttribute,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  SphereGeometry,
} from 'three';
import { CRATE, PLAYER, THROWN } from './arena';
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

export const colorOf = (player: number) => pigment(player);

export class RoomView {
  /** By id and meaning: an id may mean another body when the past is put right. */
  private readonly meshes = new Map<string, Mesh<BufferGeometry, MeshStandardMaterial>>();
  private readonly pose = new Float32Array(7);
  private readonly color = new Color();
  private stamp = 0;

  constructor(private readonly parent: Object3D) {}

  private make(body: RigidBody): Mesh<BufferGeometry, MeshStandardMaterial> | null {
    const info = body.getShape(body.shapes[0]!);
    if (info.type !== 'sphere' && info.type !== 'box') return null;
    const { userIndex } = body;
    const isBall = info.type === 'sphere';
    const owner = userIndex >= THROWN && userIndex < CRATE ? userIndex - THROWN : userIndex - PLAYER;
    const color = body.type === 'static' ? STATIC : isBall ? colorOf(owner) : pigment(userIndex - CRATE);
    const material = new MeshStandardMaterial({ color, roughness: 0.75, vertexColors: isBall });
    const mesh = new Mesh(isBall ? BALL : BOX, material);
    const [a, b, c] = info.params as readonly number[];
    mesh.scale.set(a!, isBall ? a! : b!, isBall ? a! : c!);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.userData['color'] = color;
    this.parent.add(mesh);
    return mesh;
  }

  /** Once per frame. */
  update(client: RoomClient): void {
    this.stamp++;
    for (const body of client.world.bodies()) {
      const key = `${body.id} ${body.userIndex}`;
      let mesh = this.meshes.get(key);
      if (mesh === undefined) {
        const made = this.make(body);
        if (made === null) continue;
        mesh = made;
        this.meshes.set(key, mesh);
      }
      const [x, y, z, i, j, k, w] = client.drawnPose(body, this.pose);
      mesh.position.set(x!, y!, z!);
      mesh.quaternion.set(i!, j!, k!, w!);
      mesh.userData['stamp'] = this.stamp;
      const color = mesh.userData['color'] as Color;
      if (body.userIndex >= CRATE)
        mesh.material.color.copy(body.isActive() ? color : resting(color, this.color));
    }
    for (const [key, mesh] of this.meshes)
      if (mesh.userData['stamp'] !== this.stamp) {
        mesh.removeFromParent();
        mesh.material.dispose();
        this.meshes.delete(key);
      }
  }
}
