// Joints. In: limits and drives of a joint description. Out: joints of the engine between two frames: one that bounds each
// axis, and one more for each limit on a distance from a point, which no axis alone can tell.
import type { JointAxisOptions, JointOptions, RotationOrder } from 'ricochet';
import { checkIndex, fault, type Json, listAt, numberAt, objectAt } from './errors';

type AxisName = 'x' | 'y' | 'z' | 'angleX' | 'angleY' | 'angleZ';
const LINEAR = ['x', 'y', 'z'] as const;
const ANGULAR = ['angleX', 'angleY', 'angleZ'] as const;
const LETTERS = ['x', 'y', 'z'] as const;
const MOST_FORCE = 1e15;
const FREE = { low: 1, high: -1 };
const TWO_PI = 2 * Math.PI;

/** All but the bodies and frames. */
export type JointDescription = Extract<JointOptions, { type: 'generic' | 'distance' | 'coneTwist' }>;

interface Limit {
  axes: number[];
  angular: boolean;
  low: number;
  high: number;
  stiffness: number | undefined;
  damping: number;
}

function readLimit(value: unknown, path: string): Limit {
  const json = objectAt(value, path);
  const linear = listAt(json, 'linearAxes', path);
  const angular = listAt(json, 'angularAxes', path);
  if (linear.length > 0 === angular.length > 0) throw fault(path, 'must have linearAxes or angularAxes');
  const key = linear.length > 0 ? 'linearAxes' : 'angularAxes';
  const axes = (linear.length > 0 ? linear : angular).map((axis, i) =>
    checkIndex(axis, `${path}.${key}[${i}]`, 3),
  );
  if (new Set(axes).size !== axes.length) throw fault(`${path}.${key}`, 'must not name an axis twice', axes);
  const low = numberAt(json, 'min', path, -Infinity);
  const high = numberAt(json, 'max', path, Infinity);
  if (low > high) throw fault(`${path}.min`, 'must not be above max', low);
  const stiffness =
    json['stiffness'] === undefined ? undefined : numberAt(json, 'stiffness', path, 0, { min: 0, max: 1e15 });
  return {
    axes,
    angular: angular.length > 0,
    low,
    high,
    stiffness,
    damping: numberAt(json, 'damping', path, 0, { min: 0, max: 1e15 }),
  };
}

const locks = ({ low, high, stiffness }: Limit) => low === high && stiffness === undefined;

/** What a limit makes of one axis. */
function axisOf(
  { low, high, stiffness, damping }: Limit,
  path: string,
  warn: (text: string) => void,
): JointAxisOptions {
  if (stiffness !== undefined && stiffness > 0 && low === high)
    return { ...FREE, spring: { stiffness, damping, target: low } };
  if (stiffness === 0) return { ...FREE };
  if (stiffness !== undefined) warn(`${path}.stiffness: a soft limit with a range is hard here`);
  return { low: Math.max(low, -1e9), high: Math.min(high, 1e9) };
}

function readDrive(
  value: unknown,
  path: string,
  axes: Partial<Record<AxisName, JointAxisOptions>>,
  warn: (text: string) => void,
): void {
  const json = objectAt(value, path);
  const { type, mode = 'force' } = json as { type?: unknown; mode?: unknown };
  if (type !== 'linear' && type !== 'angular')
    throw fault(`${path}.type`, "must be 'linear' or 'angular'", type);
  if (mode !== 'force' && mode !== 'acceleration')
    throw fault(`${path}.mode`, "must be 'force' or 'acceleration'", mode);
  const axis = checkIndex(json['axis'], `${path}.axis`, 3);
  const name = (type === 'linear' ? LINEAR : ANGULAR)[axis]!;
  const maxForce = numberAt(json, 'maxForce', path, MOST_FORCE, { min: 0, max: Infinity });
  const stiffness = numberAt(json, 'stiffness', path, 0, { min: 0, max: 1e15 });
  const damping = numberAt(json, 'damping', path, 0, { min: 0, max: 1e15 });
  const target = numberAt(json, 'positionTarget', path, 0);
  const velocity = numberAt(json, 'velocityTarget', path, 0);
  const own = (axes[name] ??= { ...FREE });
  const force = Math.min(maxForce, MOST_FORCE);
  if (stiffness > 0) {
    if (velocity !== 0) warn(`${path}.velocityTarget: left out beside a stiffness`);
    own.spring =
      mode === 'force'
        ? { stiffness, damping, target, maxForce: force }
        : {
            hertz: Math.sqrt(stiffness) / TWO_PI,
            dampingRatio: damping / (2 * Math.sqrt(stiffness)),
            target,
            maxForce: force,
          };
  } else if (damping > 0) {
    own.motor = { velocity, maxForce: force };
    if (maxForce >= MOST_FORCE && velocity !== 0 && mode === 'force')
      warn(`${path}.damping: the velocity is held with any force`);
  }
}

