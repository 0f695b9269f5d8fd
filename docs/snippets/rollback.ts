import { type RigidBody, World, type WorldSlot } from 'ricochet';

/** A push by one player in one frame. */
interface Input {
  player: number;
  frame: number;
  push: number;
}
const REACH = 30; // frames that an input may be late

/** One player's machine: shows the present at once, and corrects it when the past arrives. */
class Peer {
  frame = 0;
  rollbacks = 0;
  private readonly world = new World({ deterministic: true });
  private readonly cars: RigidBody[];
  private readonly slots: WorldSlot[] = [];
  private readonly inputs = [new Map<number, number>(), new Map<number, number>()];
  private wrongFrom = Number.POSITIVE_INFINITY;

  constructor() {
    this.world.createBody({ type: 'static', shape: { type: 'plane' } });
    this.cars = [-2, 2].map((x) =>
      this.world.createBody({ mass: 10, position: [x, 0.5, 0], shape: { type: 'sphere', radius: 0.5 } }),
    );
  }

  /** From this player's hands or from the network, in any order. */
  receive({ player, frame, push }: Input): void {
    const known = this.inputs[player]!;
    if (frame < this.frame && (known.get(frame) ?? 0) !== push)
      this.wrongFrom = Math.min(this.wrongFrom, frame);
    known.set(frame, push);
  }

  /** To the present, by way of the first frame in which something else happened than was believed. */
  advance(): void {
    const present = this.frame + 1;
    if (this.wrongFrom < this.frame) {
      this.rollbacks++;
      this.world.restore(this.slots[this.wrongFrom % REACH]!);
      this.frame = this.wrongFrom;
    }
    this.wrongFrom = Number.POSITIVE_INFINITY;
    while (this.frame < present) {
      this.slots[this.frame % REACH] = this.world.save(this.slots[this.frame % REACH]);
      this.cars.forEach((car, player) => {
        const push = this.inputs[player]!.get(this.frame) ?? 0; // not yet known: nobody pushes
        if (push !== 0) car.applyImpulse([push, 0, 0]);
      });
      this.world.step(1 / 60);
      this.frame++;
    }
  }

  hash(): string {
    return this.world.stateHash();
  }
}

// Two peers and a network that delivers late, out of order, and some things only when they are sent again.
const peers = [new Peer(), new Peer()];
const network: { to: number; at: number; input: Input }[] = [];
let seed = 1;
const random = (n: number) => (seed = (Math.imul(seed, 48271) >>> 0) % 2147483647) % n;

for (let frame = 0; frame < 600; frame++) {
  for (const [player, peer] of peers.entries()) {
    if (frame < 560 && random(6) === 0) {
      const input = { player, frame, push: random(41) - 20 };
      peer.receive(input);
      const lost = random(5) === 0; // then the second copy, ten frames later, has to do
      network.push({ to: 1 - player, at: frame + (lost ? 10 : 0) + 2 + random(12), input });
    }
  }
  for (const { to, at, input } of network) if (at === frame) peers[to]!.receive(input);
  for (const peer of peers) peer.advance();
}
console.log(peers[0]!.hash() === peers[1]!.hash()); // true
console.log(peers[0]!.rollbacks > 20, peers[1]!.rollbacks > 20);
