// Engines by the names of the command line. Each is loaded only in the process that measures it.
import type { Engine } from './adapter';

export interface EngineEntry {
  /** Package whose version is reported; ricochet's own is the root package. */
  package: string;
  load(): Promise<{ engine: Engine }>;
  /** Its loader refuses anything but a browser, or cannot start its threads elsewhere. */
  wantsBrowser?: boolean;
}

export const engines: Record<string, EngineEntry> = {
  ricochet: { package: 'ricochet', load: () => import('./ricochet') },
  'rapier-simd': { package: '@dimforge/rapier3d-simd-compat', load: () => import('./rapier-simd') },
  rapier: { package: '@dimforge/rapier3d-compat', load: () => import('./rapier-plain') },
  jolt: { package: 'jolt-physics', load: () => import('./jolt'), wantsBrowser: true },
  havok: { package: '@babylonjs/havok', load: () => import('./havok') },
  physx: { package: 'physx-js-webidl', load: () => import('./physx'), wantsBrowser: true },
  ammo: { package: 'ammojs-typed', load: () => import('./ammo') },
  cannon: { package: 'cannon-es', load: () => import('./cannon') },
  crashcat: { package: 'crashcat', load: () => import('./crashcat') },
};
