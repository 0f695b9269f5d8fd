// Trails behind fast bodies. In: where they are in each frame. Out: lines for the latest parts of their ways.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments } from 'three';
import type { Session } from './session';

/** Bodies with trails, spread over all that are watched, and parts of each trail. */
const TRAILS = 96;
const PARTS = 48;
const COLOR = [0.79, 0.34, 0.24] as const;

/** The latest parts of the ways of some bodies: two points each, fading with age. */
export class Trails {
  private readonly positions = new Float32Array(TRAILS * PARTS * 6);
  private readonly colors = new Float32Array(TRAILS * PARTS * 8);
  private readonly last = new Float32Array(TRAILS * 3).fill(Number.NaN);
  private readonly geometry = new BufferGeometry();
  readonly lines: LineSegments;
  private part = 0;

  constructor() {
    this.geometry.setAttribute('position', new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute('color', new BufferAttribute(this.colors, 4).setUsage(DynamicDrawUsage));
    const material = new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
    this.lines = new LineSegments(this.geometry, material);
    this.lines.frustumCulled = false;
  }

  /** All ways of this moment: `place` tells where trail i is now, or null. */
  add(place: (i: number) => ArrayLike<number> | null): void {
    const { positions, colors, last, part } = this;
    for (let i = 0; i < colors.length; i += 4) colors[i + 3]! *= 0.95;
    let moved = false;
    for (let i = 0; i < TRAILS; i++) {
      const at = (i * PARTS + part) * 6;
      const now = place(i);
      positions.fill(0, at, at + 6);
      if (now === null) continue;
      for (let k = 0; k < 3; k++) {
        const before = last[3 * i + k]!;
        if (before !== now[k]!) moved = true;
        positions[at + k] = Number.isNaN(before) ? now[k]! : before;
        positions[at + 3 + k] = now[k]!;
        last[3 * i + k] = now[k]!;
      }
      for (let end = 0; end < 2; end++) colors.set([...COLOR, 0.9], (i * PARTS + part) * 8 + 4 * end);
    }
    if (moved) this.part = (part + 1) % PARTS;
    this.geometry.attributes['position']!.needsUpdate = true;
    this.geometry.attributes['color']!.needsUpdate = true;
  }

  dispose(): void {
    this.lines.removeFromParent();
    this.geometry.dispose();
    (this.lines.material as LineBasicMaterial).dispose();
  }
}

/** For Trails: the bodies that a scene about continuous collision watches, evenly chosen if they are many. */
export function trailPlaces({ scene, bodies }: Session): (i: number) => ArrayLike<number> | null {
  const first = scene.passage?.first ?? bodies.length;
  const watched = bodies.length - first;
  const stride = Math.max(1, Math.floor(watched / TRAILS));
  return (i) => (i * stride < watched ? bodies[first + i * stride]!.getPosition() : null);
}
