import { BlockMeta, Body, BodyPose, BodyVelocity, ContactBlock, ContactPointWide, ManifoldResult, Pair, Shape, World } from './memory/records';
export function recordSize(which: i32): usize {
  if (which == 0) return offsetof<World>();
  if (which == 1) return offsetof<Body>();
  if (which == 2) return offsetof<BodyVelocity>();
  if (which == 3) return offsetof<BodyPose>();
  if (which == 4) return offsetof<Shape>();
  if (which == 5) return offsetof<Pair>();
  if (which == 6) return offsetof<ContactBlock>();
  if (which == 7) return offsetof<BlockMeta>();
  if (which == 8) return offsetof<ContactPointWide>();
  if (which == 9) return offsetof<ManifoldResult>();
  return 0;
}
