// What a step system may write. In: the registry of a running world, in this thread or in a worker. Out: a Replica over
// the same tables, whose calls move bodies and change nothing else.
//
// A worker's page knows its world only by its own calls: it gives out ids, and answers getters, without asking. What a
// system made or set beside it would be unknown there, so it is refused. Motion is different: pages read it from frames.

import { PhysicsError } from '../base/errors';
import type { BodyId } from '../base/ids';
import type { CommandWriter } from '../replica/commandWriter';
import type { Registry } from '../replica/registry';
import { Replica } from '../replica/replica';
import type { CommandRow } from '../wasm/commandRow';
import { applyForce, applyTorque } from '../wasm/core-commands';

/** Words that one call of a system may write: 20,000 bodies are steered by a tenth of them. */
const MOST_WORDS = 1 << 21;

/** Calls that only a page or the owner of a World may make. */
export const REFUSED = [
  'createBody',
  'createBodies',
  'createBodiesAt',
  'removeBody',
  'addShape',
  'removeShape',
  'updateShape',
  'createJoint',
  'removeJoint',
  'setJointAxis',
  'setServoTargets',
  'setJointSwing',
  'changeJointAxis',
  'setJointFrames',
  'setJointTarget',
  'setJointEnabled',
  'setJointCollide',
  'setJointBreaking',
  'setJointRatio',
  'setJointSoftness',
  'setJointErp',
  'setMass',
  'updateMassProps',
  'setType',
  'setDamping',
  'setGravityScale',
  'setLinearFactor',
  'setAngularFactor',
  'setSleepingThresholds',
  'setActivationState',
  'setFilter',
  'setUserIndex',
  'setCcd',
  'setShapeMaterial',
  'setMaterial',
  'setGravity',
  'updateSettings',
  'clearForces',
  'step',
] as const satisfies readonly (keyof Replica)[];

/** Hears of what a system writes. */
export interface SystemWrites {
  /** A force or torque is about to be written. Throws where none may be. */
  force(): void;
}

/** Counts what is written on the way to the world's own writer. */
class MeteredWriter {
  /** Words that may still be written. */
  left = MOST_WORDS;

  constructor(private readonly registry: Registry) {}

  get written(): number {
    return this.registry.writer.written;
  }

  get length(): number {
    return this.registry.writer.length;
  }

  write(command: CommandRow, values: ArrayLike<number>): number {
    this.left -= command.totalWords;
    if (this.left < 0)
      throw new PhysicsError(
        'limit-exceeded',
        `a step system wrote more than ${MOST_WORDS} words in one call`,
      );
    return this.registry.writer.write(command, values);
  }
}

/** The calls that move bodies, over the tables of another registry. Made by `replicaForSystems`. */
export class SystemReplica extends Replica {
  declare private readonly writes: SystemWrites;
  declare private readonly meter: MeteredWriter;

  /** A call of a system begins. */
  begin(): void {
    this.meter.left = MOST_WORDS;
  }

  /** The call that has just returned wrote too much, whether it has noticed or not. */
  get isFlooded(): boolean {
    return this.meter.left < 0;
  }

  override writeVector(...args: Parameters<Replica['writeVector']>): void {
    if (args[0] === applyForce || args[0] === applyTorque) this.writes.force();
    super.writeVector(...args);
  }

  protected override forceWritten(_id: BodyId, _at: number): void {
    this.hasForces = true;
  }
}

for (const name of REFUSED)
  Object.defineProperty(SystemReplica.prototype, name, {
    value: () => {
      throw new PhysicsError(
        'unsupported',
        'is not for step systems, which move bodies and change nothing else: call it where the world was made',
        name,
      );
    },
  });

export function replicaForSystems(registry: Registry, writes: SystemWrites): SystemReplica {
  const tables = registry as unknown as Record<string, unknown>;
  // No constructor: it would begin a world of its own. A restore replaces tables, so each is read where it is.
  const replica = Object.create(SystemReplica.prototype) as SystemReplica;
  const meter = new MeteredWriter(registry);
  const own = { writer: meter as unknown as CommandWriter, meter, writes };
  Object.assign(replica, own);
  for (const name of Object.keys(registry) as (keyof Registry)[])
    if (!(name in own))
      Object.defineProperty(replica, name, {
        get: () => tables[name],
        set: (value) => {
          tables[name] = value;
        },
      });
  return replica;
}
