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

/** Of the spring of an axis: damping in N·s/m or N·m·s/rad, or stiffness in N/m or N·m/rad. */
export function springForce(axis: JointAxis, row: JointRow, damping: bool): f64 {
  const given = <f64>(damping ? axis.springDamping : axis.springRate);
  if (axis.flags & AXIS_STIFFNESS) return given;
  const omega = TWO_PI * <f64>axis.springRate;
  return <f64>row.springMass * omega * (damping ? 2 * given : omega);
}

/** hκ of the free oscillator, from ω²h² and 2ζωh. */
export function returnOf(square: f64, decay: f64): f64 {
  const d = 0.25 * decay * decay - square;
  const turn = sqrt<f64>(abs<f64>(d));
  const e = exp(turn);
  return 1 + exp(-decay) - 2 * exp(-0.5 * decay) * (d < 0 ? cos(turn) : 0.5 * (e + 1 / e));
}

/** impulse = springKeep·impulse − springVelocity·v − springPrevious·v_previous − springPosition·x */
export function softenAxis(axis: JointAxis, row: JointRow): void {
  const h = <f64>context().h;
  const mass = <f64>row.mass;
  const perMass = mass > 0 ? h / mass : 0; // without, nothing can move along the axis now
  const square = springForce(axis, row, false) * h * perMass;
  const decay = springForce(axis, row, true) * perMass;
  const turn = sqrt<f64>(square);
  let alpha = exp(-decay);
  let kappa = square;
  let steady: f64 = 0;
  if (turn < 1e-4) {
    // Damping with a negligible spring.
  } else if (turn + 0.5 * decay <= 1) {
    kappa = returnOf(square, decay);
    steady = kappa / square - alpha;
  } else {
    alpha = 1 / (1 + decay + square);
    kappa = square * alpha;
  }
  row.springKeep = <f32>(1 - alpha - steady);
  row.springVelocity = <f32>(mass * (1 - alpha - steady));
  row.springPrevious = <f32>(mass * steady);
  row.springPosition = <f32>((mass * kappa) / h);
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
