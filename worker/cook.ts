// Cooking outside the page's tasks. In: a kind of geometry, its input, options of hulls. Out: content as in Geometry,
// in slices of a few milliseconds. Runs in the cooking worker, or in the page if there is none.

import type { PlainPhysicsError } from '../src/base/errors';
import { type DecompositionReport, decomposeSteps, readDecompositionOptions } from '../src/cooking/decompose';
import { geometryWords } from '../src/cooking/geometryWords';
import { cookHeightfieldWords } from '../src/cooking/heightfield';
import { cookHull } from '../src/cooking/hull';
import type { MeshReport } from '../src/cooking/mesh';
import { cookMeshSteps, readMeshOptions } from '../src/cooking/mesh';
import { SHAPE_HEIGHTFIELD, SHAPE_HULL, SHAPE_MESH } from '../src/core/memory/constants';

type CookKind = 'hull' | 'mesh' | 'heightfield' | 'decomposition';

export interface CookOrder {
  kind: CookKind;
  /** Points of a hull, otherwise the options of a mesh, heightfield or decomposition. */
  content: unknown;
  maxVertices?: number | undefined;
}

export interface CookedContent {
  /** SHAPE_* of the core. */
  kind: number;
  words: Int32Array;
  report?: MeshReport | undefined;
  /** For a hull: its centre of mass in the frame of its points. */
  center?: [number, number, number] | undefined;
}

/** The hulls of a decomposition. */
export interface CookedHulls {
  hulls: CookedContent[];
  report: DecompositionReport;
}

/** Message from the worker: progress, or the result. */
export type CookAnswer =
  | { share: number }
  | { cooked: CookedContent | CookedHulls }
  | { error: PlainPhysicsError };

/** Yields the finished share, 0…1. */
export function* cookSteps({
  kind,
  content,
  maxVertices,
}: CookOrder): Generator<number, CookedContent | CookedHulls> {
  switch (kind) {
    case 'hull': {
      const hull = cookHull(content, maxVertices === undefined ? {} : { maxVertices });
      return { kind: SHAPE_HULL, words: geometryWords(hull), center: hull.center };
    }
    case 'heightfield':
      return { kind: SHAPE_HEIGHTFIELD, words: cookHeightfieldWords(content) };
    case 'decomposition': {
      const { hulls, report } = yield* decomposeSteps(readDecompositionOptions(content));
      const cooked = hulls.map((hull) => ({
        kind: SHAPE_HULL,
        words: geometryWords(hull),
        center: hull.center,
      }));
      return { hulls: cooked, report };
    }
    case 'mesh': {
      const input = readMeshOptions(content);
      yield 0.02;
      const { words, report } = yield* cookMeshSteps(input);
      return { kind: SHAPE_MESH, words, report };
    }
  }
}
