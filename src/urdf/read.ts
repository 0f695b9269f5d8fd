// Robots. In: the text of a URDF file, and whatever reads its meshes. Out: bodies and joints as the engine takes them: links
// that fixed joints hold together are one body, whose frame is turned to the principal axes of its inertia.
import {
  type BodyOptions,
  deterministic,
  type JointOptions,
  principalAxes,
  type ShapeOptions,
} from 'ricochet';
import { cookHull, cookMesh, massPropertiesOf, PhysicsError } from 'ricochet/cooking';
import { childOf, childrenOf, type Element, fault, numberOf, numbersOf, parseXml, textOf } from './xml';

const { quatConjugate, quatFromAxisAngle, quatFromTo, quatMultiply, rotate } = deterministic;
type Vec3 = deterministic.Vec3;
type Quat = deterministic.Quat;

/** A place and a turn. */
export interface Pose {
  /** m */
  position: Vec3;
  /** A unit quaternion. */
  rotation: Quat;
}

/** What `readUrdf` takes besides the text. */
export interface UrdfOptions {
  /** Triangles of a mesh file, by the name that the robot has for it; undefined leaves the mesh out, with a warning. */
  meshes?: (filename: string) => { vertices: ArrayLike<number>; indices: ArrayLike<number> } | undefined;
  /** What a mesh becomes: its hull, or its parts. Default 'hull'. */
  meshShapes?: 'hull' | 'decompose';
  /** Where the root link is. Default: the origin, z of the robot pointing up along y of the world. */
  position?: Vec3;
  /** How it is turned. See position. */
  rotation?: Quat;
  /** The root link stands still. Default false. */
  fixedBase?: boolean;
}

/** A body of a robot: links held together by fixed joints. */
export interface UrdfBody {
  /** Names of its links, the topmost first. */
  links: string[];
  /** For `createBody`. */
  options: BodyOptions & { shape: ShapeOptions[] };
  /** Of each link, against the body. */
  places: Map<string, Pose>;
}

/** A joint of a robot. */
export interface UrdfJoint {
  /** Its name. */
  name: string;
  /** 'angle' of hinges, 'position' of sliders; null for a joint that is no single axis. */
  axis: 'angle' | 'position' | null;
  /** Places of the parent's and the child's body in the list. */
  bodyA: number;
  /** See bodyA. */
  bodyB: number;
  /** For `createJoint`, without the bodies. */
  options: JointOptions;
  /** rad or m; −Infinity to Infinity where there is none. */
  lower: number;
  /** See lower. */
  upper: number;
  /** N·m or N that its drive exerts at most; Infinity where the file does not say. */
  effort: number;
  /** rad/s or m/s that its drive goes at most; Infinity where the file does not say. */
  velocity: number;
  /** It follows another: multiplier · that + offset. */
  mimic: { joint: string; multiplier: number; offset: number } | null;
}

/** A robot as bodies and joints. */
export interface Urdf {
  /** The robot's name. */
  name: string;
  /** The root first. */
  bodies: UrdfBody[];
  /** In the order of the file. */
  joints: UrdfJoint[];
  /** What was approximated or left out, with its line. */
  warnings: string[];
}

interface Link {
  name: string;
  element: Element;
  parent: JointRecord | null;
  children: JointRecord[];
  /** Against the robot, with all joints at 0. */
  pose: Pose;
  body: number;
}

interface JointRecord {
  name: string;
  type: string;
  element: Element;
  parent: Link;
  child: Link;
  origin: Pose;
}

const TYPES = ['fixed', 'revolute', 'continuous', 'prismatic', 'floating', 'planar', 'spherical'];
const HERE: Pose = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };
/** z up becomes y up. */
const Z_UP: Quat = [-Math.sqrt(0.5), 0, 0, Math.sqrt(0.5)];

function multiply(a: Pose, b: Pose): Pose {
  const p = rotate(a.rotation, b.position);
  return {
    position: p.map((c, k) => c + a.position[k]!) as Vec3,
    rotation: quatMultiply(a.rotation, b.rotation),
  };
}

