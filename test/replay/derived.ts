// Fields of pairs and manifolds that a snapshot does not have, and who makes them again.

const PREPARE = 'prepareContacts, in every step';
const READ = 'readPairs, from the rest of the pair';

/** By record, then by field. */
export const MADE_ANEW: Record<string, Record<string, string>> = {
  Pair: {
    list: READ,
    color: 'blocks, as those of its lane; of no meaning to others',
    bodyA: READ,
    bodyB: READ,
    prevA: 'pairsFit, from the lists of its bodies',
    prevB: 'pairsFit, from the lists of its bodies',
    friction: READ,
    restitution: READ,
    rollingFriction: READ,
    spinningFriction: READ,
    reserved1: 'nobody',
  },
  WaitingPair: { pair: READ, bodyA: READ, bodyB: READ },
  ContactBlock: {
    highRatioLanes: 'prepareContacts; 0 after the step (prepareTowers, finishHighRatio)',
    ...Object.fromEntries(
      [
        ...['invMassAX', 'invMassAY', 'invMassAZ', 'invMassBX', 'invMassBY', 'invMassBZ'],
        ...['inertiaAXX', 'inertiaAXY', 'inertiaAXZ', 'inertiaAYY', 'inertiaAYZ', 'inertiaAZZ'],
        ...['inertiaBXX', 'inertiaBXY', 'inertiaBXZ', 'inertiaBYY', 'inertiaBYZ', 'inertiaBZZ'],
        ...['kNN', 'kN1', 'kN2', 'k11', 'k12', 'k22', 'biasRate', 'massScale', 'impulseScale'],
        ...['tangentMass11', 'tangentMass12', 'tangentMass22', 'twistMass'],
        ...['armShareA', 'armShareB', 'mostFollowed', 'momentX', 'momentY', 'momentZ'],
      ].map((name) => [name, PREPARE]),
    ),
  },
  ContactPointWide: { separation: 'separateLanes, and every step', mass: PREPARE },
  BlockMeta: {
    used: 'manifolds, from who has a pair',
    reserved0: 'nobody',
    reserved1: 'nobody',
    reserved2: 'nobody',
    begun: 'setPairWords, from the pair',
    curved: 'setPairWords, from the shapes of the pair',
    surfaceSpin: PREPARE,
    surfaceRise: PREPARE,
    surfaceShift: PREPARE,
    approachAcceleration: 'every step, before it is read',
  },
  PointMeta: {},
};
