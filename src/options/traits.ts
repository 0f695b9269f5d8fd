// Rarely used options of shapes: a collision filter, combine rules, surface velocity, one-way direction. In: the user's
// options. Out: the fields of the commands that set them, checked; also stored in this form.

import { MAX_DENSITY, MAX_GRAVITY, MAX_SETTING, MAX_SIZE, MAX_VELOCITY } from '../base/limits';
import {
  COORDINATE,
  checkInteger,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkWord,
  invalid,
  NON_NEGATIVE,
  type Range,
  readVec3,
  SIGNED,
  vec3Of,
} from '../base/validate';
import { AREA_ACTS, AREA_HAS_LEVEL, AREA_REPLACES, SHAPE_PLANE } from '../core/memory/constants';
import type { AreaOptions, CombineRule, Falloff, ShapeChanges, Vec3Like } from '../types';
import type { CommandRow } from '../wasm/commandRow';
import * as rows from '../wasm/core-commands';
import { SetArea, SetCombineRules, SetShapeFilter, SetSurface } from '../wasm/core-commands';
import { COMBINE_RULES } from './settings';

/** Fields of the commands, after the shape; what is not there is as in NO_TRAITS. Replaced as a whole, never changed. */
export interface ShapeTraits {
  readonly filter?: readonly number[];
  readonly rules?: readonly number[];
  readonly surface?: readonly number[];
  readonly area?: readonly number[];
}

export type TraitName = keyof ShapeTraits;

/** What a shape has of which nothing is said. */
export const NO_TRAITS: Required<ShapeTraits> = {
  filter: [0, 1, -1],
  rules: [-1, -1, 0],
  surface: [0, 0, 0, 0, 0, 0, 0, 0, 0],
  area: Array(16).fill(0),
};
export const TRAIT_NAMES = /* @__PURE__ */ Object.keys(NO_TRAITS) as readonly TraitName[];

/** The commands that set them. */
export const TRAIT_COMMANDS: Readonly<Record<TraitName, CommandRow>> = {
  filter: rows.setShapeFilter,
  rules: rows.setCombineRules,
  surface: rows.setSurface,
  area: rows.setArea,
};

/** The options that make them. */
export const TRAIT_OPTIONS = [
  'group',
  'mask',
  'frictionCombine',
  'restitutionCombine',
  'combinePriority',
  'surfaceVelocity',
  'oneWay',
  'area',
] as const satisfies readonly (keyof ShapeChanges)[];

const VELOCITY = SIGNED(MAX_VELOCITY);
const MOST_PRIORITY = 100;
// Places of fields, after the shape.
const at = (field: number) => field - 1;
const GROUP = at(SetShapeFilter.group);
const MASK = at(SetShapeFilter.mask);
const FRICTION = at(SetCombineRules.friction);
const RESTITUTION = at(SetCombineRules.restitution);
const PRIORITY = at(SetCombineRules.priority);
const LINEAR = at(SetSurface.linear);
const ANGULAR = at(SetSurface.angular);
const ONE_WAY = at(SetSurface.oneWay);

const AREA_OPTIONS = [
  'gravity',
  'attraction',
  'gravityMode',
  'priority',
  'velocity',
  'linearDrag',
  'quadraticDrag',
  'angularDrag',
  'density',
  'level',
] as const satisfies readonly (keyof AreaOptions)[];
/** By the power of the distance. */
export const FALLOFFS: readonly Falloff[] = ['constant', 'linear', 'quadratic'];

const isSame = (a: readonly number[], b: readonly number[]) => a.every((value, i) => value === b[i]);

