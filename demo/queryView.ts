// In: the questions of a scene, asked in every frame. Out: lines for what they found: rays to their hits and the
// normals there, swept shapes where they stop, nearest points, outlines of what overlaps. Answers come from the
// worker a frame or so later; one batch is under way at a time.
import type { DistanceHit, OverlapHit, Query, RayHit } from 'ricochet';
import type { Physics } from 'ricochet/worker';
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  EdgesGeometry,
  LineBasicMaterial,
  LineSegments,
} from 'three';
import { surfaceOf } from './surfaces';

const COLORS = {
  miss: new Color('#9aa3a8'),
  hit: new Color('#d9572a'),
  normal: new Color('#20262e'),
  sweep: new Color('#2f8583'),
  nearest: new Color('#8a4a86'),
  overlap: new Color('#3f6491'),
};
/** Degrees: what is round has outlines at its rims only. */
const OUTLINE = 25;
const MOST_LINES = 20000;
const NORMAL = 0.35; // m

type Placed = { shape: Parameters<typeof surfaceOf>[0][number]; position: [number, number, number] };

export class QueryView {
  private readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly positions = new Float32Array(6 * MOST_LINES);
  private readonly colors = new Float32Array(6 * MOST_LINES);
  private readonly outlines = new Map<object, Float32Array>();
  private lines = 0;
  private asking = false;
  /** Answers drawn. */
  drawn = 0;

  constructor(
    private readonly physics: Physics,
    private readonly ask: (time: number) => Query<never>[],
    stage: { add(object: LineSegments): unknown },
  ) {
    const geometry = new BufferGeometry();
    for (const [name, array] of [
      ['position', this.positions],
      ['color', this.colors],
    ] as const)
      geometry.setAttribute(name, new BufferAttribute(array, 3).setUsage(DynamicDrawUsage));
    this.object = new LineSegments(
      geometry,
      new LineBasicMaterial({ vertexColors: true, toneMapped: false }),
    );
    this.object.frustumCulled = false;
    stage.add(this.object);
  }

  update(): void {
    if (this.asking) return;
    this.asking = true;
    const { physics } = this;
    const questions = this.ask(physics.stats.steps * physics.fixedTimeStep);
    physics
      .queryBatch(questions)
      .then(({ answers }) => this.draw(questions, answers as unknown[][]))
      .catch((error) => {
        if (error?.code !== 'disposed') throw error;
      })
      .finally(() => {
        this.asking = false;
      });
  }

  private draw(questions: Query<never>[], answers: unknown[][]): void {
    this.lines = 0;
    questions.forEach((question, i) => {
      const hits = answers[i]!;
      switch (question.type) {
        case 'ray': {
          const hit = hits[0] as RayHit | undefined;
          const from = question.from as number[];
          this.line(from, hit?.point ?? (question.to as number[]), hit ? COLORS.hit : COLORS.miss);
          if (hit) this.line(hit.point, along(hit.point, hit.normal, NORMAL), COLORS.normal);
          break;
        }
        case 'sweep': {
          const { shape, position } = question.target as Placed;
          const hit = hits[0] as RayHit | undefined;
          const end = along(position, question.delta as number[], hit?.fraction ?? 1);
          this.outline(shape, position, COLORS.miss);
          this.outline(shape, end, COLORS.sweep);
          this.line(position, end, COLORS.sweep);
          if (hit) this.line(hit.point, along(hit.point, hit.normal, 2 * NORMAL), COLORS.normal);
          break;
        }
        case 'nearest': {
          const { shape, position } = question.target as Placed;
          this.outline(shape, position, COLORS.nearest);
          for (const { pointA, pointB } of hits as DistanceHit[]) this.line(pointA, pointB, COLORS.nearest);
          break;
        }
        case 'overlap': {
          const { shape, position } = question.target as Placed;
          this.outline(shape, position, COLORS.overlap);
          for (const { body } of hits as OverlapHit[])
            if (body.type === 'dynamic') this.line(position, body.getPosition(), COLORS.overlap);
          break;
        }
      }
    });
    const { geometry } = this.object;
    geometry.setDrawRange(0, 2 * this.lines);
    for (const name of ['position', 'color']) geometry.getAttribute(name).needsUpdate = true;
    this.drawn++;
  }

  private outline(shape: Placed['shape'], place: readonly number[], color: Color): void {
    let edges = this.outlines.get(shape);
    if (edges === undefined) {
      const surface = surfaceOf([shape]) as BufferGeometry;
      edges = new EdgesGeometry(surface, OUTLINE).getAttribute('position').array as Float32Array;
      // A ball has no edges: three circles.
      if (edges.length === 0 && shape.type === 'sphere') edges = circles(shape.radius);
      this.outlines.set(shape, edges);
    }
    const [x, y, z] = place as [number, number, number];
    for (let i = 0; i < edges.length; i += 6)
      this.line(
        [edges[i]! + x, edges[i + 1]! + y, edges[i + 2]! + z],
        [edges[i + 3]! + x, edges[i + 4]! + y, edges[i + 5]! + z],
        color,
      );
  }

  private line(from: readonly number[], to: readonly number[], { r, g, b }: Color): void {
    if (this.lines === MOST_LINES) return;
    const at = 6 * this.lines++;
    for (let k = 0; k < 3; k++) {
      this.positions[at + k] = from[k]!;
      this.positions[at + 3 + k] = to[k]!;
    }
    this.colors.set([r, g, b, r, g, b], at);
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

const along = (from: readonly number[], way: readonly number[], length: number): number[] =>
  from.map((c, k) => c + length * way[k]!);

function circles(radius: number): Float32Array {
  const lines: number[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (let i = 0; i < 32; i++)
      for (const angle of [(Math.PI * i) / 16, (Math.PI * (i + 1)) / 16]) {
        const point = [0, 0, 0];
        point[(axis + 1) % 3] = radius * Math.cos(angle);
        point[(axis + 2) % 3] = radius * Math.sin(angle);
        lines.push(...point);
      }
  return Float32Array.from(lines);
}
