import type RAPIER from '@dimforge/rapier3d-simd-compat';
import { createRapierEngine } from './rapier';

export const engine = createRapierEngine(
  async () => (await import('@dimforge/rapier3d-compat')).default as unknown as typeof RAPIER,
);
