// A file of the user as a scene: its colliders lie on the ground, to be thrown about. In: files, one of which is a glTF, OBJ, STL, URDF
// or .bullet file, the others what it names. Out: a scene; readers are loaded when they are needed.
import type { BodyOptions, JointOptions, ShapeOptions } from 'ricochet';
import { decompose, type MeshFile, readMeshFile } from 'ricochet/cooking';
import type { Scene } from './scenes';
import { surfaceOf } from './surfaces';

/** Files by name. */
export type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** What a file makes. */
interface Content {
  bodies: BodyOptions[];
  joints: { options: JointOptions; a: number | null; b: number | null }[];
  world?: Scene['world'];
  /** Said under the title. */
  says: string[];
}

type Reader = (bytes: Uint8Array<ArrayBuffer>, name: string, files: Files) => Promise<Content>;

/** m: a model of a mesh file, whose unit nobody knows, is made this large. */
const MODEL_SIZE = 2;
/** So many of them fall. */
const MODELS = 6;
const ROBOT_GROUP = 1 << 10;

const READERS: Readonly<Record<string, Reader>> = {
  gltf: readGltf,
  glb: readGltf,
  obj: readModel,
  stl: readModel,
  urdf: readRobot,
  bullet: readBullet,
};

const kindOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();
const baseOf = (name: string) => name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);

/** The file that the others belong to: a robot comes before its meshes. */
export function leadOf(files: Files): string | undefined {
  const names = [...files.keys()];
  return ['urdf', 'gltf', 'glb', 'bullet', 'obj', 'stl']
    .map((kind) => names.find((name) => kindOf(name) === kind))
    .find((name) => name !== undefined);
}

/** @throws PhysicsError 'damaged-file' that names the place in the file */
export async function sceneOfFiles(files: Files): Promise<Scene> {
  const name = leadOf(files);
  if (name === undefined)
    throw new Error('This is none of .glb, .gltf, .obj, .stl, .urdf, .bullet and .ricochet.');
  const content = await READERS[kindOf(name)]!(files.get(name)!, name, files);
  if (content.bodies.length === 0) throw new Error(`${name}: nothing in it collides.`);
  return sceneOf(name, content);
}

function shapesOf({ shape = [] }: BodyOptions): ShapeOptions[] {
  return (Array.isArray(shape) ? shape : [shape]) as ShapeOptions[];
}

/** Bounds of what moves, or of everything; m. */
function boundsOf(bodies: readonly BodyOptions[]): { low: number[]; high: number[] } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const moving = bodies.filter(({ type }) => type !== 'static');
  for (const body of moving.length > 0 ? moving : bodies) {
    const geometry = surfaceOf(shapesOf(body).slice(0, 64));
    const place = Array.from((body.position ?? [0, 0, 0]) as ArrayLike<number>);
    geometry?.computeBoundingSphere();
    const { center, radius } = geometry?.boundingSphere ?? { center: { length: () => 0 }, radius: 0.5 };
    const reach = center.length() + radius;
    geometry?.dispose();
    for (let i = 0; i < 3; i++) {
      low[i] = Math.min(low[i]!, place[i]! - reach);
      high[i] = Math.max(high[i]!, place[i]! + reach);
    }
  }
  return { low, high };
}

function sceneOf(name: string, { bodies, joints, world: settings, says }: Content): Scene {
  const { low, high } = boundsOf(bodies);
  const stands = bodies.some(({ type }) => type === 'static');
  const ground = stands ? low[1]! : Math.min(0, low[1]!);
  // Most of it will soon lie on the ground.
  const size = Math.min(200, Math.max(1, high[0]! - low[0]!, high[2]! - low[2]!, 0.7 * (high[1]! - ground)));
  const target: [number, number, number] = [
    (low[0]! + high[0]!) / 2,
    ground + 0.12 * (high[1]! - ground),
    (low[2]! + high[2]!) / 2,
  ];
  const shapes = bodies.reduce((sum, body) => sum + shapesOf(body).length, 0);
  const counted = `${bodies.length} bodies, ${shapes} shapes, ${joints.length} joints.`;
  return {
    id: 'file',
    title: baseOf(name),
    description: [counted, ...says].join(' '),
    camera: {
      position: [target[0] + 0.85 * size, target[1] + 0.7 * size, target[2] + 1.4 * size],
      target,
    },
    floor: Math.min(0, ground),
    shows: { joints: joints.length > 0 && joints.length < 200, statics: 'solid' },
    ...(settings !== undefined && { world: settings }),
    build(world) {
      if (!stands) world.createBody({ type: 'static', shape: { type: 'plane', offset: ground } });
      const made = bodies.map((options) => world.createBody(options));
      for (const { options, a, b } of joints)
        world.createJoint({
          ...options,
          ...(a !== null && { bodyA: made[a] }),
          ...(b !== null && { bodyB: made[b] }),
        } as JointOptions<never>);
    },
  };
}

const warned = (warnings: readonly string[]) =>
  warnings.length === 0
    ? []
    : [`${warnings[0]}${warnings.length > 1 ? `, and ${warnings.length - 1} more.` : '.'}`];

