// A page that runs one crowd of instanced bodies on @react-three/rapier or on ricochet/react, one frame after the other,
// each 1/60 s after the one before. In: calls of the test. Out: `window.crowd`.
import { advance, createRoot, extend, type ReconcilerRoot, useFrame } from '@react-three/fiber';
import * as rapier from '@react-three/rapier';
import { type ComponentType, type ReactNode, useEffect, useMemo, useRef } from 'react';
import * as react from 'ricochet/react';
import * as THREE from 'three';

extend(THREE as never);

export type Engine = 'rapier' | 'ricochet' | 'nothing';

const DT = 1 / 60;
const MARK = 'measured-from-here';

function places(count: number) {
  const side = Math.ceil(Math.cbrt(count));
  return Array.from({ length: count }, (_, key) => ({
    key,
    position: [
      1.3 * ((key % side) - side / 2) + 0.01 * (key % 7),
      1 + 1.5 * Math.floor(key / (side * side)),
      1.3 * ((Math.floor(key / side) % side) - side / 2) + 0.01 * (key % 5),
    ] as [number, number, number],
    linearVelocity: [(key % 11) - 5, (key % 7) - 3, (key % 9) - 4] as [number, number, number],
  }));
}

function Pit({ library: { CuboidCollider }, size }: { library: typeof rapier; size: number }) {
  return (
    <>
      <CuboidCollider args={[size, 1, size]} position={[0, -1, 0]} restitution={1} />
      <CuboidCollider args={[size, 1, size]} position={[0, 2 * size, 0]} restitution={1} />
      <CuboidCollider args={[size, 20, 1]} position={[0, 20, size]} restitution={1} />
      <CuboidCollider args={[size, 20, 1]} position={[0, 20, -size]} restitution={1} />
      <CuboidCollider args={[1, 20, size]} position={[size, 20, 0]} restitution={1} />
      <CuboidCollider args={[1, 20, size]} position={[-size, 20, 0]} restitution={1} />
    </>
  );
}

interface CrowdProps {
  engine: Engine;
  count: number;
  ready: (mesh: THREE.InstancedMesh) => void;
}

function Crowd({ engine, count, ready }: CrowdProps): ReactNode {
  const library = (engine === 'rapier' ? rapier : react) as unknown as typeof rapier;
  const mesh = useRef<THREE.InstancedMesh>(null);
  const instances = useMemo(() => places(count), [count]);
  useEffect(() => ready(mesh.current!), [ready]);
  const instanced = (
    <instancedMesh ref={mesh} args={[undefined, undefined, count]} frustumCulled={false}>
      <boxGeometry />
      <meshBasicMaterial />
    </instancedMesh>
  );
  useFrame(() => {
    mesh.current!.instanceMatrix.needsUpdate = true;
  });
  if (engine === 'nothing') return instanced;
  return (
    <>
      <library.InstancedRigidBodies
        instances={instances}
        colliders="cuboid"
        restitution={1}
        friction={0}
        canSleep={false}
      >
        {instanced}
      </library.InstancedRigidBodies>
      <Pit library={library} size={0.8 * Math.cbrt(count)} />
    </>
  );
}

class Run {
  private readonly root: ReconcilerRoot<HTMLCanvasElement>;
  private readonly canvas = document.createElement('canvas');
  private time = 0;
  mesh!: THREE.InstancedMesh;

  constructor() {
    document.body.append(this.canvas);
    this.root = createRoot(this.canvas);
  }

  async start(engine: Engine, count: number): Promise<void> {
    await this.root.configure({
      frameloop: 'never',
      size: { width: 16, height: 16, top: 0, left: 0 },
      dpr: 1,
    });
    const Physics = (engine === 'rapier' ? rapier.Physics : react.Physics) as ComponentType<{
      worker?: object;
      children: ReactNode;
    }>;
    this.mesh = await new Promise<THREE.InstancedMesh>((ready) => {
      const crowd = <Crowd engine={engine} count={count} ready={ready} />;
      this.root.render(
        engine === 'nothing' ? (
          crowd
        ) : (
          <Physics worker={{ workerUrl: '/dist/physics.worker.js' }}>{crowd}</Physics>
        ),
      );
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }

  /** The frames of a display, but for their times. */
  async frames(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      await new Promise(requestAnimationFrame);
      this.time += DT;
      advance(this.time);
    }
  }

  heights(): number[] {
    const { array } = this.mesh.instanceMatrix;
    return Array.from({ length: this.mesh.count }, (_, i) => array[16 * i + 13]!);
  }

  end(): void {
    this.root.unmount();
    this.canvas.remove();
  }
}

let run: Run | null = null;
const crowd = {
  async start(engine: Engine, count: number, warm: number): Promise<void> {
    run?.end();
    run = new Run();
    await run.start(engine, count);
    await run.frames(warm);
  },
  /** Frames from the mark on; how many bodies rose or fell by more than 1 cm. */
  async measure(frames: number): Promise<number> {
    const before = run!.heights();
    await new Promise((resolve) => setTimeout(resolve, 0));
    performance.mark(MARK);
    await run!.frames(frames);
    return run!.heights().filter((y, i) => Math.abs(y - before[i]!) > 0.01).length;
  },
  end(): void {
    run?.end();
    run = null;
  },
};
Object.assign(window, { crowd });
export type Crowds = typeof crowd;