function inverse({ position, rotation }: Pose): Pose {
  const back = quatConjugate(rotation);
  return { position: rotate(back, position).map((c) => -c) as Vec3, rotation: back };
}

/** Roll about x, then pitch about y, then yaw about z, all of the frame around. */
function originOf(element: Element): Pose {
  const origin = childOf(element, 'origin');
  const [roll, pitch, yaw] = numbersOf(origin, 'rpy', [0, 0, 0]) as Vec3;
  const turn = (axis: Vec3, angle: number) => quatFromAxisAngle(axis, angle);
  return {
    position: numbersOf(origin, 'xyz', [0, 0, 0]) as Vec3,
    rotation: quatMultiply(quatMultiply(turn([0, 0, 1], yaw), turn([0, 1, 0], pitch)), turn([1, 0, 0], roll)),
  };
}

function readTree(robot: Element): { links: Link[]; joints: JointRecord[]; root: Link } {
  const links = new Map<string, Link>();
  for (const element of childrenOf(robot, 'link')) {
    const name = textOf(element, 'name');
    if (links.has(name)) throw fault(element.line, `a second link ${name}`);
    links.set(name, { name, element, parent: null, children: [], pose: HERE, body: -1 });
  }
  if (links.size === 0) throw fault(robot.line, 'a robot without links');
  const names = new Set<string>();
  const joints = childrenOf(robot, 'joint').map((element): JointRecord => {
    const name = textOf(element, 'name');
    if (names.has(name)) throw fault(element.line, `a second joint ${name}`);
    names.add(name);
    const type = textOf(element, 'type');
    if (!TYPES.includes(type))
      throw fault(element.line, `type of joint ${name} must be one of ${TYPES.join(', ')}, got ${type}`);
    const end = (which: 'parent' | 'child') => {
      const side = childOf(element, which);
      if (side === undefined) throw fault(element.line, `joint ${name} must have a ${which}`);
      const link = links.get(textOf(side, 'link'));
      if (link === undefined) throw fault(side.line, `no link ${textOf(side, 'link')}`);
      return link;
    };
    const joint = {
      name,
      type,
      element,
      parent: end('parent'),
      child: end('child'),
      origin: originOf(element),
    };
    if (joint.child.parent !== null)
      throw fault(
        element.line,
        `link ${joint.child.name} has a parent already, by joint ${joint.child.parent.name}`,
      );
    joint.child.parent = joint;
    joint.parent.children.push(joint);
    return joint;
  });
  const roots = [...links.values()].filter(({ parent }) => parent === null);
  if (roots.length === 0) throw fault(robot.line, 'every link is below another: the joints go round');
  if (roots.length > 1)
    throw fault(
      roots[1]!.element.line,
      `link ${roots[1]!.name} hangs on nothing: ${roots[0]!.name} is the root`,
    );
  const ordered = [roots[0]!];
  for (const link of ordered)
    for (const joint of link.children) {
      joint.child.pose = multiply(link.pose, joint.origin);
      ordered.push(joint.child);
    }
  const lost = [...links.values()].find((link) => !ordered.includes(link));
  if (lost !== undefined) throw fault(lost.element.line, `link ${lost.name} is below itself`);
  return { links: ordered, joints, root: roots[0]! };
}

interface Mass {
  mass: number;
  /** mass · centre */
  moment: Vec3;
  /** About the origin: xx, yy, zz, xy, xz, yz. */
  tensor: number[];
}

