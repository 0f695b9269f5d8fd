// Filters and materials. In: what the file says of pairs. Out: groups and masks, coefficients and rules of shapes.
import type { ShapeCommon } from 'ricochet';
import { fault, type Json, listAt, numberAt, objectAt } from './errors';

/** Group and mask of a collider. */
export interface Filter {
  group: number;
  mask: number;
}

const MOST_FILTERS = 31;

/**
 * Each filter of the file gets a group of its own, and the groups that it collides with; who has none gets the last. So every
 * rule about names of systems comes out as the file has it, and names are not counted.
 */
export function readFilters(
  extension: Json | undefined,
  path: string,
): { of(filter: number | undefined): Filter } {
  const filters = listAt(extension ?? {}, 'collisionFilters', path).map((value, i) => {
    const where = `${path}.collisionFilters[${i}]`;
    const json = objectAt(value, where);
    const names = (key: string) => {
      if (json[key] === undefined) return undefined;
      return listAt(json, key, where).map((name, k) => {
        if (typeof name !== 'string') throw fault(`${where}.${key}[${k}]`, 'must be a text', name);
        return name;
      });
    };
    return {
      systems: names('collisionSystems') ?? [],
      only: names('collideWithSystems'),
      not: names('notCollideWithSystems'),
    };
  });
  if (filters.length > MOST_FILTERS)
    throw fault(`${path}.collisionFilters`, `must be ${MOST_FILTERS} at most`, filters.length);
  filters.push({ systems: [], only: undefined, not: undefined });
  const accepts = (a: (typeof filters)[0], b: (typeof filters)[0]) =>
    (a.only === undefined || b.systems.some((name) => a.only!.includes(name))) &&
    !b.systems.some((name) => a.not?.includes(name));
  return {
    of(filter = filters.length - 1) {
      const own = filters[filter]!;
      let mask = 0;
      filters.forEach((other, i) => {
        if (accepts(own, other) && accepts(other, own)) mask |= 1 << i;
      });
      return { group: 1 << filter, mask };
    },
  };
}

const RULES = ['average', 'minimum', 'maximum', 'multiply'] as const;
type Rule = (typeof RULES)[number];

interface MaterialRecord {
  friction: number;
  restitution: number /** Absent: the other's rule holds, and of two that say nothing the average. */;
  frictionCombine: Rule | undefined;
  restitutionCombine: Rule | undefined;
}

/** What the extension says of colliders without a material is nothing: the defaults of a material. */
const PLAIN: MaterialRecord = {
  friction: 0.6,
  restitution: 0,
  frictionCombine: undefined,
  restitutionCombine: undefined,
};

export function readMaterials(
  extension: Json | undefined,
  path: string,
  warn: (text: string) => void,
): { of(material: number | undefined): ShapeCommon } {
  const list = listAt(extension ?? {}, 'physicsMaterials', path);
  const materials = list.map((value, i): MaterialRecord => {
    const where = `${path}.physicsMaterials[${i}]`;
    const json = objectAt(value, where);
    const coefficient = (key: string, fallback: number) =>
      numberAt(json, key, where, fallback, { min: 0, max: 1e6 });
    const rule = (key: string): Rule | undefined => {
      const given = json[key];
      if (given === undefined) return undefined;
      if (!RULES.includes(given as Rule))
        throw fault(`${where}.${key}`, `must be one of ${RULES.join(', ')}`, given);
      return given as Rule;
    };
    const still = coefficient('staticFriction', 0.6);
    const sliding = coefficient('dynamicFriction', 0.6);
    if (
      json['staticFriction'] !== undefined &&
      json['dynamicFriction'] !== undefined &&
      Math.abs(still - sliding) > 0.2 * sliding
    )
      warn(`${where}: one friction for rest and for sliding: dynamicFriction ${sliding}`);
    return {
      friction: json['dynamicFriction'] === undefined ? still : sliding,
      restitution: Math.min(1, coefficient('restitution', 0)),
      frictionCombine: rule('frictionCombine'),
      restitutionCombine: rule('restitutionCombine'),
    };
  });
  // A priority decides about both rules: it follows the one that differs between materials.
  const all = [...materials, PLAIN];
  const varied = (key: 'frictionCombine' | 'restitutionCombine') =>
    new Set(all.map((material) => material[key])).size > 1;
  const by = varied('frictionCombine') ? 'frictionCombine' : 'restitutionCombine';
  if (
    varied('frictionCombine') &&
    varied('restitutionCombine') &&
    all.some((m) => m.frictionCombine !== m.restitutionCombine)
  )
    warn(
      `${path}.physicsMaterials: where rules of two materials differ, that of friction decides about restitution, too`,
    );
  return {
    of(index) {
      const material = index === undefined ? PLAIN : materials[index]!;
      const { friction, restitution, frictionCombine = 'average', restitutionCombine = 'average' } = material;
      const rule = material[by];
      const combinePriority = rule === undefined ? 0 : RULES.length - RULES.indexOf(rule);
      return { friction, restitution, frictionCombine, restitutionCombine, combinePriority };
    },
  };
}
