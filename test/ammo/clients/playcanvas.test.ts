// PlayCanvas on its null device, with its own rigid body, collision and joint components.
import * as pc from 'playcanvas';
import { afterEach, expect, test, vi } from 'vitest';
import { nullApp } from '../../playcanvas/nullApp';
import type { Ammo } from '../engines';
import { compare } from './compare';

afterEach(() => void vi.unstubAllGlobals());

function start(module: Ammo): pc.AppBase {
  vi.stubGlobal('Ammo', module);
  const { app, options } = nullApp();
  app.init(options);
  app.systems.rigidbody!.onLibraryLoaded();
  return app;
}

function scene(module: Ammo) {
  const app = start(module);
  const events: string[] = [];
  const make = (
    name: string,
    position: [number, number, number],
    collision: Record<string, unknown>,
    body: Record<string, unknown> | null = { type: 'dynamic', mass: 1 },
  ) => {
    const entity = new pc.Entity(name, app);
    entity.setPosition(...position);
    entity.addComponent('collision', collision);
    if (body !== null) entity.addComponent('rigidbody', { friction: 0.5, restitution: 0, ...body });
    app.root.addChild(entity);
    return entity;
  };
  make('ground', [0, -0.5, 0], { type: 'box', halfExtents: new pc.Vec3(40, 0.5, 20) }, { type: 'static' });
  const things = [
    make('box', [0, 0.6, 0], { type: 'box', halfExtents: new pc.Vec3(0.5, 0.5, 0.5) }),
    make('upper', [0, 1.65, 0], { type: 'box', halfExtents: new pc.Vec3(0.5, 0.5, 0.5) }),
    make('ball', [4, 2, 0], { type: 'sphere', radius: 0.5 }),
    make(
      'lying',
      [8, 1, 0],
      { type: 'capsule', radius: 0.3, height: 2, axis: 2 },
      { type: 'dynamic', mass: 1, angularFactor: pc.Vec3.ZERO },
    ),
    make('cone', [12, 0.7, 0], { type: 'cone', radius: 0.5, height: 1 }),
  ];
  const compound = make('compound', [-4, 1.2, 0], { type: 'compound' });
  for (const [i, x] of [-0.6, 0.6].entries()) {
    const child = new pc.Entity(`child ${i}`, app);
    compound.addChild(child);
    child.setLocalPosition(x, 0, 0);
    child.addComponent('collision', { type: 'box', halfExtents: new pc.Vec3(0.4, 0.5, 0.5) });
  }
  things.push(compound);
  const lift = make(
    'lift',
    [-10, 1, 0],
    { type: 'box', halfExtents: new pc.Vec3(1, 0.1, 1) },
    { type: 'kinematic' },
  );
  things.push(make('rider', [-10, 1.4, 0], { type: 'box', halfExtents: new pc.Vec3(0.25, 0.25, 0.25) }));
  const zone = make('zone', [4, 0.5, 0], { type: 'box', halfExtents: new pc.Vec3(1, 0.5, 1) }, null);
  zone.collision!.on('triggerenter', (other: pc.Entity) => void events.push(`zone: ${other.name} enters`));
  zone.collision!.on('triggerleave', (other: pc.Entity) => void events.push(`zone: ${other.name} leaves`));
  const ball = things.find(({ name }) => name === 'ball')!;
  ball.collision!.on(
    'collisionstart',
    ({ other }: { other: pc.Entity }) => void events.push(`ball meets ${other.name}`),
  );
  ball.collision!.on('collisionend', (other: pc.Entity) => void events.push(`ball leaves ${other.name}`));

  for (let i = 0; i < 360; i++) {
    if (i < 120) lift.setPosition(-10, 1 + i / 120, 0);
    if (i === 200) ball.rigidbody!.applyImpulse(new pc.Vec3(0, 6, 0));
    app.update(1 / 60);
  }
  const rays: Record<string, { hit: string; point: number[] } | null> = {};
  const system = app.systems.rigidbody!;
  const first = system.raycastFirst(new pc.Vec3(0, 10, 0), new pc.Vec3(0, -10, 0));
  rays['down'] = first && { hit: first.entity.name, point: [first.point.x, first.point.y, first.point.z] };
  const all = system.raycastAll(new pc.Vec3(0, 10, 0), new pc.Vec3(0, -10, 0), { sort: true });
  events.push(`through ${all.map(({ entity }) => entity.name).join()}`);
  const rest = Object.fromEntries(
    things.map((entity) => {
      const { x, y, z } = entity.getPosition();
      return [entity.name, [x, y, z]];
    }),
  );
  things[1]!.destroy();
  app.update(1 / 60);
  app.destroy();
  return { rest, events, rays };
}

test('PlayCanvas: shapes, compounds, kinematic bodies, triggers, collision events, rays', async () => {
  const { rest, events, rays } = await compare(scene, {}, ['cone']);
  expect(rest['upper']![1]).toBeCloseTo(1.5, 2);
  expect(events).toContain('zone: ball enters');
  expect(events).toContain('ball meets ground');
  expect(events).toContain('ball leaves ground');
  expect(rays!['down']!.hit).toBe('upper');
});
