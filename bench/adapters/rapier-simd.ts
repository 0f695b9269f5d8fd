import { createRapierEngine } from './rapier';

export const engine = createRapierEngine(
  async () => (await import('@dimforge/rapier3d-simd-compat')).default,
);