/** The joints that a description makes between the frames of two nodes; B against A is the connected node against the other. */
export function readJoint(json: Json, path: string, warn: (text: string) => void): JointDescription[] {
  const limits = listAt(json, 'limits', path).map((value, i) => readLimit(value, `${path}.limits[${i}]`));
  const axes: Partial<Record<AxisName, JointAxisOptions>> = {};
  const more: JointDescription[] = [];
  limits.forEach((limit, i) => {
    const where = `${path}.limits[${i}]`;
    const names = limit.axes.map((axis) => (limit.angular ? ANGULAR : LINEAR)[axis]!);
    const single = limit.axes.length === 1 || (limit.low <= 0 && limit.high === 0);
    if (!single && !limit.angular && limit.axes.length === 3) {
      const { low = 0, high = 0, spring } = axisOf({ ...limit, low: Math.max(limit.low, 0) }, where, warn);
      // One distance is a rod, or a spring of that length; none is held where its stiffness is 0.
      if (spring !== undefined) more.push({ type: 'distance', distance: { low: 1, high: 0, spring } });
      else if (low <= high) more.push({ type: 'distance', distance: { low, high } });
      return;
    }
    const range = single ? limit : { ...limit, low: -limit.high };
    if (!single)
      warn(`${where}: a ${limit.angular ? 'cone' : 'distance from a line'} is a limit of each axis here`);
    for (const name of names)
      axes[name] = axisOf(
        limit.high === 0 && limit.axes.length > 1 ? { ...limit, low: 0 } : range,
        where,
        warn,
      );
  });
  for (const [i, drive] of listAt(json, 'drives', path).entries())
    readDrive(drive, `${path}.drives[${i}]`, axes, warn);

  // Of Euler angles the middle one has ±90° only: a locked one belongs there, and the widest first.
  const locked = (axis: number) =>
    limits.some((limit) => limit.angular && locks(limit) && limit.axes.includes(axis));
  const freed = [0, 1, 2].filter((axis) => !locked(axis));
  const fixed = [0, 1, 2].filter(locked);
  const sequence =
    freed.length === 2
      ? [freed[0]!, fixed[0]!, freed[1]!]
      : freed.length === 1
        ? [...freed, ...fixed]
        : [0, 1, 2];
  const order = sequence.map((axis) => LETTERS[axis]).join('') as RotationOrder;
  const generic: JointDescription = { type: 'generic', order };
  for (const name of [...LINEAR, ...ANGULAR]) generic[name] = axes[name] ?? { ...FREE };
  const all = Object.keys(axes).length > 0 ? [generic] : [];
  return [...all, ...more];
}

/** An axis counted the other way. */
function reversed({ low, high, spring, motor, ...rest }: JointAxisOptions): JointAxisOptions {
  return {
    ...rest,
    ...(low !== undefined && high !== undefined && { low: 0 - high, high: 0 - low }),
    ...(spring && { spring: { ...spring, target: 0 - (spring.target ?? 0) } }),
    ...(motor && { motor: { ...motor, velocity: 0 - motor.velocity } }),
  };
}

/** A joint of two nodes that are mirrored: their frames have the third axis the other way, which closes a right-handed frame. */
export function mirroredJoint(description: JointDescription): JointDescription {
  if (description.type !== 'generic') return description;
  const turned = { ...description };
  for (const name of ['z', 'angleX', 'angleY'] as const)
    if (turned[name] !== undefined) turned[name] = reversed(turned[name]);
  return turned;
}
