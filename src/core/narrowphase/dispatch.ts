// Contact between two shapes of any types. In: two shapes with current world poses. Out: a manifold.
import { ManifoldResult, Shape } from '../memory/records';

export function collideShapes(a: Shape, b: Shape, maxSeparation: f32, cache: i32, out: ManifoldResult): void {
  out.count = 0;
  out.cache = cache;
}
