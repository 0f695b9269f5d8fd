// Springs and soft locks as coefficients for the solver. In: stiffness or frequency, damping, substep h. Out: the
// factors of the impulse per substep.
//
// A spring of frequency ω and damping ratio ζ is integrated exactly: over a substep the free oscillator maps (x, v) to
// (x', v') with determinant α = e^(−2ζωh) and trace 2 e^(−ζωh) cos(ω√(1−ζ²) h). With x' = x + h v' this gives v' = α v
// − κ x, hκ = 1 + α − trace. Other impulses on the bodies appear as the change f of their velocity since the end of the
// last substep; the term −c·f with c = κ/(hω²) − α makes the rest position under a constant load exactly
// load/stiffness. (Implicit Euler adds damping of ωh/2: 8 % at ωh = 0.16.) Above ωh = 1 a substep cannot resolve the
// oscillation: implicit Euler is used, α = 1/(1 + 2ζωh + ω²h²).

import { TWO_PI } from '../../math/constants';
import { cos, exp } from '../../math/elementary';
import { AXIS_STIFFNESS } from '../../memory/constants';
import { JointAxis, JointRow, JointWork } from '../../memory/records';
import { world } from '../../memory/tables';
import { STIFF_DAMPING, STIFF_HERTZ } from '../../tolerances';
import { context } from '../context';

/** impulse = −mass (springVelocity·v + springPrevious·v_previous + springPosition·x) − (1 − springKeep)·impulse */
export function softenAxis(axis: JointAxis, row: JointRow): void {
  const h = <f64>context().h;
  let omega: f64;
  let zeta: f64;
  if (axis.flags & AXIS_STIFFNESS) {
    const mass = <f64>row.mass;
    if (mass == 0) {
      // Nothing can move along the axis now: no spring in this step, although in a later substep something may.
      row.springVelocity = 0;
      row.springPrevious = 0;
      row.springPosition = 0;
      row.springKeep = 0;
      return;
    }
    omega = sqrt<f64>(<f64>axis.springRate / mass);
    if (omega * h < 1e-4) return softenWeak(<f64>axis.springDamping / mass, h, omega, row);
    zeta = <f64>axis.springDamping / (2 * mass * omega);
  } else {
    omega = TWO_PI * <f64>axis.springRate;
    zeta = <f64>axis.springDamping;
    if (omega * h < 1e-4) return softenWeak(2 * zeta * omega, h, omega, row);
  }
  const turn = omega * h;
  let alpha: f64;
  let kappa: f64; // times h
  let steady: f64 = 0;
  if (turn * (1 + zeta) <= 1) {
    alpha = exp(-2 * zeta * turn);
    const d = 1 - zeta * zeta;
    let swing: f64;
    if (d >= 0) swing = cos(turn * sqrt<f64>(d));
    else {
      const e = exp(turn * sqrt<f64>(-d));
      swing = 0.5 * (e + 1 / e);
    }
    kappa = 1 + alpha - 2 * exp(-zeta * turn) * swing;
    steady = kappa / (turn * turn) - alpha;
  } else {
    alpha = 1 / (1 + 2 * zeta * turn + turn * turn);
    kappa = turn * turn * alpha;
  }
  row.springVelocity = <f32>(1 - alpha - steady);
  row.springPrevious = <f32>steady;
  row.springPosition = <f32>(kappa / h);
  row.springKeep = row.springVelocity;
}

/** Damping with a negligible spring. */
function softenWeak(rate: f64, h: f64, omega: f64, row: JointRow): void {
  const alpha = exp(-rate * h);
  row.springVelocity = <f32>(1 - alpha);
  row.springPrevious = 0;
  row.springPosition = <f32>(omega * omega * h);
  row.springKeep = row.springVelocity;
}

/**
 * Coefficients of locked directions, as in context.ts. Rigid ones are slightly soft in the biased pass only, like
 * contacts: otherwise a long chain that has not converged becomes unstable. Springs (w.soft) are set by the user and
 * are also solved in the other pass.
 */
export function softenLock(w: JointWork, hertz: f32, dampingRatio: f32): void {
  const g = world();
  const step = context();
  w.soft = hertz != 0 ? 1 : 0;
  if (hertz < 0) {
    // Bullet's parameters: a step removes the share erp of an error, minus cfm times the impulse of the step.
    const softness = dampingRatio * step.dt * step.inverseH;
    w.biasRate = -hertz / step.dt;
    w.massScale = <f32>1 / (<f32>1 + softness);
    w.impulseScale = softness * w.massScale;
    return;
  }
  const h = step.h;
  // Bullet's profiles use more substeps if joints rotate fast. A net that became stiffer while it is stretched would
  // gain energy, so the stiffness depends on the step.
  const rate = g.contactErpMode ? <f32>1 / step.dt : step.inverseH;
  const omega = <f32>TWO_PI * (w.soft ? hertz : min<f32>(STIFF_HERTZ, <f32>0.25 * rate));
  const a1 = <f32>2 * (w.soft ? dampingRatio : STIFF_DAMPING) + h * omega;
  const a2 = h * omega * a1;
  const a3 = <f32>1 / (<f32>1 + a2);
  w.biasRate = omega / a1;
  w.massScale = a2 * a3;
  w.impulseScale = a3;
}
