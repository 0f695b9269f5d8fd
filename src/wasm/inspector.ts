// Questions about a core's whole state. In: a core. Out: its hash, its digest, its fault. A separate module that works
// on the core's memory: a worker loads it when it is first asked such a question, or restores a snapshot.
import { bytesOf } from './core-module';
import { INSPECTOR_WASM } from './inspector-wasm';
import type { CoreInstance } from './instance';

/** What it answers about one core. */
export interface Inspector {
  /** 0, or the number of a fault (core/state/sound.ts). May trap on a fault. */
  findFault(): number;
  /** 0, or why the snapshot was refused; 4: and the world is lost. */
  readSnapshot(address: number, bytes: number): number;
  stateHash(): bigint;
  /** Six words into the query output: see core/state/digest.ts. */
  stateDigest(): void;
  /** Pairs of shape slots into the query output, and their number: those that there should be, and those that there are. */
  allPairsBrute(): number;
  currentPairs(): number;
}

let compiled: WebAssembly.Module | undefined;

/** The inspector of one core. */
export function inspectorOf({ core, imports }: CoreInstance): Inspector {
  if (core.findFault !== undefined) return core as unknown as Inspector;
  compiled ??= new WebAssembly.Module(bytesOf(INSPECTOR_WASM));
  const { exports } = new WebAssembly.Instance(compiled, { env: imports });
  return exports as unknown as Inspector;
}
