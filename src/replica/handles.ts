// The unique handle of each id, for a World and for the page's side of a worker. In: ids that are created and removed,
// restores that bring ids back or give them to another object. Out: handles. After a restore a body that existed in the
// snapshot has its handle again. An id that the snapshot does not contain can be given to another body; its old handle
// is then invalid.

import { PhysicsError } from '../base/errors';
import { MAX_SLOT } from '../base/ids';

export interface Handle {
  readonly id: number;
  /** True if another object has its id now. */
  isDead: boolean;
}

/** Handles of removed objects live as long as their user keeps them. Above this number, unused entries are removed. */
const FORMER_LIMIT = 1024;

export class Handles<H extends Handle> {
  /** By slot. */
  private current: (H | undefined)[] = [];
  /** Handles of removed ids, or of slots that another object has now. */
  private former = new Map<number, WeakRef<H>>();
  private limit = FORMER_LIMIT;

  constructor(
    private readonly make: (id: number) => H,
    private readonly isLive: (id: number) => boolean,
  ) {}

  /** Creates the handle of a new object. */
  create(id: number): H {
    this.renew(id);
    const handle = this.make(id);
    this.current[id & MAX_SLOT] = handle;
    return handle;
  }

  /** A new object has this id. */
  renew(id: number): void {
    const slot = id & MAX_SLOT;
    const before = this.current[slot];
    if (before !== undefined) {
      if (before.id === id) before.isDead = true;
      else this.park(before);
      this.current[slot] = undefined;
    }
    if (this.former.size === 0) return;
    const old = this.former.get(id)?.deref();
    if (old !== undefined) old.isDead = true;
    this.former.delete(id);
  }

  /** The handle of an id, also of a removed one. */
  of(id: number): H {
    const slot = id & MAX_SLOT;
    const here = this.current[slot];
    if (here?.id === id) return here;
    const handle = this.former.get(id)?.deref() ?? this.make(id);
    if (this.isLive(id)) {
      if (here !== undefined) this.park(here);
      this.former.delete(id);
      this.current[slot] = handle;
    } else this.park(handle);
    return handle;
  }

  private park(handle: H): void {
    this.former.set(handle.id, new WeakRef(handle));
    if (this.former.size <= this.limit) return;
    for (const [id, ref] of this.former) if (ref.deref() === undefined) this.former.delete(id);
    this.limit = Math.max(FORMER_LIMIT, 2 * this.former.size);
  }

  /** After a restore: other ids are alive now. */
  restored(): void {
    for (let slot = 0; slot < this.current.length; slot++) {
      const handle = this.current[slot];
      if (handle === undefined || this.isLive(handle.id)) continue;
      this.park(handle);
      this.current[slot] = undefined;
    }
    for (const [id, ref] of this.former) {
      if (!this.isLive(id)) continue;
      this.former.delete(id);
      const handle = ref.deref();
      if (handle !== undefined) this.current[id & MAX_SLOT] = handle;
    }
  }

  /** Saves the handles; returns a function that restores them. */
  save(): () => void {
    const current = [...this.current];
    const former = new Map(this.former);
    return () => {
      for (const handle of this.all()) handle.isDead = true;
      this.current = current;
      this.former = former;
      for (const handle of this.all()) handle.isDead = false;
    };
  }

  private *all(): Generator<H> {
    for (const handle of this.current) if (handle !== undefined) yield handle;
    for (const ref of this.former.values()) {
      const handle = ref.deref();
      if (handle !== undefined) yield handle;
    }
  }

  clear(): void {
    this.current = [];
    this.former.clear();
  }
}

/** Throws for a handle whose id belongs to another object. */
export function checkHandle({ id, isDead }: Handle, kind: 'body' | 'joint', argument: string = kind): void {
  if (isDead) throw new PhysicsError('stale-id', `is a ${kind} that was removed`, argument, id);
}
