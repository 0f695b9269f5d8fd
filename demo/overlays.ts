// In: line segments as the engine reports them. Out: one LineSegments object that shows them.
// Buffers grow by doubling and are filled in place; nothing is allocated while the number is steady.

import type { DebugLines } from 'ricochet';
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  LineBasicMaterial,
  LineSegments,
  Sphere,
  Vector3,
} from 'three';

export class LineOverlay {
  readonly object: LineSegments;
  private capacity = 0;

  constructor() {
    const material = new LineBasicMaterial({
      vertexColors: true,
      fog: false,
      transparent: true,
      opacity: 0.9,
    });
    this.object = new LineSegments(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.visible = false;
  }

  show({ count, positions, colors }: DebugLines): void {
    this.object.visible = count > 0;
    if (count === 0) return;
    if (count > this.capacity) this.grow(count);
    const { geometry } = this.object;
    const position = geometry.getAttribute('position') as BufferAttribute;
    const color = geometry.getAttribute('color') as BufferAttribute;
    (position.array as Float32Array).set(positions.subarray(0, 6 * count));
    const bytes = color.array as Uint8Array;
    for (let i = 0, at = 0; i < count; i++) {
      const rgb = colors[i]!;
      for (let end = 0; end < 2; end++) {
        bytes[at++] = rgb >> 16;
        bytes[at++] = rgb >> 8;
        bytes[at++] = rgb;
      }
    }
    position.needsUpdate = true;
    color.needsUpdate = true;
    geometry.setDrawRange(0, 2 * count);
  }

  hide(): void {
    this.object.visible = false;
  }

  private grow(count: number): void {
    this.capacity = Math.max(1024, 2 * this.capacity, count);
    this.object.geometry.dispose();
    const geometry = new BufferGeometry();
    const vertices = 2 * this.capacity;
    geometry.setAttribute(
      'position',
      new BufferAttribute(new Float32Array(3 * vertices), 3).setUsage(DynamicDrawUsage),
    );
    geometry.setAttribute(
      'color',
      new BufferAttribute(new Uint8Array(3 * vertices), 3, true).setUsage(DynamicDrawUsage),
    );
    geometry.boundingSphere = new Sphere(new Vector3(), Number.POSITIVE_INFINITY);
    this.object.geometry = geometry;
  }
}
