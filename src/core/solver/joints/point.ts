// Point-to-point: the two anchors coincide, all rotation is free (btPoint2PointConstraint). With a frequency and a
// maximum force it is the mouse joint, which pulls a body to a point.
import { JointWork } from '../../memory/records';
import { preparePoint } from './rows';

export function refreshPoint(w: JointWork): void {
  preparePoint(w, false);
}
