// The error that a call is refused with. In: a call. Out: its PhysicsError; anything else fails the test.
import { PhysicsError } from '../../src/index';

export function caught(run: () => unknown): PhysicsError {
  try {
    run();
  } catch (error) {
    if (error instanceof PhysicsError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
