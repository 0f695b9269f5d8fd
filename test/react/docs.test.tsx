// docs/react.md: its examples run, its table is that of the installed @react-three/rapier, and what it calls done is
// exported. Few things are left to do.
import { createRef } from 'react';
import * as react from 'ricochet/react';
import type { InstancedMesh } from 'three';
import { Matrix4 } from 'three';
import { expect, test, vi } from 'vitest';
import { Game } from '../../docs/snippets/react';
import { Flap, Hover } from '../../docs/snippets/reactHooks';
// @ts-expect-error: plain JavaScript without declarations
import { DIFFERS, table, withTable } from '../../scripts/react-table.mjs';
import { read } from '../sources';
import { LOCAL, mount, OURS, pause, WORKER_OPTIONS } from './support';

test('the table is up to date (node scripts/react-table.mjs), with few things that are not there yet', async () => {
  const { text, counts, groups } = await table();
  console.log(counts);
  expect(withTable(read('docs/react.md'), text)).toBe(read('docs/react.md'));
  expect(counts['not yet']).toBeLessThanOrEqual(6);
  for (const [group, notes] of Object.entries(DIFFERS)) {
    const known = groups.find(([name]: [string]) => name === group)?.[1] ?? [];
    expect(
      Object.keys(notes as object).filter(
        (name) => !known.includes(name) && !['mass', 'RapierContext'].includes(name),
      ),
      group,
    ).toEqual([]);
  }
  const [, names] = groups.find(([name]: [string]) => name === 'exports');
  const types = [
    'RapierCollider',
    'RapierRigidBody',
    'RapierContext',
    'CoefficientCombineRule',
    'useImpulseJoint',
  ];
  expect(names.filter((name: string) => !(name in react) && !types.includes(name))).toEqual([]);
});

test.each(OURS.map((library) => [library.name, library] as const))(
  'react.tsx, %s: a crash, 100 marbles',
  async (_, library) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const mesh = createRef<InstancedMesh>();
    // The example brings a <Physics> of its own.
    const scene = await mount(
      { ...library, Physics: Game } as never,
      null,
      library === LOCAL
        ? { worker: false }
        : {
            worker: WORKER_OPTIONS,
          },
    );
    await scene.step(90);
    expect(log).toHaveBeenCalledWith('crash');
    scene.renderer.scene.instance.traverse((object) => {
      if ('isInstancedMesh' in object) mesh.current = object as InstancedMesh;
    });
    const matrix = new Matrix4();
    mesh.current!.getMatrixAt(0, matrix);
    expect(matrix.elements[13]).toBeLessThan(5);
    log.mockRestore();
    await scene.unmount();
  },
);

test('reactHooks.tsx: a flap hangs at its limit, a body hovers', async () => {
  const scene = await mount(LOCAL, [
    <Flap key="flap" />,
    <group key="hover" position={[5, 2, 0]}>
      <Hover>
        <mesh name="hovers">
          <boxGeometry />
        </mesh>
      </Hover>
    </group>,
    <react.CuboidCollider key="ground" args={[50, 1, 50]} position={[0, -1, 0]} />,
  ]);
  for (let i = 0; i < 3; i++) {
    await scene.step(60);
    await pause(1);
  }
  const hovering = scene.object('hovers');
  hovering.updateWorldMatrix(true, false);
  expect(hovering.matrixWorld.elements[13]).toBeGreaterThan(0.4);
  await scene.unmount();
});
