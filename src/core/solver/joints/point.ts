// Point-to-point: the two anchors stay together, all turning is free (btPoint2PointConstraint). With a
// frequency and a maximum force it is the mouse joint that pulls a body after a point.
import { JointWork } from '../../memory/records';
import { preparePoint } from './rows';

export function refreshPoint(w: JointWork): void {
  preparePoint(w, false);
}
