// Debug lines in three.js. In: the engine's debug lines, from a worker or a World. Out: one LineSegments. Attributes
// grow by doubling and are filled in place.
import type { DebugLines, DebugLinesOptions } from 'ricochet';
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  LineBasicMaterial,
  LineSegments,
} from 'three';

/** What is asked of a world in process … */
interface LocalWorld {
  debugLines(options?: DebugLinesOptions, out?: DebugLines): DebugLines;
}
/** … and of one in a worker, whose frames carry the lines while it is told to. */
interface RemoteWorld {
  readonly debugLines: DebugLines;
  setDebug(options: DebugLinesOptions | null): void;
  onUpdate(listener: () => void): () => void;
}

/** Colours are few: by state, or by island. Beyond this many, memory is the greater cost. */
const CACHE_LIMIT = 4096;

/**
 * Draws shapes, bounding boxes and contacts as lines. Add it to the scene. A world in a worker updates it in its own
 * `update`; for a `World`, call `update` after stepping.
 */
export class PhysicsLines extends LineSegments<BufferGeometry, LineBasicMaterial> {
  private options: DebugLinesOptions;
  private lines: DebugLines | undefined;
  private capacity = 0;
  private readonly end: () => void = () => {};
  private readonly linear = new Map<number, readonly [number, number, number]>();
  private readonly color = new Color();

  /** Lines of a world, to add to a scene. */
  constructor(
    private readonly world: LocalWorld | RemoteWorld,
    options: DebugLinesOptions = {},
  ) {
    super(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, fog: false, toneMapped: false }));
    this.frustumCulled = false;
    this.options = options;
    if ('setDebug' in world) {
      world.setDebug(options);
      this.end = world.onUpdate(() => this.update());
    }
    this.update();
  }

  /** Changes which lines are shown. */
  setOptions(options: DebugLinesOptions): void {
    this.options = options;
    if ('setDebug' in this.world) this.world.setDebug(options);
  }

  /** Updates the lines to the current state; call it each frame. */
  update(): void {
    const { world } = this;
    if ('setDebug' in world) this.show(world.debugLines);
    else this.show((this.lines = world.debugLines(this.options, this.lines)));
  }

  private show({ count, positions, colors }: DebugLines): void {
    if (count > this.capacity) this.grow(count);
    this.geometry.setDrawRange(0, 2 * count);
    if (count === 0) return;
    const position = this.geometry.getAttribute('position') as BufferAttribute;
    const color = this.geometry.getAttribute('color') as BufferAttribute;
    (position.array as Float32Array).set(positions.subarray(0, 6 * count));
    const rgb = color.array as Float32Array;
    for (let i = 0, at = 0; i < count; i++) {
      const [r, g, b] = this.linearOf(colors[i]!);
      for (let end = 0; end < 2; end++) {
        rgb[at++] = r;
        rgb[at++] = g;
        rgb[at++] = b;
      }
    }
    position.needsUpdate = true;
    color.needsUpdate = true;
  }

  /** 0xRRGGBB is sRGB, vertex colours are in three's working colour space. */
  private linearOf(hex: number): readonly [number, number, number] {
    let rgb = this.linear.get(hex);
    if (rgb === undefined) {
      if (this.linear.size > CACHE_LIMIT) this.linear.clear();
      const { r, g, b } = this.color.setHex(hex);
      rgb = [r, g, b];
      this.linear.set(hex, rgb);
    }
    return rgb;
  }

  private grow(count: number): void {
    this.capacity = Math.max(1024, 2 * this.capacity, count);
    this.geometry.dispose(); // the renderer cannot resize a buffer in place
    for (const name of ['position', 'color']) {
      const attribute = new BufferAttribute(new Float32Array(6 * this.capacity), 3);
      this.geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
    }
  }

  /** Stops drawing, and frees the renderer's resources. */
  override dispose(): void {
    this.end();
    if ('setDebug' in this.world) this.world.setDebug(null);
    this.removeFromParent();
    this.geometry.dispose();
    this.material.dispose();
  }
}
