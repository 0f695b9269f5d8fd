// Everything that is asked about a whole state. In: a core. Out: the answers of its inspector, whether the state agrees
// with a registry, and the reader of a registry's section. A worker loads this with its tools.
import { loadReplica } from '../replica/replicaState';
import { type Inspector, inspectorOf } from '../wasm/inspector';
import type { CoreInstance } from '../wasm/instance';
import { disagreement, type Known } from './agreement';

export interface Inspection extends Inspector {
  /** Null, or what the core's state and the registry's state do not agree about. */
  disagreement(known: Known): string | null;
  /** Reads the registry's section of a snapshot. */
  readonly loadReplica: typeof loadReplica;
}

/** The questions about one core. */
export function inspectionOf(instance: CoreInstance): Inspection {
  const inspector = inspectorOf(instance);
  const { findFault, readSnapshot, stateHash, stateDigest, allPairsBrute, currentPairs } = inspector;
  return {
    findFault,
    readSnapshot,
    stateHash,
    stateDigest,
    allPairsBrute,
    currentPairs,
    disagreement: (known) => disagreement(instance, known),
    loadReplica,
  };
}
