// The force of a tyre on the road. In: slips, load, settings of the wheel. Out: forces.
//
// The curve is the Magic Formula (E. Bakker, L. Nyborg, H. B. Pacejka, "Tyre modelling for use in vehicle dynamics
// studies", SAE 870421, 1987), y = D sin(C atan(Bs − E(Bs − atan Bs))), over a slip s in units of that at the peak, so
// that the peak is at s = 1: E follows from B and C. Longitudinal and lateral slip are combined by the length of the
// normalized slip (Pacejka, "Tyre and Vehicle Dynamics", 2012, section 4.3.1, similarity).
//
// Slips are those of the deflected tyre, not of the contact at the moment: they follow it over the relaxation length σ,
// σ dκ/dt = v_slip − |v| κ (same book, section 7.2). At a standstill the deflection is a spring, so that a car stands on a
// slope without creeping; at speed it is the slip itself.

import { HALF_PI } from '../math/constants';
import { atan2, sin } from '../math/elementary';
import { Wheel } from '../memory/records';
import { AIDED, FREED, LINEAR, LOCKED, RELEASED, SLIPS } from './tolerances';
import { WheelWork } from './work';

/** The curve's value divided by the slip, for a normalized slip s ≥ 0: 1 at the peak, B·C at 0. */
export function slipQuotient(w: Wheel, s: f32): f32 {
  const B = <f64>w.stiffening;
  const C = <f64>w.shape;
  if (s < LINEAR) return <f32>(B * C);
  const tangent = peakTangent(C);
  const E = (B - tangent) / (B - atan2(B, 1));
  const x = B * <f64>s;
  return <f32>(sin(C * atan2(x - E * (x - atan2(x, 1)), 1)) / <f64>s);
}

/** tan(π / 2C): the argument of the outer arctangent at the peak; C = 1 has its peak at infinity. */
function peakTangent(C: f64): f64 {
  const angle = HALF_PI / max<f64>(C, 1.02);
  return sin(angle) / sin(HALF_PI - angle);
}

/** Normalized slip of a wheel with these slips. */
export function normalizedSlip(w: Wheel, slip: f32, sideSlip: f32): f32 {
  const a = slip / w.peakSlip;
  const b = sideSlip / w.peakAngle;
  return sqrt<f32>(a * a + b * b);
}

/** Factor on the friction at a load: real tyres lose grip with it. */
export function loadFactor(w: Wheel, load: f32): f32 {
  if (w.loadSensitivity == 0 || !(w.nominalLoad > 0)) return 1;
  return max<f32>(<f32>0.2, <f32>1 - w.loadSensitivity * (load / w.nominalLoad - <f32>1));
}

/** N. Longitudinal force that a tyre can give beside its lateral one: what antilock and traction control stay below. */
export function gripLeft(w: Wheel, k: WheelWork): f32 {
  const side = w.sideSlip / w.peakAngle;
  const share = sqrt<f32>(max<f32>(<f32>0.05, <f32>1 - side * side));
  const slip = abs<f32>(w.slip) / w.peakSlip;
  const aided = slip > LOCKED ? FREED : slip > SLIPS ? RELEASED : AIDED;
  return aided * share * w.friction * w.load * k.grip * loadFactor(w, w.load);
}