/** What a link weighs, in a frame in which it has a pose. */
function massOf(link: Element, pose: Pose): Mass | undefined {
  const inertial = childOf(link, 'inertial');
  if (inertial === undefined) return undefined;
  const mass = numberOf(childOf(inertial, 'mass'), 'value', 0, 0);
  const inertia = childOf(inertial, 'inertia');
  const [xx, yy, zz, xy, xz, yz] = ['ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'].map((key) =>
    numberOf(inertia, key, 0),
  ) as [number, number, number, number, number, number];
  const place = multiply(pose, originOf(inertial));
  // Columns of the turned tensor: R I Rᵀ.
  const axes = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as Vec3[]
  ).map((axis) => {
    const v = rotate(quatConjugate(place.rotation), axis);
    return rotate(place.rotation, [
      xx * v[0] + xy * v[1] + xz * v[2],
      xy * v[0] + yy * v[1] + yz * v[2],
      xz * v[0] + yz * v[1] + zz * v[2],
    ]);
  });
  const [x, y, z] = place.position;
  return {
    mass,
    moment: [mass * x, mass * y, mass * z],
    tensor: [
      axes[0]![0] + mass * (y * y + z * z),
      axes[1]![1] + mass * (x * x + z * z),
      axes[2]![2] + mass * (x * x + y * y),
      axes[0]![1] - mass * x * y,
      axes[0]![2] - mass * x * z,
      axes[1]![2] - mass * y * z,
    ],
  };
}

function shapesOf(
  link: Element,
  { meshes, meshShapes = 'hull' }: UrdfOptions,
  warn: (line: number, text: string) => void,
): { shape: ShapeOptions; place: Pose }[] {
  const contact = childOf(link, 'contact');
  const part = (name: string, key: string) =>
    numberOf(contact && childOf(contact, name), 'value', -1) >= 0
      ? { [key]: numberOf(contact && childOf(contact, name), 'value', 0) }
      : {};
  const common = {
    ...part('lateral_friction', 'friction'),
    ...part('rolling_friction', 'rollingFriction'),
    ...part('spinning_friction', 'spinningFriction'),
    ...part('restitution', 'restitution'),
  };
  return childrenOf(link, 'collision').flatMap((collision) => {
    const geometry = childOf(collision, 'geometry')?.children[0];
    if (geometry === undefined) throw fault(collision.line, 'a collision without geometry');
    const place = originOf(collision);
    const size = (key: string) => {
      const value = numberOf(geometry, key, 0);
      if (!(value > 0)) throw fault(geometry.line, `${key} of <${geometry.name}> must be > 0`);
      return value;
    };
    switch (geometry.name) {
      case 'box': {
        const sizes = numbersOf(geometry, 'size', [0, 0, 0]);
        if (!sizes.every((c) => c > 0)) throw fault(geometry.line, 'size of <box> must be > 0');
        return [
          {
            shape: { ...common, type: 'box', halfExtents: sizes.map((c) => c / 2) as Vec3 } as ShapeOptions,
            place,
          },
        ];
      }
      case 'sphere':
        return [{ shape: { ...common, type: 'sphere', radius: size('radius') } as ShapeOptions, place }];
      case 'cylinder':
      case 'capsule':
        return [
          {
            shape: {
              ...common,
              type: geometry.name,
              radius: size('radius'),
              halfHeight: size('length') / 2,
              axis: 'z',
            } as ShapeOptions,
            place,
          },
        ];
      case 'mesh': {
        const name = textOf(geometry, 'filename');
        const mesh = meshes?.(name);
        if (mesh === undefined) {
          warn(geometry.line, `mesh ${name} was not given: left out`);
          return [];
        }
        const scale = numbersOf(geometry, 'scale', [1, 1, 1]);
        const vertices = Float32Array.from(mesh.vertices, (c, i) => c * scale[i % 3]!);
        const shape: ShapeOptions =
          meshShapes === 'hull'
            ? { ...common, type: 'hull', geometry: cookHull(vertices) }
            : {
                ...common,
                type: 'mesh',
                geometry: cookMesh({ vertices, indices: mesh.indices }),
                dynamic: 'decompose',
              };
        return [{ shape, place }];
      }
      default:
        warn(geometry.line, `<${geometry.name}> is left out`);
        return [];
    }
  });
}

