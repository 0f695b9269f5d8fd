// Kinematic targets over several fixed steps. In: targets that were set before a call of stepSimulation. Out: one
// target per step in between, so that the body arrives at the end of the call with constant velocity: the difference
// over all its steps, as Bullet computes it from a motion state.

import { slerp } from '../base/math';
import { BODY_KINEMATIC, BODY_MOVED } from '../core/memory/constants';
import type { Replica } from '../replica/replica';
import * as rows from '../wasm/core-commands';
import { Body, BodyPose } from '../wasm/core-layout';
import type { CoreInstance } from '../wasm/instance';

interface Way {
  slot: number;
  from: number[];
  to: number[];
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
      });
    }
  }

  /** Writes the targets of step `i` of the call, from 0. */
  aim(i: number): void {
    const fraction = (i + 1) / this.steps;
    for (const { slot, from, to } of this.ways) {
      const values = [slot];
      for (let k = 0; k < 3; k++)
        values.push(fraction === 1 ? to[k]! : from[k]! + (to[k]! - from[k]!) * fraction);
      values.push(...(fraction === 1 ? to.slice(3) : slerp(from.slice(3), to.slice(3), fraction)));
      this.replica.writer.write(rows.setKinematicTarget, values);
    }
  }
}
