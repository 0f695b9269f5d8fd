// The machine's test in this thread's core. In: nothing. Out: what it computes, and what it should.
import { CoreInstance } from '../wasm/instance';
import { type MakeCore, type SelfTest, testMachine } from './machineTest';

/** A core of this thread's. */
export const ownCore: MakeCore = (hooks) => new CoreInstance(hooks);

/**
 * Steps a world of 16 bodies for a second of simulated time (about 5 ms) and compares its state hash with the expected
 * one, which is the same on every machine. The result is cached: later calls cost nothing.
 *
 * @throws PhysicsError 'unsupported-host' without WebAssembly SIMD
 */
export function selfTest(): SelfTest {
  return testMachine(ownCore);
}
