// PlayCanvas on its null device, with its own components, on our physics world or on its own one with the original ammo.js.
import * as pc from 'playcanvas';
import { RicochetPhysicsWorld } from 'ricochet/playcanvas';
import { vi } from 'vitest';
import { load } from '../ammo/engines';
import { nullApp } from './nullApp';

export const BACKENDS = ['ammo.js', 'ricochet'] as const;
export type Backend = (typeof BACKENDS)[number];
type Xyz = [number, number, number];

const open: pc.AppBase[] = [];

export interface Game {
  app: pc.AppBase;
  physics: pc.RigidBodyComponentSystem;
  world: RicochetPhysicsWorld;
  /** An entity with a collision shape, and a body if one is described. */
  make(
    name: string,
    position: Xyz,
    collision: Record<string, unknown>,
    body?: Record<string, unknown> | null,
    parent?: pc.Entity,
  ): pc.Entity;
  ground(): pc.Entity;
  steps(n: number, dt?: number): void;
  joint(name: string, position: Xyz, data: Record<string, unknown>): pc.Entity;
}

export async function start(backend: Backend): Promise<Game> {
  if (backend === 'ammo.js') vi.stubGlobal('Ammo', await load('bullet'));
  const { app, options } = nullApp();
  if (backend === 'ricochet') options.physicsWorld = new RicochetPhysicsWorld();
  app.init(options);
  const physics = app.systems.rigidbody!;
  if (backend === 'ammo.js') (physics as unknown as { onLibraryLoaded(): void }).onLibraryLoaded();
  open.push(app);
  const game: Game = {
    app,
    physics,
    world: physics.physicsWorld as unknown as RicochetPhysicsWorld,
    make(name, position, collision, body = { type: 'dynamic', mass: 1 }, parent = app.root as pc.Entity) {
      const entity = new pc.Entity(name, app);
      entity.setLocalPosition(...position);
      parent.addChild(entity);
      entity.addComponent('collision', collision);
      if (body !== null) entity.addComponent('rigidbody', { friction: 0.5, restitution: 0, ...body });
      return entity;
    },
    ground: () =>
      game.make(
        'ground',
        [0, -0.5, 0],
        { type: 'box', halfExtents: new pc.Vec3(40, 0.5, 40) },
        { type: 'static' },
      ),
    steps(n, dt = 1 / 60) {
      for (let i = 0; i < n; i++) app.update(dt);
    },
    joint(name, position, data) {
      const entity = new pc.Entity(name, app);
      entity.setPosition(...position);
      app.root.addChild(entity);
      entity.addComponent('joint', data);
      return entity;
    },
  };
  return game;
}

/** Ends all applications that were started. */
export function endAll(): void {
  for (const app of open.splice(0)) app.destroy();
  vi.unstubAllGlobals();
}
