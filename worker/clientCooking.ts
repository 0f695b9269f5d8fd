// Cooking of large shapes without blocking page or physics. In: the input of meshes, hulls and heightfields. Out:
// promises of geometry, cooked in a separate worker that starts when first needed.

import { PhysicsError } from '../src/base/errors';
import { checkFunction, checkOptions, invalid } from '../src/base/validate';
import type { DecompositionOptions } from '../src/cooking/decompose';
import type { Decomposition } from '../src/cooking/decomposition';
import type { Geometry } from '../src/cooking/geometries';
import type { HeightfieldOptions } from '../src/cooking/heightfield';
import type { HullOptions } from '../src/cooking/hull';
import type { MeshOptions } from '../src/cooking/mesh';
import type { Vec3Like } from '../src/types';
import { ClientBodies } from './clientBodies';
import type { ConnectOptions } from './connect';
import type { CookOrder } from './cook';
import type { CookControl, Kitchen } from './kitchen';

export abstract class ClientCooking extends ClientBodies {
  private kitchen: Promise<Kitchen> | null = null;
  protected abstract readonly cookingWorker: ConnectOptions['cookingWorker'];

  /**
   * A triangle mesh as cookMesh makes it, byte for byte, in the cooking worker: the page draws and the world
   * steps on meanwhile. What is given as typed arrays is copied fastest; it may be changed at once.
   *
   * @param control  `onProgress` hears the share that is done; `signal` calls it off at once
   * @throws PhysicsError as cookMesh, 'worker-lost', 'out-of-memory', 'disposed'; the signal's reason; all as rejections
   */
  cookMesh(options: MeshOptions, control: CookControl = {}): Promise<Geometry> {
    return this.cook({ kind: 'mesh', content: options }, control);
  }

  /** A grid of heights as cookHeightfield makes it; see cookMesh. */
  cookHeightfield(options: HeightfieldOptions, control: CookControl = {}): Promise<Geometry> {
    return this.cook({ kind: 'heightfield', content: options }, control);
  }

  /** A convex hull as cookHull makes it; see cookMesh. */
  cookHull(
    points: ArrayLike<number> | readonly Vec3Like[],
    { maxVertices, ...control }: HullOptions & CookControl = {},
  ): Promise<Geometry> {
    return this.cook({ kind: 'hull', content: points, maxVertices }, control);
  }

  /**
   * Hulls whose union keeps the shape of a mesh, as `decompose` of `ricochet/cooking` makes them, in the cooking worker;
   * see cookMesh.
   */
  decompose(options: DecompositionOptions, control: CookControl = {}): Promise<Decomposition> {
    return this.cook({ kind: 'decomposition', content: options }, control);
  }

  private async cook<Cooked extends Geometry | Decomposition>(
    order: CookOrder,
    control: CookControl,
  ): Promise<Cooked> {
    if (this.link.failure?.code === 'disposed') throw this.link.failure;
    const { onProgress, signal } = checkOptions(control, 'control', ['onProgress', 'signal']) as CookControl;
    if (onProgress !== undefined) checkFunction(onProgress, 'onProgress');
    if (signal !== undefined && !(signal instanceof AbortSignal))
      throw invalid('signal', 'must be an AbortSignal', signal);
    if (typeof order.content !== 'object' || order.content === null)
      throw invalid(order.kind === 'hull' ? 'points' : 'options', 'must be an object', order.content);
    this.kitchen ??= import('./kitchen').then(
      ({ Kitchen }) => new Kitchen(this.cookingWorker, this.link.transport === 'page' && !this.cookingWorker),
    );
    // The caller may change the input from now on, so copy it before the cooking queue is loaded.
    const kept = { ...order, content: copyOf(order.content) };
    return (await this.kitchen).cook(kept, { onProgress, signal }) as Promise<Cooked>;
  }

  protected closeKitchen(): void {
    void this.kitchen?.then((kitchen) => kitchen.close());
  }
}

/** A copy that can be transferred; for typed arrays only the part of their memory that they show. */
function copyOf(content: unknown): unknown {
  try {
    if (ArrayBuffer.isView(content)) return (content as Float32Array).slice();
    if (Array.isArray(content)) return structuredClone(content);
    const entries = Object.entries(content as object);
    return Object.fromEntries(
      entries.map(([key, value]) => [
        key,
        ArrayBuffer.isView(value) ? (value as Float32Array).slice() : structuredClone(value),
      ]),
    );
  } catch {
    throw new PhysicsError(
      'invalid-argument',
      'must be plain data: numbers, arrays, typed arrays',
      'options',
    );
  }
}
