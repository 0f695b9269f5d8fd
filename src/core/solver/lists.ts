// Lists that the solver makes at the start of a step, in scratch memory. In: what beginStep (integrate.ts) and
// prepareRestitution (restitution.ts) find. Out: valid until the last substep.
import { SHARED_LISTS } from '../threads/control';
import { THREADED } from '../threads/mode';

/** @unmanaged */
class Lists {
  constrained: usize; // slots of bodies with constraints
  constrainedCount: i32;
  gyroscopic: usize; // slots of bodies that are rotated in every substep, most of them with the gyroscopic term
  gyroscopicCount: i32;
  jointed: usize; // slots of bodies with joints that are not
  jointedCount: i32;
  impacts: usize; // handles of blocks with SPECIAL_IMPACT, those of the overflow last
  impactCount: i32;
  turning: usize; // handles of blocks with a body that is rotated in every substep and whose inertia changes by this
  turningCount: i32;
  rattling: usize; // slots of bodies that vibrate at rest
  rattlingCount: i32;
  repeated: usize; // handles of the blocks of their contacts; first those of bodies that vibrate persistently
  repeatedCount: i32;
  persistentCount: i32;
  bearing: i32; // of the blocks in repeated, at their front: those of jointed bodies that bear many times their weight
  followed: i32; // of the bodies in gyroscopic: those whose blocks are listed
  arranged: i32; // 1: the two tables that follow are filled (contactsOf.ts)
  firstContacts: usize; // of each body slot, and of the one after the last
  contacts: usize;
  batchesApart: i32; // for the threaded core: batches of joints at the front that threads may share (joints/solve.ts)
  bounced: i32; // 1: a limit of a joint rebounded in this substep
  undriven: i32; // joints with something to solve outside of batches (joints/drives.ts)
}
const LISTS: usize = memory.data(offsetof<Lists>(), 4);

/** @inline */
export function lists(): Lists {
  return changetype<Lists>(THREADED ? <usize>SHARED_LISTS : LISTS);
}
