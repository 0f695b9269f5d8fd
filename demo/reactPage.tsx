// The page of ricochet/react: a scene of components, and switches that are props. In: clicks. Out: a picture, figures.
import { createRoot, events, extend, type ThreeEvent, useFrame, useThree } from '@react-three/fiber';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import {
  BallCollider,
  CylinderCollider,
  InstancedRigidBodies,
  Physics,
  RigidBody,
  type RigidBodyApi,
  useFixedStep,
  usePhysics,
  useSphericalJoint,
} from 'ricochet/react';
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { element } from './element';
import { showError } from './hud';
import { GROUND, pigment, SKY_HORIZON, STATIC } from './palette';

extend(THREE as never);

const MARBLES = 320;
const CRATES = 80;
const RADIUS = 0.2;
const HALF = 0.28;
/** m: half the tray, and how high its rim is. */
const TRAY = 6;
const RIM = 0.45;
/** m below which a body comes back from above. */
const LOST = -6;

type Triple = [number, number, number];

/** Places in a column above the tray, in rings. */
function column(count: number, from: number, spacing: number) {
  return Array.from({ length: count }, (_, key) => {
    const ring = key % 12;
    const angle = (ring / 12) * 2 * Math.PI + 0.3 * Math.floor(key / 12);
    const reach = 1.5 + 1.2 * (key % 3);
    return {
      key,
      position: [
        reach * Math.cos(angle),
        from + spacing * Math.floor(key / 12),
        reach * Math.sin(angle),
      ] as Triple,
    };
  });
}

/** A click throws up what it meets. */
function throwUp(event: ThreeEvent<MouseEvent>, api: RigidBodyApi | null | undefined): void {
  if (event.delta > 4 || !api?.isValid()) return;
  event.stopPropagation();
  const mass = api.mass();
  api.applyImpulse({ x: 0, y: 7 * mass, z: 0 }, true);
}

/** What fell off comes back from above. */
function useReturn(bodies: { current: RigidBodyApi[] | null }): void {
  useFixedStep((_, __, step) => {
    const all = bodies.current;
    if (all === null || step % 10 !== 0) return;
    for (const [i, api] of all.entries()) {
      if (!api.isValid() || api.translation().y > LOST) continue;
      api.setLinvel({ x: 0, y: 0, z: 0 });
      api.setTranslation({ x: 2 * Math.cos(i), y: 9, z: 2 * Math.sin(i) });
    }
  });
}

interface CrowdProps {
  count: number;
  from: number;
  colliders: 'ball' | 'cuboid';
  density: number;
  children: ReactNode;
}

/** One component for hundreds of bodies. */
function Crowd({ count, from, colliders, density, children }: CrowdProps) {
  const bodies = useRef<RigidBodyApi[]>(null);
  const mesh = useRef<THREE.InstancedMesh>(null);
  const instances = useMemo(
    () => column(count, from, colliders === 'ball' ? 0.5 : 0.7),
    [count, from, colliders],
  );
  useReturn(bodies);
  useEffect(() => {
    for (let i = 0; i < count; i++) mesh.current!.setColorAt(i, pigment(i + (colliders === 'ball' ? 3 : 0)));
    mesh.current!.instanceColor!.needsUpdate = true;
  }, [count, colliders]);
  return (
    <InstancedRigidBodies
      ref={bodies}
      instances={instances}
      colliders={colliders}
      density={density}
      friction={0.4}
      restitution={colliders === 'ball' ? 0.5 : 0.1}
    >
      <instancedMesh
        ref={mesh}
        args={[undefined, undefined, count]}
        castShadow
        receiveShadow
        onClick={(event) => throwUp(event, bodies.current?.[event.instanceId ?? -1])}
      >
        {children}
        <meshStandardMaterial roughness={0.55} />
      </instancedMesh>
    </InstancedRigidBodies>
  );
}

const Box = ({ size, position }: { size: Triple; position: Triple }) => (
  <mesh position={position} castShadow receiveShadow>
    <boxGeometry args={size} />
    <meshStandardMaterial color={STATIC} roughness={0.9} />
  </mesh>
);

/** A fixed body whose meshes are its colliders. */
function Tray() {
  const [wide, high] = [2 * TRAY, RIM];
  return (
    <RigidBody type="fixed" friction={0.5}>
      <Box size={[wide, 0.4, wide]} position={[0, -0.2, 0]} />
      <Box size={[wide, high, 0.2]} position={[0, high / 2, TRAY]} />
      <Box size={[wide, high, 0.2]} position={[0, high / 2, -TRAY]} />
      <Box size={[0.2, high, wide]} position={[TRAY, high / 2, 0]} />
      <Box size={[0.2, high, wide]} position={[-TRAY, high / 2, 0]} />
    </RigidBody>
  );
}

function Paddle() {
  return (
    <RigidBody type="kinematicVelocity" angularVelocity={[0, 0.9, 0]} position={[0, 0.4, 0]} friction={0.2}>
      {[0, Math.PI / 2].map((angle) => (
        <mesh key={angle} rotation={[0, angle, 0]} castShadow receiveShadow>
          <boxGeometry args={[9, 0.5, 0.25]} />
          <meshStandardMaterial color={pigment(0)} roughness={0.6} />
        </mesh>
      ))}
    </RigidBody>
  );
}

const ROPE = 6;

