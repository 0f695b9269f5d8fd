// Kinematic targets over several fixed steps. In: targets that were set before a call of stepSimulation. Out: one
// target per step in between, so that the body arrives at the end of the call with constant velocity: the difference
// over all its steps, as Bullet computes it from a motion state.

import { slerp } from '../base/math';
import { BODY_KINEMATIC, BODY_MOVED, BODY_TELEPORTED, BODY_TURNED } from '../core/memory/constants';
import type { Replica } from '../replica/replica';
import * as rows from '../wasm/core-commands';
import { Body, BodyPose } from '../wasm/core-layout';
import type { CoreInstance } from '../wasm/instance';

interface Way {
  slot: number;
  from: number[];
  to: number[];
  /** What was written last. */
  aim: number[];
}

export class KinematicTargets {
  private ways: Way[] = [];
  private steps = 1;

  constructor(
    private readonly instance: CoreInstance,
    private readonly replica: Replica,
  ) {}

  /** Finds the bodies that have a target and divides their ways by `steps`. */
  spread(steps: number): void {
    const { words, floats } = this.instance;
    this.steps = steps;
    this.ways = [];
    const bodies = this.instance.table('bodies');
    const poses = this.instance.table('poses');
    for (let slot = 1; slot < this.replica.bodies.slotEnd; slot++) {
      const at = bodies + slot * (Body.SIZE >> 2);
      if (words[at + (Body.type >> 2)] !== BODY_KINEMATIC) continue;
      if (this.replica.bodies.idAt(slot) === 0 || (words[at + (Body.flags >> 2)]! & BODY_MOVED) === 0)
        continue;
      const pose = poses + slot * (BodyPose.SIZE >> 2);
      const position = at + (Body.targetPosition >> 2);
      const rotation = at + (Body.targetRotation >> 2);
      this.ways.push({
        slot,
        from: [
          ...floats.subarray(pose + (BodyPose.px >> 2), pose + (BodyPose.px >> 2) + 3),
          ...floats.subarray(pose + (BodyPose.qx >> 2), pose + (BodyPose.qx >> 2) + 4),
        ],
        to: [...floats.subarray(position, position + 3), ...floats.subarray(rotation, rotation + 4)],
        aim: [],
      });
    }
  }

  /** Writes the targets of step `i` of the call, from 0; all commands before it have been applied. */
  aim(i: number): void {
    if (i > 0) this.ways = this.ways.filter((way) => this.goesOn(way));
    const fraction = (i + 1) / this.steps;
    for (const way of this.ways) {
      const { slot, from, to } = way;
      way.aim =
        fraction === 1
          ? to
          : [...between(from, to, fraction), ...slerp(from.slice(3), to.slice(3), fraction)];
      this.replica.writer.write(rows.setKinematicTarget, [slot, ...way.aim]);
    }
  }

  /**
   * Whether a body came to its target in the last step, and nothing was done with it since: whoever places it in a tick, or gives it a
   * velocity, another target or another type, ends its way.
   */
  private goesOn({ slot, aim }: Way): boolean {
    const { words, floats } = this.instance;
    const at = this.instance.table('bodies') + slot * (Body.SIZE >> 2);
    const flags = words[at + (Body.flags >> 2)]! & (BODY_TURNED | BODY_MOVED | BODY_TELEPORTED);
    const [position, rotation] = [at + (Body.targetPosition >> 2), at + (Body.targetRotation >> 2)];
    const target = [...floats.subarray(position, position + 3), ...floats.subarray(rotation, rotation + 4)];
    return flags === BODY_TURNED && aim.every((value, k) => Math.fround(value) === target[k]);
  }
}

const between = (from: number[], to: number[], fraction: number) =>
  [0, 1, 2].map((k) => from[k]! + (to[k]! - from[k]!) * fraction);
