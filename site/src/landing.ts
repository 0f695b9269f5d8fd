// The running world of the landing page: a pyramid in a worker, a ball at it now and then, and one for every click.
import type { BodyOptions } from 'ricochet';
import { bind } from 'ricochet/three';
import { createPhysics, type PhysicsBody } from 'ricochet/worker';
import { Color, type Vector3 } from 'three';
import { BALL } from '../../demo/palette';
import { Population } from '../../demo/population';
import { ballThrough, onShoot } from '../../demo/shooting';
import { SolidMesh, sphereSolid } from '../../demo/solids';
import { Stage } from '../../demo/stage';

const ROWS = 13;
const BALLS = 12;
const RADIUS = 0.6;
/** m before the camera. */
const START = 8;
/** s: between two balls that come by themselves, and from the first to the pyramid's return. */
const PAUSE = 3.5;
const ROUND = 16;

/** Boxes of 1 m, 0.05 m apart. */
function pyramid(): [number, number, number][] {
  const places: [number, number, number][] = [];
  for (let row = 0; row < ROWS; row++)
    for (let i = 0; i < ROWS - row; i++) places.push([1.05 * (i - (ROWS - row - 1) / 2), 0.5 + row, 0]);
  return places;
}

/** @param tell  gets a line about the world, a few times a second */
export async function openLanding(canvas: HTMLCanvasElement, tell: (line: string) => void) {
  const stage = new Stage(canvas);
  stage.controls.enabled = false;
  canvas.style.touchAction = 'pan-y'; // the page scrolls
  const wide = canvas.clientWidth > 800;
  const target: [number, number, number] = wide ? [-8.5, 5.2, 0] : [0, 5.4, 0];
  stage.frame({
    id: '',
    title: '',
    description: '',
    build() {},
    camera: { position: [target[0] + 4, wide ? 8 : 9, wide ? 26 : 22], target },
  });

  const physics = await createPhysics();
  physics.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 1, 0] } });
  const population = new Population<PhysicsBody>();
  const places = pyramid();
  const boxes = places.map((position, i) => {
    const options: BodyOptions = {
      mass: 1,
      position,
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5], friction: 0.6 },
      userIndex: Math.floor(position[1]) + (i % 2),
    };
    const body = physics.createBody(options);
    population.note(body, options);
    return body;
  });
  for (const { mesh, bodies } of population.build()) {
    bind(physics, mesh, bodies);
    stage.scene.add(mesh);
  }

  const balls: { body: PhysicsBody; mesh: SolidMesh }[] = [];
  const shoot = (x: number, y: number, speed = 34) => {
    if (balls.length === BALLS) {
      const oldest = balls.shift()!;
      oldest.mesh.removeFromParent();
      oldest.mesh.dispose();
      oldest.body.remove();
    }
    const options = ballThrough(stage.camera, x, y, { speed, mass: 8, radius: RADIUS });
    const at = options.position as Vector3;
    at.addScaledVector(options.linearVelocity as Vector3, START / speed); // not in the reader's face
    const body = physics.createBody(options);
    const mesh = new SolidMesh('round', 1);
    mesh.addSolid(sphereSolid(RADIUS), new Color(BALL));
    bind(physics, mesh, [body]);
    stage.scene.add(mesh);
    balls.push({ body, mesh });
  };
  onShoot(canvas, shoot);
  await physics.start();

  const restart = () => {
    for (const [i, body] of boxes.entries()) {
      body.setPosition(places[i]!);
      body.setRotation([0, 0, 0, 1]);
      body.setLinearVelocity([0, 0, 0]);
      body.setAngularVelocity([0, 0, 0]);
    }
  };
  // Who asked their system for less motion gets a pyramid that stands until it is clicked.
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  let began = performance.now();
  let next = began + 1000 * PAUSE;
  let told = 0;
  let frame = 0;
  let shots = 0;
  const onFrame = (now: number) => {
    frame = requestAnimationFrame(onFrame);
    if (canvas.getBoundingClientRect().bottom < 0) {
      physics.update(); // out of sight: nothing is drawn
      return;
    }
    if (!calm && now - began > 1000 * ROUND) {
      restart();
      began = now;
    }
    if (!calm && now > next) {
      const side = wide ? 0.42 : 0;
      shoot(side + 0.12 * ((shots % 3) - 1), 0.02 - 0.12 * (shots % 2));
      shots++;
      next = now + 1000 * PAUSE;
    }
    physics.update();
    population.recolor('state');
    stage.render();
    if (now - told > 400) {
      told = now;
      const { bodies, contacts, stepMs } = physics.stats;
      tell(`${bodies} bodies · ${contacts} contacts · ${stepMs.toFixed(2)} ms per step, in a worker`);
    }
  };
  frame = requestAnimationFrame(onFrame);
  return {
    dispose() {
      cancelAnimationFrame(frame);
      physics.dispose();
      population.dispose();
      for (const { mesh } of balls) mesh.dispose();
      stage.renderer.dispose();
    },
  };
}
