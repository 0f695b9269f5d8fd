// Values that the solver derives from the settings once per step: substep length and softness of contacts.
// Soft constraints: E. Catto, "Soft Constraints" (GDC 2011) and "Solver2D" (2024). With frequency ω and damping ratio
// ζ, per substep h:
//   bias = ω/(2ζ + hω),  a = hω(2ζ + hω),  massScale = a/(1 + a),  impulseScale = 1/(1 + a)
// Bullet's ERP and CFM give bias = erp/h, and impulseScale from cfm as feedback λ·cfm.

import { length } from '../math/vector';
import { world } from '../memory/tables';

/** m/s; a faster contact is an impact: its impulse is not used to warm start the next substep (restitution.ts). */
export const IMPACT_SPEED: f32 = 0.5;

/** Weights of the lighter body. */
const HIGH_LOAD: f32 = 64;

const PI: f32 = 3.14159265;

/** @unmanaged */
export class StepContext {
  dt: f32; // s, the whole step
  substeps: i32; // of this step: more than the setting where joints need them (substeps.ts)
  h: f32; // s, one substep
  inverseH: f32;
  biasRate: f32; // between two moving bodies
  massScale: f32;
  impulseScale: f32;
  staticBiasRate: f32; // against something that cannot move
  staticMassScale: f32;
  staticImpulseScale: f32;
  pushSpeed: f32; // m/s, ≤ 0
  slop: f32;
  warmstarting: f32;
  highLoad: f32; // m/s: change of velocity per substep beyond which a load is high; see massRatio.ts
  lastPass: i32; // 1 while the running biased pass is the last of its substep
  countBiased: i32; // 1 in such a pass that no relaxing one follows
  passed: f32; // of the step, at the time for which the running substep finds velocities
  carriers: i32; // kinematic bodies that move, and surfaces
  seams: i32; // bodies that were marked in this step (contacts/noteSeams.ts)
}

const CONTEXT: usize = memory.data(offsetof<StepContext>(), 16);

/** @inline */
export function context(): StepContext {
  return changetype<StepContext>(CONTEXT);
}

export function makeContext(dt: f32, substeps: i32): void {
  const g = world();
  const c = context();
  c.dt = dt;
  c.substeps = substeps;
  c.h = dt / <f32>substeps;
  c.inverseH = c.h > 0 ? <f32>1 / c.h : 0;
  c.pushSpeed = -g.contactPushSpeed; // along the normal, away from the partner
  c.slop = g.contactSlop;
  c.warmstarting = g.warmstartingFactor;
  c.seams = 0;
  c.lastPass = 0; // of the passes over what is fresh, before any other: those of the last step do not count
  c.countBiased = 0;
  c.highLoad = HIGH_LOAD * c.h * length(g.gravity);
  if (!(c.highLoad > 0) || g.contactErpMode) c.highLoad = Infinity;
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
  const hertz = max(LEAST, min(g.contactHertz, <f32>0.25 * c.inverseH));
  const stiffness = max(LEAST, g.staticStiffness);
  soften(hertz, g.contactDampingRatio, false);
  soften(hertz * stiffness, g.contactDampingRatio / stiffness, true);
}

/** Hz, and factor of it: a softer spring does nothing either, and its parts would leave the range of f32. */
const LEAST: f32 = 1e-6;

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
