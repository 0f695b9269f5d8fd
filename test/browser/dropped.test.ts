// Files of other programs, given to the demo page: their colliders are in its world and on the screen.
import { writeBulletFile } from 'ricochet/bullet-file';
import { describe, expect } from 'vitest';
import { everything } from '../bulletFile/worlds';
import { browserTest } from './support/chromium';
import { useSite } from './support/site';

const site = useSite();

/** An L of two boxes that share no face: at least two hulls. */
function corner(): string {
  const lines: string[] = [];
  let first = 1;
  for (const [x0, y0, x1, y1] of [
    [0, 0, 3, 1],
    [0, 1, 1, 3],
  ] as const) {
    for (const z of [0, 1])
      for (const [x, y] of [
        [x0, y0],
        [x1, y0],
        [x1, y1],
        [x0, y1],
      ] as const)
        lines.push(`v ${x} ${y} ${z}`);
    for (const face of ['4 3 2 1', '5 6 7 8', '1 2 6 5', '2 3 7 6', '3 4 8 7', '4 1 5 8'])
      lines.push(
        `f ${face
          .split(' ')
          .map((n) => Number(n) + first - 1)
          .join(' ')}`,
      );
    first += 8;
  }
  return lines.join('\n');
}

const GLTF = {
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0, 1] }],
  extensionsUsed: ['KHR_physics_rigid_bodies', 'KHR_implicit_shapes'],
  extensions: { KHR_implicit_shapes: { shapes: [{ type: 'box', box: { size: [1, 1, 1] } }] } },
  nodes: [
    {
      translation: [0, 3, 0],
      extensions: { KHR_physics_rigid_bodies: { motion: { mass: 5 }, collider: { geometry: { shape: 0 } } } },
    },
    { scale: [8, 1, 8], extensions: { KHR_physics_rigid_bodies: { collider: { geometry: { shape: 0 } } } } },
  ],
};

const URDF = `<robot name="arm"><link name="base"><collision><geometry><box size="1 1 0.2"/></geometry></collision></link>
  <link name="upper"><inertial><mass value="2"/><origin xyz="0 0 0.5"/><inertia ixx="0.2" iyy="0.2" izz="0.01"/></inertial>
    <collision><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.1" length="1"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><origin xyz="0 0 0.1"/><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="80" velocity="2"/></joint></robot>`;

/** Bodies: with the ground that the page puts under what brings none. */
const FILES = [
  {
    name: 'corner.obj',
    bytes: () => Buffer.from(corner()),
    bodies: 7,
    says: /24 triangles as [2-9] convex hulls/,
  },
  {
    name: 'box.gltf',
    bytes: () => Buffer.from(JSON.stringify(GLTF)),
    bodies: 2,
    says: /2 bodies, 2 shapes/,
  },
  { name: 'arm.urdf', bytes: () => Buffer.from(URDF), bodies: 3, says: /2 bodies, 2 shapes, 1 joints/ },
  {
    name: 'world.bullet',
    bytes: () => Buffer.from(writeBulletFile(everything()).bytes),
    bodies: 30,
    says: /Bullet 3\.26/,
  },
];

describe('files that are given to the page', () => {
  browserTest(
    'a model, a scene, a robot and a world of Bullet come alive; a damaged one is refused',
    async () => {
      // Without drawing: pictures of them were looked at, and every frame costs seconds of software WebGL.
      const { page, complaints } = await site.open('?render=0', 640, 360);
      await page.waitForFunction(() => Boolean(window.ricochetDemo?.session));
      for (const { name, bytes, bodies, says } of FILES) {
        await page.setInputFiles('#import', { name, mimeType: 'application/octet-stream', buffer: bytes() });
        const opened = await page.waitForFunction(
          (title) => {
            const message = document.querySelector('#message')!.textContent!;
            return message || (document.querySelector('#title')!.textContent === title && 'opened');
          },
          name,
          { polling: 200 },
        );
        expect(await opened.jsonValue(), name).toBe('opened');
        await page.waitForFunction(() => window.ricochetDemo.session!.physics.stats.steps > 20, null, {
          polling: 200,
        });
        const found = await page.evaluate(() => {
          const { physics } = window.ricochetDemo.session!;
          const moving = [...physics.bodies()].filter(({ type }) => type === 'dynamic');
          const lowest = Math.min(...moving.map((body) => body.getPosition()[1]));
          return {
            count: physics.bodyCount,
            lowest,
            said: document.querySelector('#description')!.textContent,
          };
        });
        expect(found.said).toMatch(says);
        expect(found.count).toBe(bodies);
        expect(found.lowest).toBeGreaterThan(-50);
      }
      await page.evaluate(() => {
        const data = new DataTransfer();
        data.items.add(new File([new TextEncoder().encode('v 1 2 x')], 'broken.obj'));
        dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      });
      await page.waitForFunction(() => /line 1/.test(document.querySelector('#message')?.textContent ?? ''));
      expect(await page.textContent('#title')).toBe('world.bullet');
      expect(complaints).toEqual([]);
    },
  );
});
