// Ghost objects: nothing moves them, and they list the objects that overlap them. In: a shape and a transform. Out: the
// objects whose AABBs currently overlap its AABB, as in Bullet. Also as there, they stop dynamic bodies unless the flag
// CF_NO_CONTACT_RESPONSE is set.
import type { BodyType } from '../index';
import { btCollisionObject } from './collisionObject';
import { index } from './errors';

export class btGhostObject extends btCollisionObject {
  private _found: btCollisionObject[] = [];
  private _foundAt = -1;

  /** @internal Only the program moves it, whatever its flags are. */
  override get _type(): BodyType {
    return 'static';
  }

  /** Current after each step; a moved ghost is tested again with the next step. */
  private _overlapping(): btCollisionObject[] {
    const world = this._world;
    if (world === null || this._engine === null) return [];
    const state = world._poseCount + world._removals; // both only grow
    if (this._foundAt === state) return this._found;
    this._foundAt = state;
    const low = [0, 0, 0];
    const high = [0, 0, 0];
    this._engine.getAabb(low, high);
    const found = new Set<btCollisionObject>();
    if (low[0]! <= high[0]!)
      for (const { body } of world._engine.overlapTest(low, high, {
        group: this._group,
        mask: this._mask,
        skip: this._engine,
      }))
        found.add(body.userData as btCollisionObject);
    return (this._found = [...found]);
  }

  getNumOverlappingObjects(): number {
    return this._overlapping().length;
  }

  getOverlappingObject(i: number): btCollisionObject {
    const found = this._overlapping();
    return found[index(i, found.length, `${this.constructor.name}.getOverlappingObject`)]!;
  }
}

export class btPairCachingGhostObject extends btGhostObject {}