/** Parts of a mesh, and how many. */
function partsOf({ vertices, indices }: MeshFile): { shape: ShapeOptions[]; says: string } {
  let size = 0;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const [i, part] of vertices.entries()) {
    low[i % 3] = Math.min(low[i % 3]!, part);
    high[i % 3] = Math.max(high[i % 3]!, part);
  }
  for (let i = 0; i < 3; i++) size = Math.max(size, high[i]! - low[i]!);
  const scale = size > 0 ? MODEL_SIZE / size : 1;
  const scaled = vertices.map((part, i) => (part - (low[i % 3]! + high[i % 3]!) / 2) * scale);
  const { hulls } = decompose({ vertices: scaled, indices, maxHulls: 24 });
  return {
    shape: hulls.map((geometry) => ({ type: 'hull', geometry, friction: 0.6 })),
    says: `${indices.length / 3} triangles as ${hulls.length} convex hulls, ${size.toPrecision(3)} units made ${MODEL_SIZE} m.`,
  };
}

async function readModel(bytes: Uint8Array<ArrayBuffer>): Promise<Content> {
  const { shape, says } = partsOf(readMeshFile(bytes));
  const bodies = Array.from({ length: MODELS }, (_, i): BodyOptions => {
    const turn = i * 0.7;
    return {
      shape,
      position: [
        i === 0 ? 0 : 0.7 * Math.cos(turn * 3),
        1.2 + i * MODEL_SIZE * 0.8,
        i === 0 ? 0 : 0.7 * Math.sin(turn * 3),
      ],
      rotation: [0, Math.sin(turn / 2), 0, Math.cos(turn / 2)],
    };
  });
  return { bodies, joints: [], says: [says] };
}

async function readGltf(bytes: Uint8Array<ArrayBuffer>, name: string, files: Files): Promise<Content> {
  const { autoColliders, parseGltf, readPhysics } = await import('ricochet/gltf');
  const { json, buffers } = parseGltf(bytes);
  const list = (json as { buffers?: { uri?: string }[] }).buffers ?? [];
  for (const [i, { uri }] of list.entries())
    if (uri !== undefined && !uri.startsWith('data:')) {
      const file = files.get(baseOf(decodeURIComponent(uri)));
      if (file === undefined) throw new Error(`${name} needs ${uri}: drop both.`);
      buffers[i] ??= file;
    }
  const { bodies, joints, warnings } = readPhysics(json, buffers);
  if (bodies.length > 0)
    return {
      bodies: bodies.map(({ options }) => options),
      joints: joints.map(({ options, bodyA, bodyB }) => ({ options, a: bodyA, b: bodyB })),
      says: warned(warnings),
    };
  const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
  const { LoadingManager } = await import('three');
  const manager = new LoadingManager().setURLModifier((url) => {
    const file = files.get(baseOf(decodeURIComponent(url)));
    return file === undefined ? url : URL.createObjectURL(new Blob([file]));
  });
  const { scene } = await new GLTFLoader(manager).parseAsync(bytes.buffer, '');
  const found = autoColliders(scene, { dynamic: true });
  const body: BodyOptions = { shape: found.flatMap(({ shapes }) => shapes) };
  const { low } = boundsOf([body]);
  return {
    bodies: [{ ...body, position: [0, 0.5 - low[1]!, 0] }],
    joints: [],
    says: ['It says nothing of physics: colliders were chosen for its meshes.'],
  };
}

async function readRobot(bytes: Uint8Array<ArrayBuffer>, _: string, files: Files): Promise<Content> {
  const { readUrdf } = await import('ricochet/urdf');
  const urdf = readUrdf(new TextDecoder().decode(bytes), {
    meshes: (filename) => {
      const file = files.get(baseOf(filename));
      return file === undefined || !/\.(obj|stl)$/i.test(filename) ? undefined : readMeshFile(file);
    },
  });
  const { low } = boundsOf(urdf.bodies.map(({ options }) => options));
  const lift = Math.max(0, 0.05 - low[1]!);
  const filter = { group: ROBOT_GROUP, mask: ~ROBOT_GROUP };
  return {
    bodies: urdf.bodies.map(({ options }) => {
      const [x, y, z] = Array.from((options.position ?? [0, 0, 0]) as ArrayLike<number>) as [
        number,
        number,
        number,
      ];
      return {
        ...options,
        position: [x, y + lift, z],
        shape: options.shape.map((shape) => ({ ...shape, ...filter })),
      };
    }),
    // Servos hold the pose that the file shows, as far as its joints can go there.
    joints: urdf.joints.map(({ axis, options, bodyA, bodyB, lower, upper, effort }) => ({
      a: bodyA,
      b: bodyB,
      options:
        axis === null
          ? options
          : ({
              ...options,
              [axis]: {
                ...(options as unknown as Record<string, object>)[axis],
                motor: undefined,
                servo: {
                  target: Math.min(upper, Math.max(lower, 0)),
                  maxVelocity: 10,
                  maxForce: Number.isFinite(effort) && effort > 0 ? effort : 1000,
                },
              },
            } as JointOptions),
    })),
    says: warned(urdf.warnings),
  };
}

async function readBullet(bytes: Uint8Array<ArrayBuffer>): Promise<Content> {
  const { readBulletFile } = await import('ricochet/bullet-file');
  const { bodies, joints, world, version, skipped, warnings } = readBulletFile(bytes);
  return {
    world,
    bodies: bodies.map(({ options }) => options),
    joints: joints.map(({ options, bodyA, bodyB }) => ({ options, a: bodyA, b: bodyB })),
    says: [
      `Bullet ${(version / 100).toFixed(2)}.`,
      ...skipped.map(({ what, count }) => `Left out: ${what} (${count}).`),
      ...warned(warnings),
    ],
  };
}
