// Values that the solver derives from the settings once per step: substep length and softness of contacts.
// Soft constraints: E. Catto, "Soft Constraints" (GDC 2011) and "Solver2D" (2024). With frequency ω and damping ratio
// ζ, per substep h:
//   bias = ω/(2ζ + hω),  a = hω(2ζ + hω),  massScale = a/(1 + a),  impulseScale = 1/(1 + a)
// Bullet's ERP and CFM give bias = erp/h, and impulseScale from cfm as feedback λ·cfm.

import { PI } from '../math/constants';
import { length } from '../math/vector';
import { world } from '../memory/tables';
import { SHARED_CONTEXT } from '../threads/control';
import { THREADED } from '../threads/mode';
import { HIGH_LOAD, ROUNDING, TOWER_LOAD, TOWER_PATCHES, USUAL_GRAVITY, WEIGHTLESS_SAG } from '../tolerances';

/**
 * Most manifolds that the impacts of a step may solve: this number, or so many for each contact. Where bodies that bounce
 * are stacked, contacts come and go in every substep, and each of these impacts would solve the whole stack again. What is
 * beyond this limit is left to the passes, as in a world with too many impacts at once.
 */
const LEAST_IMPACT_WORK = 2500;
const IMPACT_WORK_PER_CONTACT = 8;

/** @unmanaged */
export class StepContext {
  dt: f32; // s, the whole step
  substeps: i32; // of this step; can exceed the setting if joints need more (substeps.ts)
  h: f32; // s, one substep
  inverseH: f32;
  biasRate: f32; // of contacts between two dynamic bodies
  massScale: f32;
  impulseScale: f32;
  staticBiasRate: f32; // of contacts with a body that cannot move
  staticMassScale: f32;
  staticImpulseScale: f32;
  pushSpeed: f32; // m/s, ≤ 0
  slop: f32;
  warmstarting: f32;
  highLoad: f32; // m/s: velocity change per substep above which the mass ratio is high; see massRatio.ts
  towerLoad: f32; // likewise: above which the contact may belong to a tower, and a scale; see prepare.ts
  towerScale: f32;
  leastLoad: f32; // likewise: below which a manifold is none of these
  towerPatches: f32; // manifolds that may bear a load together
  lastPass: i32; // 1 in the last biased pass of a substep and in the relax pass; 0 in passes over joints that need not be exact
  bears: i32; // 1: some contact with a high mass ratio bears bodies that are many times as heavy as those below
  counts: i32; // 1 during the last pass of a substep, whose impulses are added to the points' totals
  passed: f32; // share of the step that has passed at the time of the substep's velocities
  ends: i32; // 1 in the last substep
  carriers: i32; // number of moving kinematic bodies and surfaces
  seams: i32; // number of bodies marked in this step (contacts/noteSeams.ts)
  impactWork: i32; // manifolds that impacts may still solve in this step (impactSolver.ts)
}

const CONTEXT: usize = memory.data(offsetof<StepContext>(), 16);

/** @inline */
export function context(): StepContext {
  return changetype<StepContext>(THREADED ? <usize>SHARED_CONTEXT : CONTEXT);
}

export function makeContext(dt: f32, substeps: i32): void {
  const g = world();
  const c = context();
  c.dt = dt;
  c.substeps = substeps;
  c.h = dt / <f32>substeps;
  c.inverseH = c.h > 0 ? <f32>1 / c.h : 0;
  // Along the normal, so that the bodies separate. Contacts at this speed bear no more load when they are pressed further.
  c.pushSpeed = -g.contactPushSpeed * max(1, length(g.gravity) / USUAL_GRAVITY);
  c.slop = g.contactSlop;
  c.warmstarting = g.warmstartingFactor;
  c.seams = 0;
  c.impactWork = max(LEAST_IMPACT_WORK, IMPACT_WORK_PER_CONTACT * g.contactCount);
  c.lastPass = 0; // the passes over new contacts come before any other and are not last passes
  c.counts = 0;
  c.highLoad = HIGH_LOAD * c.h * length(g.gravity);
  if (!(c.highLoad > 0) || g.contactErpMode) c.highLoad = Infinity;
  c.towerLoad = c.highLoad * (TOWER_LOAD / HIGH_LOAD);
  // Velocity changes per substep to accelerations; see prepare.ts.
  const omega = <f32>2 * PI * min(g.contactHertz, <f32>0.25 * c.inverseH);
  const weight = c.h * omega * length(g.gravity);
  // Without weight a load is high if contacts would yield to it as far.
  if (weight == 0 && !g.contactErpMode)
    c.highLoad = c.h * omega * omega * WEIGHTLESS_SAG * g.contactBreakingThreshold;
  c.towerScale = c.inverseH / (weight * weight);
  c.towerPatches = g.shapeCount > g.bodyCount ? TOWER_PATCHES : 1; // some body has several shapes
  c.leastLoad = min(c.highLoad, c.towerLoad / c.towerPatches);
  if (g.contactErpMode) {
    c.biasRate = g.contactErp * c.inverseH;
    c.staticBiasRate = c.biasRate;
    c.massScale = 1;
    c.staticMassScale = 1;
    c.impulseScale = g.contactCfm;
    c.staticImpulseScale = g.contactCfm;
    return;
  }
  // A frequency above a quarter of the substep rate only adds noise.
  const hertz = min(g.contactHertz, <f32>0.25 * c.inverseH);
  const stiffness = max(ROUNDING, g.staticStiffness);
  soften(hertz, g.contactDampingRatio, false);
  soften(hertz * stiffness, g.contactDampingRatio / stiffness, true);
}

function soften(hertz: f32, zeta: f32, isStatic: bool): void {
  const c = context();
  const omega = <f32>2 * PI * hertz;
  const a1 = <f32>2 * zeta + c.h * omega;
  const a2 = c.h * omega * a1;
  const a3 = <f32>1 / (<f32>1 + a2);
  const bias = omega > 0 ? omega / a1 : 0;
  if (isStatic) {
    c.staticBiasRate = bias;
    c.staticMassScale = a2 * a3;
    c.staticImpulseScale = a3;
  } else {
    c.biasRate = bias;
    c.massScale = a2 * a3;
    c.impulseScale = a3;
  }
}
