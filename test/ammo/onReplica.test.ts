// The tests of clients once more, on the profile that copies Bullet 2.82: `Ammo({ profile: 'bullet282' })`. Those that a
// profile can hardly touch only with `AMMO_LONG=1`.
import { describe } from 'vitest';
import { testOn } from './engines';

testOn('bullet282');
const LONG: Record<string, () => Promise<unknown>> = {
  character: () => import('./character.test'),
  continuous: () => import('./continuous.test'),
  debugger: () => import('./clients/debugger.test'),
  upstream: () => import('./upstream.test'),
};
const FILES: Record<string, () => Promise<unknown>> = {
  ...(process.env['AMMO_LONG'] !== undefined && LONG),
  joints: () => import('./joints.test'),
  programs: () => import('./programs.test'),
  vehicle: () => import('./vehicle.test'),
  aframe: () => import('./clients/aframe.test'),
  babylon: () => import('./clients/babylon.test'),
  enable3d: () => import('./clients/enable3d.test'),
  pages: () => import('./clients/pages.test'),
  playcanvas: () => import('./clients/playcanvas.test'),
  three: () => import('./clients/three.test'),
};
for (const [name, load] of Object.entries(FILES)) describe(name, async () => void (await load()));