/** `traits` with some fields; undefined where nothing is left that a shape does not have anyway. */
export function withTrait(
  traits: ShapeTraits | undefined,
  name: TraitName,
  fields: readonly number[],
): ShapeTraits | undefined {
  const { [name]: _, ...rest } = traits ?? {};
  if (!isSame(fields, NO_TRAITS[name])) return { ...rest, [name]: fields };
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** The names of those in which two differ. */
export function changedTraits(before: ShapeTraits | undefined, after: ShapeTraits | undefined): TraitName[] {
  return TRAIT_NAMES.filter(
    (name) => !isSame(before?.[name] ?? NO_TRAITS[name], after?.[name] ?? NO_TRAITS[name]),
  );
}

/** What `given` says, checked, over what there was; null takes an option back. `argument`: of the options, '' for none. */
export function mergeTraits(
  traits: ShapeTraits | undefined,
  given: Record<string, unknown>,
  argument: string,
  { type, sensor }: { type: number; sensor: boolean },
): ShapeTraits | undefined {
  if (TRAIT_OPTIONS.every((name) => given[name] === undefined)) return traits;
  const path = (name: string) => (argument === '' ? name : `${argument}.${name}`);
  const filter = [...(traits?.filter ?? NO_TRAITS.filter)];
  const rules = [...(traits?.rules ?? NO_TRAITS.rules)];
  const surface = [...(traits?.surface ?? NO_TRAITS.surface)];
  const { group, mask, frictionCombine, restitutionCombine, combinePriority } = given;

  if (group === null || mask === null) filter.splice(0, 3, ...NO_TRAITS.filter);
  const bits = (value: unknown, name: string, place: number) => {
    if (value === undefined || value === null) return;
    filter[place] = checkWord(value, path(name));
    filter[0] = 1;
  };
  bits(group, 'group', GROUP);
  bits(mask, 'mask', MASK);

  const rule = (value: unknown, name: string, place: number) => {
    if (value === null) rules[place] = -1;
    else if (value !== undefined)
      rules[place] = COMBINE_RULES.indexOf(checkOneOf(value, path(name), COMBINE_RULES));
  };
  rule(frictionCombine, 'frictionCombine', FRICTION);
  rule(restitutionCombine, 'restitutionCombine', RESTITUTION);
  if (combinePriority === null) rules[PRIORITY] = 0;
  else if (combinePriority !== undefined)
    rules[PRIORITY] = checkInteger(combinePriority, path('combinePriority'), -MOST_PRIORITY, MOST_PRIORITY);

  readSurfaceVelocity(given['surfaceVelocity'], path('surfaceVelocity'), surface);
  if (given['oneWay'] === null) surface.fill(0, ONE_WAY);
  else if (given['oneWay'] !== undefined) {
    if (type > SHAPE_PLANE)
      throw invalid(
        path('oneWay'),
        'is only for convex shapes and planes: use a one-sided mesh',
        given['oneWay'],
      );
    const way = vec3Of(given['oneWay'] as Vec3Like, path('oneWay'));
    const length = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    if (!(length > 1e-6)) throw invalid(path('oneWay'), 'must not have length 0', given['oneWay']);
    for (let i = 0; i < 3; i++) surface[ONE_WAY + i] = Math.fround(way[i]! / length);
  }
  let area = traits?.area ?? NO_TRAITS.area;
  if (given['area'] === null) area = NO_TRAITS.area;
  else if (given['area'] !== undefined) {
    if (type > SHAPE_PLANE) throw invalid(path('area'), 'is for convex shapes and planes', given['area']);
    if (!sensor) throw invalid(path('area'), 'is for sensors', given['area']);
    area = readArea(given['area'], path('area'));
  }
  let merged = withTrait(withTrait(traits, 'area', area), 'filter', filter);
  merged = withTrait(merged, 'rules', rules);
  return withTrait(merged, 'surface', surface);
}

function readSurfaceVelocity(value: unknown, argument: string, surface: number[]): void {
  if (value === undefined) return;
  surface.fill(0, 0, ONE_WAY);
  if (value === null) return;
  const { linear, angular } = checkOptions(value, argument, ['linear', 'angular']);
  if (linear !== undefined) readVec3(linear, `${argument}.linear`, VELOCITY, surface, LINEAR);
  if (angular !== undefined) readVec3(angular, `${argument}.angular`, VELOCITY, surface, ANGULAR);
  for (let i = 0; i < ONE_WAY; i++) surface[i] = Math.fround(surface[i]!);
}

/** The fields of SET_AREA, after the shape. */
function readArea(value: unknown, argument: string): readonly number[] {
  const given = checkOptions(value, argument, AREA_OPTIONS);
  const fields: number[] = [...NO_TRAITS.area];
  const number = (name: (typeof AREA_OPTIONS)[number], field: number, range: Range) => {
    if (given[name] !== undefined) fields[at(field)] = checkNumber(given[name], `${argument}.${name}`, range);
  };
  let flags = AREA_ACTS;
  const mode = given['gravityMode'];
  if (mode !== undefined && checkOneOf(mode, `${argument}.gravityMode`, ['add', 'replace']) === 'replace')
    flags |= AREA_REPLACES;
  if (given['level'] !== undefined) flags |= AREA_HAS_LEVEL;
  if (given['priority'] !== undefined)
    fields[at(SetArea.priority)] = checkInteger(
      given['priority'],
      `${argument}.priority`,
      -MOST_PRIORITY,
      MOST_PRIORITY,
    );
  if (given['gravity'] !== undefined)
    readVec3(given['gravity'], `${argument}.gravity`, SIGNED(MAX_GRAVITY), fields, at(SetArea.gravity));
  if (given['velocity'] !== undefined)
    readVec3(given['velocity'], `${argument}.velocity`, VELOCITY, fields, at(SetArea.velocity));
  number('linearDrag', SetArea.linearDrag, NON_NEGATIVE(MAX_SETTING));
  number('quadraticDrag', SetArea.quadraticDrag, NON_NEGATIVE(MAX_SETTING));
  number('angularDrag', SetArea.angularDrag, NON_NEGATIVE(MAX_SETTING));
  number('density', SetArea.density, NON_NEGATIVE(MAX_DENSITY));
  number('level', SetArea.level, COORDINATE);
  if (given['attraction'] !== undefined) {
    const path = `${argument}.attraction`;
    const {
      strength,
      distance = 1,
      falloff = 'quadratic',
    } = checkOptions(given['attraction'], path, ['strength', 'distance', 'falloff']);
    fields[at(SetArea.attraction)] = checkNumber(strength, `${path}.strength`, SIGNED(MAX_GRAVITY));
    fields[at(SetArea.distance)] = checkNumber(distance, `${path}.distance`, {
      min: 0,
      max: MAX_SIZE,
      open: true,
    });
    fields[at(SetArea.falloff)] = FALLOFFS.indexOf(checkOneOf(falloff, `${path}.falloff`, FALLOFFS));
  }
  fields[at(SetArea.flags)] = flags;
  return fields.map(Math.fround);
}

function describeArea(fields: readonly number[]): AreaOptions {
  const of = (field: number) => fields[at(field)]!;
  const vector = (field: number) => fields.slice(at(field), at(field) + 3) as [number, number, number];
  return {
    gravity: vector(SetArea.gravity),
    ...(of(SetArea.distance) > 0 && {
      attraction: {
        strength: of(SetArea.attraction),
        distance: of(SetArea.distance),
        falloff: FALLOFFS[of(SetArea.falloff)]!,
      },
    }),
    gravityMode: of(SetArea.flags) & AREA_REPLACES ? 'replace' : 'add',
    priority: of(SetArea.priority),
    velocity: vector(SetArea.velocity),
    linearDrag: of(SetArea.linearDrag),
    quadraticDrag: of(SetArea.quadraticDrag),
    angularDrag: of(SetArea.angularDrag),
    density: of(SetArea.density),
    ...(of(SetArea.flags) & AREA_HAS_LEVEL && { level: of(SetArea.level) }),
  };
}

/** The options that would make them. */
export function describeTraits(traits: ShapeTraits): ShapeChanges {
  const { filter, rules, surface, area } = traits;
  const vector = (from: number) => surface!.slice(from, from + 3) as [number, number, number];
  return {
    ...(filter && { group: filter[GROUP]!, mask: filter[MASK]! }),
    ...(rules && {
      ...(rules[FRICTION]! >= 0 && { frictionCombine: COMBINE_RULES[rules[FRICTION]!] as CombineRule }),
      ...(rules[RESTITUTION]! >= 0 && {
        restitutionCombine: COMBINE_RULES[rules[RESTITUTION]!] as CombineRule,
      }),
      ...(rules[PRIORITY] !== 0 && { combinePriority: rules[PRIORITY]! }),
    }),
    ...(surface?.some((value, i) => i < ONE_WAY && value !== 0) && {
      surfaceVelocity: { linear: vector(LINEAR), angular: vector(ANGULAR) },
    }),
    ...(surface?.some((value, i) => i >= ONE_WAY && value !== 0) && { oneWay: vector(ONE_WAY) }),
    ...(area && { area: describeArea(area) }),
  };
}