/** Makes one body of a link and of what fixed joints hold to it. */
function bodyOf(
  members: Link[],
  root: boolean,
  options: UrdfOptions,
  warn: (line: number, text: string) => void,
): UrdfBody {
  const top = members[0]!;
  const shapes: { shape: ShapeOptions; place: Pose }[] = [];
  const sum: Mass = { mass: 0, moment: [0, 0, 0], tensor: [0, 0, 0, 0, 0, 0] };
  const back = inverse(top.pose);
  for (const link of members) {
    const pose = multiply(back, link.pose);
    const own = massOf(link.element, pose);
    if (own !== undefined) {
      sum.mass += own.mass;
      own.moment.forEach((c, k) => {
        sum.moment[k]! += c;
      });
      own.tensor.forEach((c, k) => {
        sum.tensor[k]! += c;
      });
    }
    for (const { shape, place } of shapesOf(link.element, options, warn))
      shapes.push({ shape, place: multiply(pose, place) });
  }
  const fixed = root && options.fixedBase === true;
  const body: UrdfBody['options'] = { type: fixed ? 'static' : 'dynamic', shape: [] };
  let frame: Quat = [0, 0, 0, 1];
  if (!fixed && sum.mass > 0) {
    const c = sum.moment.map((value) => value / sum.mass) as Vec3;
    const { mass: m } = sum;
    const [xx, yy, zz, xy, xz, yz] = sum.tensor as [number, number, number, number, number, number];
    const central = [
      xx - m * (c[1] * c[1] + c[2] * c[2]),
      yy - m * (c[0] * c[0] + c[2] * c[2]),
      zz - m * (c[0] * c[0] + c[1] * c[1]),
      xy + m * c[0] * c[1],
      xz + m * c[0] * c[2],
      yz + m * c[1] * c[2],
    ];
    const { moments, rotation } = principalAxes(central);
    frame = rotation;
    body.mass = m;
    if (moments.every((moment) => moment > 0)) body.inertia = moments;
    else warn(top.element.line, `link ${top.name} has no moments: those of its shapes`);
    body.centerOfMass = rotate(quatConjugate(frame), c);
  } else if (!fixed) {
    const weighed = shapes.reduce((total, { shape }) => total + massPropertiesOf(shape).mass, 0);
    warn(
      top.element.line,
      `link ${top.name} has no mass: ${weighed > 0 ? 'that of its shapes, of water' : '1 kg'}`,
    );
    if (!(weighed > 0)) Object.assign(body, { mass: 1, inertia: [0.01, 0.01, 0.01] });
  }
  const turn: Pose = { position: [0, 0, 0], rotation: frame };
  const unturn = inverse(turn);
  body.shape = shapes.map(({ shape, place }) => ({ ...shape, ...multiply(unturn, place) }));
  const start: Pose = { position: options.position ?? [0, 0, 0], rotation: options.rotation ?? Z_UP };
  Object.assign(body, multiply(multiply(start, top.pose), turn));
  const places = new Map(members.map((link) => [link.name, multiply(unturn, multiply(back, link.pose))]));
  return { links: members.map(({ name }) => name), options: body, places };
}

