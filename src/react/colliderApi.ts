// What a ref of a collider holds: a shape in Rapier's words. In: calls. Out: changes of its props' effect on the body.
import type { ShapeId } from 'ricochet';
import type { ColliderEntry } from './colliderEntry';
import { CoefficientCombineRule } from './math';
import type { RigidBodyApi } from './rigidBodyApi';

/** A collider, with the names of Rapier's Collider. */
export class ColliderApi {
  /** @internal Made by collider components. */
  constructor(private readonly entry: ColliderEntry) {}

  /** The id of the shape; another one after a change that needs another shape. */
  get handle(): ShapeId {
    return this.entry.shapeId;
  }

  /** False once it was removed. */
  isValid(): boolean {
    return this.entry.shapeId !== 0;
  }

  /** null for a collider without a body. */
  parent(): RigidBodyApi | null {
    const { owner } = this.entry;
    return owner === null || owner.standsAlone ? null : owner.api;
  }

  /** Whether it reports only. */
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

  /** Until the prop changes. */
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

  /** Rapier's bits of the types of bodies that it collides with. */
  setActiveCollisionTypes(activeCollisionTypes: number): void {
    this.entry.override({ activeCollisionTypes });
  }

  /** Memberships and filter, see `interactionGroups`. */
  collisionGroups(): number {
    return this.entry.groups ?? 0xffffffff;
  }

  /** See `interactionGroups`; in place of its body's. */
  setCollisionGroups(collisionGroups: number): void {
    this.entry.override({ collisionGroups });
  }

  /** How its friction and another's become one. */
  frictionCombineRule(): CoefficientCombineRule {
    return this.entry.merged.frictionCombineRule ?? CoefficientCombineRule.Average;
  }

  /** See `CoefficientCombineRule`. */
  setFrictionCombineRule(frictionCombineRule: CoefficientCombineRule): void {
    this.entry.override({ frictionCombineRule });
  }

  /** How its restitution and another's become one. */
  restitutionCombineRule(): CoefficientCombineRule {
    return this.entry.merged.restitutionCombineRule ?? CoefficientCombineRule.Average;
  }

  /** See `CoefficientCombineRule`. */
  setRestitutionCombineRule(restitutionCombineRule: CoefficientCombineRule): void {
    this.entry.override({ restitutionCombineRule });
  }

  /** Hooks are asked for every collider: there is nothing to switch on. */
  setActiveHooks(_hooks: number): void {}
}
