// The value of a collider's ref: a shape with Rapier's names. In: calls. Out: changes of the shape.
import type { ShapeId } from 'ricochet';
import type { ColliderEntry } from './colliderEntry';
import { CoefficientCombineRule } from './math';
import type { RigidBodyApi } from './rigidBodyApi';

/** A collider, with the names of Rapier's Collider. */
export class ColliderApi {
  /** @internal Made by collider components. */
  constructor(private readonly entry: ColliderEntry) {}

  /** The id of the shape; it changes if a new shape is needed. */
  get handle(): ShapeId {
    return this.entry.shapeId;
  }

  /** False after it was removed. */
  isValid(): boolean {
    return this.entry.shapeId !== 0;
  }

  /** null for a collider without a body. */
  parent(): RigidBodyApi | null {
    const { owner } = this.entry;
    return owner === null || owner.standsAlone ? null : owner.api;
  }

  /** Whether it only reports contacts. */
  isSensor(): boolean {
    return this.entry.merged.sensor === true;
  }

  /** Coulomb's coefficient. */
  friction(): number {
    return this.entry.merged.friction ?? 0.5;
  }

  /** Coefficient of restitution. */
  restitution(): number {
    return this.entry.merged.restitution ?? 0;
  }

  /** Acts until the prop changes. */
  setSensor(sensor: boolean): void {
    this.entry.override({ sensor });
  }

  /** Coulomb's coefficient, ≥ 0. */
  setFriction(friction: number): void {
    this.entry.override({ friction });
  }

  /** Coefficient of restitution, 0 to 1. */
  setRestitution(restitution: number): void {
    this.entry.override({ restitution });
  }

  /** kg/m³. */
  setDensity(density: number): void {
    this.entry.override({ density });
  }

  /** kg. */
  setMass(mass: number): void {
    this.entry.override({ mass });
  }

  /** Rapier's bits of the types of bodies with which it collides. */
  setActiveCollisionTypes(activeCollisionTypes: number): void {
    this.entry.override({ activeCollisionTypes });
  }

  /** Memberships and filter, see `interactionGroups`. */
  collisionGroups(): number {
    return this.entry.groups ?? 0xffffffff;
  }

  /** See `interactionGroups`; replaces that of its body. */
  setCollisionGroups(collisionGroups: number): void {
    this.entry.override({ collisionGroups });
  }

  /** How its friction is combined with that of another collider. */
  frictionCombineRule(): CoefficientCombineRule {
    return this.entry.merged.frictionCombineRule ?? CoefficientCombineRule.Average;
  }

  /** See `CoefficientCombineRule`. */
  setFrictionCombineRule(frictionCombineRule: CoefficientCombineRule): void {
    this.entry.override({ frictionCombineRule });
  }

  /** How its restitution is combined with that of another collider. */
  restitutionCombineRule(): CoefficientCombineRule {
    return this.entry.merged.restitutionCombineRule ?? CoefficientCombineRule.Average;
  }

  /** See `CoefficientCombineRule`. */
  setRestitutionCombineRule(restitutionCombineRule: CoefficientCombineRule): void {
    this.entry.override({ restitutionCombineRule });
  }

  /** No effect: hooks are called for all colliders. */
  setActiveHooks(_hooks: number): void {}
}