function Pendulum() {
  const hook = useRef<RigidBodyApi>(null);
  const ball = useRef<RigidBodyApi>(null);
  useSphericalJoint(hook, ball, [
    [0, 0, 0],
    [0, ROPE, 0],
  ]);
  return (
    <>
      <RigidBody ref={hook} type="fixed" position={[0, 8, 0]} />
      <RigidBody
        ref={ball}
        colliders={false}
        position={[ROPE * Math.sin(1.1), 8 - ROPE * Math.cos(1.1), 0]}
        rotation={[0, 0, 1.1]}
        angularDamping={0.05}
        canSleep={false}
      >
        <mesh castShadow onClick={(event) => throwUp(event, ball.current)}>
          <sphereGeometry args={[0.8, 32, 16]} />
          <meshStandardMaterial color="#20262e" roughness={0.4} />
        </mesh>
        <mesh position={[0, ROPE / 2, 0]}>
          <cylinderGeometry args={[0.02, 0.02, ROPE]} />
          <meshStandardMaterial color="#20262e" />
        </mesh>
        <BallCollider args={[0.8]} density={6} />
      </RigidBody>
    </>
  );
}

/** A sensor: what falls through is counted. */
function Hoop() {
  const count = useRef(0);
  return (
    <group position={[0, 3.2, 2.7]}>
      <mesh rotation={[Math.PI / 2, 0, 0]} castShadow>
        <torusGeometry args={[1, 0.07, 12, 48]} />
        <meshStandardMaterial color={pigment(1)} roughness={0.4} />
      </mesh>
      <CylinderCollider
        sensor
        args={[0.05, 0.9]}
        onIntersectionEnter={() => {
          element('hoop').textContent = String(++count.current);
        }}
      />
    </group>
  );
}

function Light() {
  const sun = useRef<THREE.DirectionalLight>(null);
  useEffect(() => {
    const { camera, mapSize } = sun.current!.shadow;
    mapSize.set(1024, 1024);
    Object.assign(camera, { left: -10, right: 10, top: 10, bottom: -10 });
    camera.updateProjectionMatrix();
  }, []);
  return (
    <>
      <color attach="background" args={[SKY_HORIZON]} />
      <hemisphereLight args={['#eef4f8', '#b8b0a0', 1.6]} />
      <directionalLight ref={sun} position={[-6, 12, 5]} intensity={2.4} castShadow />
      <mesh rotation={[-Math.PI / 2, 0, 0]} position={[0, LOST, 0]}>
        <circleGeometry args={[60, 64]} />
        <meshStandardMaterial color={GROUND} />
      </mesh>
    </>
  );
}

function Look() {
  const { camera, gl, size } = useThree();
  const controls = useMemo(() => new OrbitControls(camera, gl.domElement), [camera, gl]);
  const narrow = size.width < size.height;
  useEffect(() => {
    camera.position.set(0, narrow ? 17 : 8, narrow ? 27 : 15);
    controls.target.set(0, narrow ? 3.5 : 1.8, 0);
    controls.enableDamping = true;
    controls.update();
    return () => controls.dispose();
  }, [camera, controls, narrow]);
  useFrame(() => void controls.update());
  return null;
}

/** ms between two figures. */
const SHOWN = 500;

/** What a frame of the physics takes in the page; wraps the component's own frame. */
function Meter() {
  const { world, runtime } = usePhysics();
  useEffect(() => {
    const { frame } = runtime;
    let [sum, count, last] = [0, 0, 0];
    runtime.frame = (dt) => {
      const before = performance.now();
      frame.call(runtime, dt);
      const after = performance.now();
      sum += after - before;
      count++;
      page.frames++;
      if (after - last < SHOWN || world.isDisposed) return;
      last = after;
      element('cost').textContent = (sum / count).toFixed(2);
      element('bodies').textContent = String(world.bodyCount);
      [sum, count] = [0, 0];
    };
    page.world = world;
    return () => {
      runtime.frame = frame;
    };
  }, [world, runtime]);
  return null;
}

const SWITCHES = ['worker', 'paused', 'debug', 'moon'] as const;
type Switches = Record<(typeof SWITCHES)[number], boolean>;
const read = () =>
  Object.fromEntries(SWITCHES.map((id) => [id, element<HTMLInputElement>(id).checked])) as Switches;

function Page() {
  const [switches, setSwitches] = useState(read);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const change = () => setSwitches(read());
    const again = () => setRound((n) => n + 1);
    const inputs = SWITCHES.map((id) => element(id));
    for (const input of inputs) input.addEventListener('change', change);
    element('again').addEventListener('click', again);
    return () => {
      for (const input of inputs) input.removeEventListener('change', change);
      element('again').removeEventListener('click', again);
    };
  }, []);
  const { worker, paused, debug, moon } = switches;
  return (
    <>
      <Light />
      <Look />
      <Physics worker={worker} paused={paused} debug={debug} gravity={[0, moon ? -1.62 : -9.81, 0]}>
        <Meter />
        <group key={round}>
          <Tray />
          <Paddle />
          <Pendulum />
          <Hoop />
          <Crowd count={MARBLES} from={4} colliders="ball" density={2}>
            <sphereGeometry args={[RADIUS, 14, 10]} />
          </Crowd>
          <Crowd count={CRATES} from={3} colliders="cuboid" density={1}>
            <boxGeometry args={[2 * HALF, 2 * HALF, 2 * HALF]} />
          </Crowd>
        </group>
      </Physics>
    </>
  );
}

/** For tests. */
const page: { frames: number; world: ReturnType<typeof usePhysics>['world'] | null } = {
  frames: 0,
  world: null,
};
Object.assign(window, { ricochetReact: page });

async function start(): Promise<void> {
  const canvas = element<HTMLCanvasElement>('view');
  const root = createRoot(canvas);
  const configure = async () => {
    await root.configure({
      events,
      shadows: 'percentage',
      dpr: Math.min(devicePixelRatio, 2),
      camera: { fov: 42, near: 0.1, far: 200 },
      size: { width: innerWidth, height: innerHeight, top: 0, left: 0 },
    });
    root.render(<Page />);
  };
  addEventListener('resize', () => void configure());
  await configure();
}

start().catch(showError);
