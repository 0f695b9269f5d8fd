// The physics worker, half a second late.
await new Promise((resolve) => setTimeout(resolve, 500));
await import('../../worker/physics.worker');

export {};
