// The game's pieces, drawn: a mesh for each, that follows its body. In: things that come and go. Out: meshes, puffs of
// smoke where something exploded.

import { type Binding, bind } from 'ricochet/three';
import type { Physics, PhysicsBody } from 'ricochet/worker';
import { Color, Mesh, MeshBasicMaterial, type Scene, SphereGeometry } from 'three';
import { boxSolid, SolidMesh, sphereSolid } from '../solids';
import type { Thing } from './game';

const COLORS: Record<Thing['made'], string> = {
  ground: '#b9b5aa',
  stone: '#a8adb2',
  wood: '#c08a52',
  gold: '#f0b429',
  powder: '#c8402c',
  ball: '#20262e',
  bomb: '#5b3042',
};

/** s */
const SMOKE = 0.7;

export class View {
  private readonly drawn = new Map<Thing, { mesh: SolidMesh; binding: Binding }>();
  private readonly puffs: { mesh: Mesh<SphereGeometry, MeshBasicMaterial>; age: number }[] = [];
  private readonly puff = new SphereGeometry(1, 20, 14);

  constructor(
    private readonly physics: Physics,
    private readonly scene: Scene,
  ) {}

  add(thing: Thing): void {
    const { halfExtents, radius, made } = thing;
    const solid =
      halfExtents !== undefined ? boxSolid(halfExtents) : radius !== undefined ? sphereSolid(radius) : null;
    if (solid === null) return; // the plane is the stage's ground
    const mesh = new SolidMesh(solid.kind, 1);
    const shade = 0.93 + 0.14 * (((this.drawn.size * 7919) % 17) / 17);
    mesh.addSolid(solid, new Color(COLORS[made]).multiplyScalar(made === 'gold' ? 1 : shade));
    const binding = bind(this.physics, mesh, [thing.body as PhysicsBody]);
    this.scene.add(mesh);
    this.drawn.set(thing, { mesh, binding });
  }

  remove(thing: Thing): void {
    const known = this.drawn.get(thing);
    if (known === undefined) return;
    this.drawn.delete(thing);
    known.binding.unbind();
    known.mesh.removeFromParent();
    known.mesh.dispose();
  }

  smoke(at: readonly [number, number, number]): void {
    const material = new MeshBasicMaterial({ color: '#ffb36b', transparent: true, depthWrite: false });
    const mesh = new Mesh(this.puff, material);
    mesh.position.fromArray(at);
    this.scene.add(mesh);
    this.puffs.push({ mesh, age: 0 });
  }

  /** @param seconds  since the last frame */
  update(seconds: number): void {
    for (const puff of [...this.puffs]) {
      puff.age += seconds;
      const share = puff.age / SMOKE;
      puff.mesh.scale.setScalar(0.5 + 3 * Math.sqrt(Math.min(1, share)));
      puff.mesh.material.opacity = 0.75 * Math.max(0, 1 - share);
      if (share < 1) continue;
      puff.mesh.removeFromParent();
      puff.mesh.material.dispose();
      this.puffs.splice(this.puffs.indexOf(puff), 1);
    }
  }
}
