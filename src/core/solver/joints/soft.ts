// Springs and soft locks as coefficients for the solver. In: stiffness or frequency, damping, substep h. Out: the
// factors of the impulse per substep.
//
// A spring of frequency ω and damping ratio ζ is integrated exactly: over a substep the free oscillator maps (x, v) to
// (x', v') with determinant α = e^(−2ζωh) and trace 2 e^(−ζωh) cos(ω√(1−ζ²) h). With x' = x + h v' this gives v' = α v
// − κ x, hκ = 1 + α − trace. Other impulses on the bodies appear as the change f of their velocity since the end of the
// last substep; the term −c·f with c = κ/(hω²) − α makes the rest position under a constant load exactly
// load/stiffness. (Implicit Euler adds damping of ωh/2: 8 % at ωh = 0.16.) From ωh = 0.5 on, implicit Euler is used,
// α = 1/(1 + 2ζωh + ω²h²): springs that share bodies oscillate faster together than each alone, and gained energy.
//
// The force has a potential: its stiffness is the same in all poses (JointRow.springMass).

import { TWO_PI } from '../../math/constants';
import { cos, exp } from '../../math/elementary';
import { AXIS_STIFFNESS } from '../../memory/constants';
import { JointAxis, JointRow, JointWork } from '../../memory/records';
import { world } from '../../memory/tables';
import { STIFF_DAMPING, STIFF_HERTZ } from '../../tolerances';
import { context } from '../context';

/**
 * For the spring of an axis on which this mass moves, kg or kg·m²:
 * impulse = impulse − springLoss·impulse − springVelocity·v − springPrevious·v_previous − springPosition·x
 * Returns whether the substep cannot resolve the spring.
 */
export function softenAxis(axis: JointAxis, row: JointRow, mass: f64): bool {
  const h = <f64>context().h;
  const perMass = mass > 0 ? h / mass : 0; // without, nothing can move along the axis now
  let square = <f64>axis.springRate * perMass; // ω²h, then ω²h²
  let decay = <f64>axis.springDamping * perMass; // 2ζωh
  if (!(axis.flags & AXIS_STIFFNESS)) {
    const omega = TWO_PI * <f64>axis.springRate;
    const share = <f64>row.springMass * omega * perMass;
    square = share * omega;
    decay = 2 * <f64>axis.springDamping * share;
  }
  square *= h;
  let alpha = exp(-decay);
  let kappa = square;
  let steady: f64 = 0;
  const turn = sqrt<f64>(square);
  const isStiff = turn + max<f64>(0.5 * decay, turn) > 1;
  if (isStiff) {
    alpha = 1 / (1 + decay + square);
    kappa *= alpha;
  } else if (turn > 1e-4) {
    const d = 0.25 * decay * decay - square;
    const swing = sqrt<f64>(abs<f64>(d));
    const e = exp(swing);
    kappa = 1 + alpha - 2 * exp(-0.5 * decay) * (d < 0 ? cos(swing) : 0.5 * (e + 1 / e));
    steady = kappa / square - alpha;
  }
  // Not 1 − this, which strong damping would round to 1.
  const loss = alpha + steady;
  row.springLoss = <f32>loss;
  row.springVelocity = <f32>(mass * (1 - loss));
  row.springPrevious = <f32>(mass * steady);
  row.springPosition = <f32>((mass * kappa) / h);
  return isStiff;
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
