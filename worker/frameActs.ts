// Commands that are held back until the end of the page's frame while the clock runs. In: commands of forces and
// kinematic targets, as they were written. Out: the same commands, written together, without those of removed bodies.

import { type BodyId, MAX_SLOT } from '../src/base/ids';
import { BODY_KINEMATIC } from '../src/core/memory/constants';
import { CommandWriter } from '../src/replica/commandWriter';
import type { Replica } from '../src/replica/replica';

/** Commands, each with the id of its body. */
class Acts {
  readonly writer = new CommandWriter(64);
  readonly ids: BodyId[] = [];

  add(id: BodyId, command: Int32Array): void {
    this.ids.push(id);
    this.writer.append(command);
  }

  clear(): void {
    this.ids.length = 0;
    this.writer.clear();
  }
}

export class FrameActs {
  private readonly forces = new Acts();
  private readonly targets = new Acts();
  /** Index of a body's command in `targets`. */
  private readonly targetOf = new Map<BodyId, number>();
  private waitForces = false;
  private waitTargets = false;

  constructor(private readonly replica: Replica) {}

  /** Selects which of the two are held back from now on. */
  stage(forces: boolean, targets: boolean): void {
    this.waitForces = forces;
    this.waitTargets = targets;
  }

  get isWaiting(): boolean {
    return this.forces.ids.length > 0 || this.targets.ids.length > 0;
  }

  get hasForces(): boolean {
    return this.forces.ids.length > 0;
  }

  /** Takes the command at word `from` of the replica's writer if it must be held back. */
  takeForce(id: BodyId, from: number): boolean {
    if (!this.waitForces) return false;
    this.forces.add(id, this.replica.writer.cut(from));
    return true;
  }

  /** Only the last target of a frame counts. */
  takeTarget(id: BodyId, from: number): void {
    if (!this.waitTargets) return;
    this.forgetTarget(id);
    this.targetOf.set(id, this.targets.ids.length);
    this.targets.add(id, this.replica.writer.cut(from));
  }

  forgetTarget(id: BodyId): void {
    const at = this.targetOf.get(id);
    if (at === undefined) return;
    this.targets.ids[at] = 0;
    this.targetOf.delete(id);
  }

  writeForces(): void {
    const { replica } = this;
    this.write(this.forces, (id) => replica.bodies.isLive(id));
    replica.hasForces = true;
  }

  writeTargets(): void {
    if (this.targets.ids.length === 0) return;
    const { bodies, bodyRecords } = this.replica;
    this.write(
      this.targets,
      (id) => bodies.isLive(id) && bodyRecords[id & MAX_SLOT]?.type === BODY_KINEMATIC,
    );
    this.targetOf.clear();
  }

  private write(acts: Acts, isWanted: (id: BodyId) => boolean): void {
    if (acts.ids.length === 0) return;
    const words = acts.writer.view();
    let at = 0;
    for (const id of acts.ids) {
      const end = at + ((words[at] as number) >>> 8);
      if (id !== 0 && isWanted(id)) this.replica.writer.append(words.subarray(at, end));
      at = end;
    }
    acts.clear();
  }

  clear(): void {
    this.forces.clear();
    this.targets.clear();
    this.targetOf.clear();
  }
}