function jointOf(
  joint: JointRecord,
  bodies: UrdfBody[],
  warn: (line: number, text: string) => void,
): UrdfJoint | undefined {
  const { type, element, name, parent, child } = joint;
  if (type === 'floating') return undefined;
  const given = numbersOf(childOf(element, 'axis'), 'xyz', [1, 0, 0]) as Vec3;
  const length = Math.sqrt(given[0] * given[0] + given[1] * given[1] + given[2] * given[2]);
  if (!(length > 1e-9)) throw fault(element.line, `axis of joint ${name} must not be 0`);
  const along: Pose = {
    position: [0, 0, 0],
    rotation: quatFromTo([1, 0, 0], given.map((c) => c / length) as Vec3),
  };
  const frameA = multiply(multiply(bodies[parent.body]!.places.get(parent.name)!, joint.origin), along);
  const frameB = multiply(bodies[child.body]!.places.get(child.name)!, along);
  const limit = childOf(element, 'limit');
  const bounded = type === 'revolute' || type === 'prismatic';
  const lower = bounded ? numberOf(limit, 'lower', 0) : -Infinity;
  const upper = bounded ? numberOf(limit, 'upper', 0) : Infinity;
  // Bullet and MuJoCo, too, take limits that are the wrong way round, or both 0, as none.
  const free = !(lower < upper);
  if (bounded && free) warn(element.line, `joint ${name} has no range: it is free`);
  const dynamics = childOf(element, 'dynamics');
  const damping = numberOf(dynamics, 'damping', 0, 0);
  const friction = numberOf(dynamics, 'friction', 0, 0);
  const range = bounded && !free ? { low: lower, high: upper } : { low: 1, high: -1 };
  const axis = {
    ...range,
    ...(damping > 0 ? { spring: { stiffness: 0, damping } } : {}),
    ...(friction > 0 ? { motor: { velocity: 0, maxForce: friction } } : {}),
  };
  if (childOf(element, 'safety_controller') !== undefined)
    warn(element.line, `safety_controller of joint ${name} is left to the program`);
  const mimicElement = childOf(element, 'mimic');
  const common = { frameA, frameB };
  const options: JointOptions =
    type === 'prismatic'
      ? { ...common, type: 'slider', position: axis }
      : type === 'spherical'
        ? { ...common, type: 'point' }
        : type === 'planar'
          ? {
              ...common,
              type: 'generic',
              x: { low: 0, high: 0 },
              y: { low: 1, high: -1 },
              z: { low: 1, high: -1 },
              angleX: { low: 1, high: -1 },
              angleY: { low: 0, high: 0 },
              angleZ: { low: 0, high: 0 },
            }
          : { ...common, type: 'hinge', angle: axis };
  return {
    name,
    axis: type === 'prismatic' ? 'position' : type === 'revolute' || type === 'continuous' ? 'angle' : null,
    bodyA: parent.body,
    bodyB: child.body,
    options,
    lower: free ? -Infinity : lower,
    upper: free ? Infinity : upper,
    effort: limit?.attributes.has('effort') ? numberOf(limit, 'effort', 0, 0) || Infinity : Infinity,
    velocity: limit?.attributes.has('velocity') ? numberOf(limit, 'velocity', 0, 0) || Infinity : Infinity,
    mimic:
      mimicElement === undefined
        ? null
        : {
            joint: textOf(mimicElement, 'joint'),
            multiplier: numberOf(mimicElement, 'multiplier', 1),
            offset: numberOf(mimicElement, 'offset', 0),
          },
  };
}

/**
 * A robot as bodies and joints, for any world. Lengths are in m, angles in rad, as URDF has it.
 *
 * @throws PhysicsError 'damaged-file' that names the line: no XML, an unknown link, a link with two parents or below itself, a
 *   number that is none
 */
export function readUrdf(text: string, options: UrdfOptions = {}): Urdf {
  if (typeof text !== 'string') throw new PhysicsError('invalid-argument', 'must be a text', 'text', text);
  const robot = parseXml(text);
  if (robot.name !== 'robot') throw fault(robot.line, `must be <robot>, got <${robot.name}>`);
  const warnings: string[] = [];
  const warn = (line: number, what: string) => void warnings.push(`line ${line}: ${what}`);
  const { links, joints, root } = readTree(robot);
  const groups: Link[][] = [];
  for (const link of links) {
    const held = link.parent?.type === 'fixed';
    link.body = held ? link.parent!.parent.body : groups.push([]) - 1;
    groups[link.body]!.push(link);
  }
  let bodies: UrdfBody[];
  try {
    bodies = groups.map((members) => bodyOf(members, members[0] === root, options, warn));
  } catch (error) {
    if (error instanceof PhysicsError && error.code !== 'damaged-file')
      throw fault(robot.line, error.message);
    throw error;
  }
  const made = joints
    .filter(({ type }) => type !== 'fixed')
    .flatMap((joint) => jointOf(joint, bodies, warn) ?? []);
  for (const { mimic, name } of made)
    if (mimic !== null && !made.some((other) => other.name === mimic.joint && other.mimic === null))
      throw fault(
        joints.find((joint) => joint.name === name)!.element.line,
        `joint ${name} follows ${mimic.joint}, which is no joint that moves by itself`,
      );
  return { name: robot.attributes.get('name') ?? '', bodies, joints: made, warnings };
}
