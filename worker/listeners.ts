// Listeners of errors, updates and restarts. In: what happened, and errors thrown by listeners. Out: calls of all
// listeners; one that throws does not prevent the others from being called.
import type { PhysicsError } from '../src/base/errors';
import { checkFunction } from '../src/base/validate';

export class Listeners {
  private readonly errors = new Set<(error: PhysicsError) => void>();
  private readonly restarts = new Set<() => void>();
  /** A listener can occur several times, and is then called as often. Replaced, not changed: it may be iterated now. */
  private updates: readonly (() => void)[] = [];
  /** Errors thrown by listeners that were not reported yet. */
  private readonly thrown: unknown[] = [];

  onError(listener: (error: PhysicsError) => void): () => void {
    this.errors.add(checkFunction(listener, 'listener'));
    return () => this.errors.delete(listener);
  }

  onRestart(listener: () => void): () => void {
    this.restarts.add(checkFunction(listener, 'listener'));
    return () => this.restarts.delete(listener);
  }

  onUpdate(listener: () => void): () => void {
    this.updates = [...this.updates, checkFunction(listener, 'listener')];
    let ended = false;
    return () => {
      const at = ended ? -1 : this.updates.indexOf(listener);
      ended = true;
      this.updates = this.updates.filter((_, i) => i !== at);
    };
  }

  /** Reports an error. Without listeners it goes to the console, unless a call was `answered` with it. */
  report(error: PhysicsError, answered = false): void {
    if (this.errors.size === 0 && !answered) console.error(error);
    for (const listener of this.errors) {
      try {
        listener(error);
      } catch (another) {
        console.error(another);
      }
    }
  }

  /** Handles an error thrown by a listener: reported to error listeners, otherwise kept for takeThrown. */
  readonly failed = (error: unknown): void => {
    if (this.errors.size === 0) this.thrown.push(error);
    else this.report(error as PhysicsError);
  };

  updated(): void {
    const { updates } = this; // no copy: this is called in every frame
    for (const listener of updates)
      if (updates === this.updates || this.updates.includes(listener)) this.tell(listener);
  }

  restarted(): void {
    for (const listener of this.restarts) this.tell(listener);
    const [error] = this.thrown.splice(0);
    // The world still works: without error listeners the error goes to the console.
    if (error !== undefined) console.error(error);
  }

  private tell(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.failed(error);
    }
  }

  /** Throws the first unreported error of a listener. */
  throwFirst(): void {
    if (this.thrown.length === 0) return;
    const [error] = this.thrown.splice(0);
    throw error;
  }

  clear(): void {
    this.errors.clear();
    this.restarts.clear();
    this.updates = [];
  }
}
