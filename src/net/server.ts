// The server's side of a room. In: packets of clients, the time. Out: ticks of the world, packets to clients. It keeps
// no sockets and reads no clock: whoever holds them calls `connect`, `receive`, `update`, `disconnect`.
import { type JointId, PhysicsError, World } from 'ricochet';
import { equalBytes, Malformed, newer } from './bytes';
import { joined } from './commands';
import {
  EMPTY_FRAME,
  type Frame,
  type Game,
  MOST_PLAYERS,
  NO_INPUT,
  type PlayerEvent,
  predicted,
  predictedInputs,
  roomHash,
  runTick,
} from './game';
import { HashHistory } from './hashHistory';
import {
  beginPoses,
  CHUNK_BYTES,
  decodeHello,
  decodeInput,
  decodeRoom,
  encodeChunk,
  encodeFrames,
  encodeLost,
  encodeRefused,
  encodeRoom,
  type Hash,
  HELLO,
  type Hello,
  INPUT,
  type InputPacket,
  MOST_CLIENT_BYTES,
  type Mode,
  open,
  PACKET_BYTES,
  type Refusal,
} from './messages';
import { integer, type RoomServerOptions, type RoomServerStats } from './options';
import type { Peer, Player } from './peers';
import { PoseSender, quantiseAll } from './poses';

/** Ticks of which frames and hashes are kept. */
const HISTORY = 1024;
/** Ticks that an input may be early. */
const MOST_AHEAD = 64;
/** Ticks made up for in one update. */
const MOST_CATCH_UP = 10;
/** Chunks of a state that are sent at once. */
const CHUNKS = 24;
/** s without a packet: the client sleeps. */
const SILENCE = 15;
/** ms between two packets that tell a client that it is not in the game. */
const TELLING_PAUSE = 100;
/** s between two states for one client. */
const SNAPSHOT_PAUSE = 1;
/** What a client may send in less than no time, as a share of a second. */
const BURST = 0.5;

/** A room on the side that decides. */
export class RoomServer {
  /** The world of the room. Change it by the functions of the game only. */
  readonly world: World;
  /** Which of the two ways; see docs/net.md. */
  readonly mode: Mode;
  /** Hz */
  readonly rate: number;
  /** Counts since the room was made. */
  readonly stats: RoomServerStats = {
    refused: 0,
    flooded: 0,
    late: 0,
    unclean: 0,
    substituted: 0,
    desyncs: 0,
    agreed: 0,
    snapshots: 0,
    gameErrors: 0,
    droppedTime: 0,
    snapshotBytes: 0,
    bytes: 0,
  };

  private readonly game: Game;
  private readonly sendEvery: number;
  private readonly hashEvery: number;
  private readonly maxPlayers: number;
  private readonly maxInputBytes: number;
  private readonly repeat: number;
  private readonly reconnectTicks: number;
  private readonly limits: { packets: number; bytes: number; faults: number };
  private readonly poseBytes: number;

  private ticks = 0;
  private time = 0;
  private start: number | null = null;
  private epoch = 1;
  private lastFrame: Frame = EMPTY_FRAME;
  private readonly frames: (Frame | undefined)[] = new Array(HISTORY);
  private readonly hashes: HashHistory;
  private readonly peers = new Map<string, Peer>();
  private readonly players: (Player | undefined)[] = [];
  private events: PlayerEvent[] = [];
  private snapshots = 0;
  private comingFrames: { tick: number; frames: readonly Frame[] } | null = null;
  /** Players whose inputs for coming ticks are not what the others predict. */
  private readonly news = new Set<Player>();
  private state: { tick: number; bytes: Uint8Array } | null = null;
  /** Mode 'state': joints that broke in the last tick, of which clients are told in the next one. */
  private broken: JointId[] = [];

  /**
   * A room with nobody in it.
   *
   * @throws PhysicsError 'invalid-argument'
   */
  constructor(
    private readonly options: RoomServerOptions,
    checkpoint?: Uint8Array,
  ) {
    const { game, limits = {} } = options;
    this.game = game;
    this.mode = options.mode ?? 'lockstep';
    if (this.mode !== 'lockstep' && this.mode !== 'state')
      throw new PhysicsError('invalid-argument', "must be 'lockstep' or 'state'", 'mode', this.mode);
    this.rate = integer(options.rate, 60, 'rate', 240);
    this.sendEvery = integer(options.sendEvery, 3, 'sendEvery', 60);
    this.hashEvery = integer(options.hashEvery, 30, 'hashEvery', 10_000);
    this.hashes = new HashHistory(this.hashEvery, HISTORY);
    this.maxPlayers = integer(options.maxPlayers, 16, 'maxPlayers', MOST_PLAYERS);
    this.maxInputBytes = integer(options.maxInputBytes, 64, 'maxInputBytes', 1024);
    this.repeat = integer(options.repeat, 15, 'repeat', 10_000, 0);
    const { reconnect = 10 } = options;
    if (!(reconnect >= 0 && reconnect <= 86_400))
      throw new PhysicsError('invalid-argument', 'must be 0 … 86400', 'reconnect', reconnect);
    this.reconnectTicks = Math.round(reconnect * this.rate);
    this.limits = {
      packets: limits.packets ?? 3 * this.rate,
      bytes: limits.bytes ?? 65_536,
      faults: limits.faults ?? 1000,
    };
    this.poseBytes = integer(options.poseBytes, 4096, 'poseBytes', 1 << 20, 256);
    this.world = new World(game.world);
    if (checkpoint === undefined) game.build(this.world);
    else this.adopt(checkpoint);
    this.epoch = integer(options.epoch, this.epoch, 'epoch', 0xffffffff);
    this.noteHash();
    if (this.mode === 'state') this.world.on('jointBroken', ({ joint }) => this.broken.push(joint));
  }

  /**
   * A room that goes on from a checkpoint, in this process or another: same tick, same hash. Its players have the time of
   * `reconnect` to come back; clients notice that the room is another one and load its state.
   *
   * @throws PhysicsError 'damaged-snapshot', 'incompatible-snapshot', 'invalid-argument'
   */
  static restore(checkpoint: Uint8Array, options: RoomServerOptions): RoomServer {
    return new RoomServer(options, checkpoint);
  }

  private adopt(checkpoint: Uint8Array): void {
    let state: ReturnType<typeof decodeRoom>;
    try {
      state = decodeRoom(checkpoint.subarray(4));
    } catch {
      throw new PhysicsError('damaged-snapshot', 'is not a checkpoint of a room', 'checkpoint');
    }
    if (state.mode !== this.mode || state.rate !== this.rate)
      throw new PhysicsError(
        'invalid-argument',
        `is of a room in mode ${state.mode} at ${state.rate} Hz`,
        'checkpoint',
      );
    this.world.restore(state.world);
    this.game.restore?.(this.world, state.game);
    this.ticks = state.tick;
    this.lastFrame = state.last;
    this.epoch = new DataView(checkpoint.buffer, checkpoint.byteOffset).getUint32(0, true) + 1;
    for (const [number, id] of state.names) {
      this.players[number] = this.newPlayer(id, number, state.tick + this.reconnectTicks);
      // Who is in no tick yet was to come in with the next one.
      if (state.last.inputs[number] === undefined) this.events.push({ player: number, joins: true });
    }
    // And who had left was to go.
    state.last.inputs.forEach((input, player) => {
      if (input !== undefined && this.players[player] === undefined)
        this.events.push({ player, joins: false });
    });
  }

  /** All that is needed to go on elsewhere, as bytes: see `restore`. Take it between updates, as often as may be lost. */
  checkpoint(): Uint8Array<ArrayBuffer> {
    const room = this.encodeState(
      this.players.flatMap((player) =>
        player && player.leaves > this.ticks ? [[player.number, player.id] as const] : [],
      ),
    );
    const out = new Uint8Array(4 + room.length);
    new DataView(out.buffer).setUint32(0, this.epoch, true);
    out.set(room, 4);
    return out;
  }

  private encodeState(
    names: readonly (readonly [number, string])[],
    last = this.lastFrame,
  ): Uint8Array<ArrayBuffer> {
    const { mode, rate, hashEvery, world, ticks: tick } = this;
    const game = this.game.save?.() ?? NO_INPUT;
    return encodeRoom({ mode, rate, hashEvery, tick, last, names, game, world: world.snapshot() });
  }

  // --- clients ---

  /** Number of the next tick: ticks made since the room was made. */
  get tick(): number {
    return this.ticks;
  }

  /** Players in the game, those included whose clients may come back. */
  get playerCount(): number {
    return this.players.reduce((count, player) => count + (player === undefined ? 0 : 1), 0);
  }

  /** Number of the player of a client; undefined while it has none. */
  playerOf(client: string): number | undefined {
    return this.players.find((player) => player?.id === client)?.number;
  }

  /** A connection was made. `client`: who it is, as the transport has proved; the same again gets its player back. */
  connect(client: string): void {
    if (this.peers.has(client)) this.disconnect(client);
    this.peers.set(client, {
      id: client,
      player: null,
      isPlaying: false,
      snapshot: null,
      snapshotAt: -Infinity,
      ack: 0,
      echo: null,
      poses: new PoseSender(),
      packets: this.limits.packets * BURST,
      bytes: this.limits.bytes * BURST,
      faults: 0,
      heardAt: this.time,
      toldAt: -Infinity,
    });
  }

  /** A connection is gone. Its player stays for the time of `reconnect`, or not at all with `forGood`. */
  disconnect(client: string, forGood = false): void {
    this.peers.delete(client);
    const player = this.players.find((one) => one?.id === client);
    if (player !== undefined) player.leaves = this.ticks + (forGood ? 0 : this.reconnectTicks);
  }

  /** A client that is silent, though connected: its player may leave. When it speaks again, it begins anew. */
  private release(peer: Peer): void {
    peer.player!.leaves = this.ticks + this.reconnectTicks;
    peer.player = null;
    peer.isPlaying = false;
    peer.snapshot = null;
  }

  /** Whether an input came that nobody expected: the others are told by the next `update`, so call it soon. */
  get hasNews(): boolean {
    for (const { toldAt } of this.news) if (toldAt < this.ticks) return true;
    return false;
  }

  /** A packet of a client came. Never throws for what is in it. */
  receive(client: string, packet: Uint8Array): void {
    const peer = this.peers.get(client);
    if (peer === undefined) return;
    peer.packets -= 1;
    peer.bytes -= packet.length;
    if (peer.packets < 0 || peer.bytes < 0) {
      peer.packets = Math.max(peer.packets, -1);
      peer.bytes = Math.max(peer.bytes, -1);
      this.stats.flooded++;
      this.fault(peer);
      return;
    }
    try {
      if (packet.length > MOST_CLIENT_BYTES) throw new Malformed('too long');
      const { type, reader } = open(packet);
      if (type === HELLO) this.hello(peer, decodeHello(reader));
      else if (type === INPUT) this.input(peer, decodeInput(this.game, reader, this.maxInputBytes));
      else throw new Malformed('not from a client');
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      this.stats.refused++;
      this.fault(peer);
    }
  }

  private fault(peer: Peer): void {
    if (++peer.faults > this.limits.faults) this.refuse(peer, 'too many faults');
  }

  private refuse(peer: Peer, reason: Refusal): void {
    this.post(peer, encodeRefused(reason));
    this.disconnect(peer.id);
    this.options.onRefused?.(peer.id, reason);
  }

  private post(peer: Peer, packet: Uint8Array<ArrayBuffer>): void {
    this.stats.bytes += packet.length;
    this.options.send(peer.id, packet);
  }

  private hello(peer: Peer, hello: Hello): void {
    if (peer.echo !== null && !newer(hello.seq, peer.echo.seq)) return; // an old one that was under way
    peer.heardAt = this.time;
    peer.echo = { seq: hello.seq, at: this.time };
    if (hello.version !== (this.game.version ?? 0) || hello.core !== this.world.engine.core) {
      this.refuse(peer, 'other version');
      return;
    }
    if (peer.player === null && !this.admit(peer)) {
      this.refuse(peer, 'full');
      return;
    }
    const { snapshot } = peer;
    if (snapshot === null) return;
    if (hello.snapshot !== snapshot.id || peer.isPlaying) {
      // It wants a new state, or has lost the one with which it played; but the last one had its time to arrive first.
      if (this.time - peer.snapshotAt < SNAPSHOT_PAUSE * 1000) return;
      peer.isPlaying = false;
      peer.snapshot = null;
      return;
    }
    const chunks = Math.ceil(snapshot.bytes.length / CHUNK_BYTES);
    const queued = new Set(snapshot.queue);
    for (const [first, count] of hello.missing) {
      if (first + count > chunks) throw new Malformed('beyond the state');
      for (let i = first; i < first + count; i++) if (!queued.has(i)) snapshot.queue.push(i);
    }
  }

  /** Gives a client its player, old or new. */
  private admit(peer: Peer): boolean {
    let player = this.players.find((one) => one?.id === peer.id);
    if (player === undefined) {
      let number = 0;
      while (this.players[number] !== undefined) number++;
      if (number >= this.maxPlayers) return false;
      player = this.newPlayer(peer.id, number, Infinity);
      this.players[number] = player;
      this.events.push({ player: number, joins: true });
    }
    player.leaves = Infinity;
    peer.player = player;
    return true;
  }

  private newPlayer(id: string, number: number, leaves: number): Player {
    return { id, number, inputs: new Map(), missing: 0, usedTo: 0, late: 0, toldAt: -1, leaves };
  }

  private input(peer: Peer, packet: InputPacket): void {
    const { player, snapshot } = peer;
    if (player === null || snapshot === null || packet.snapshot !== snapshot.id) {
      this.tellLost(peer); // its state is of another room or of another time
      return;
    }
    const { ack, first, inputs, hash } = packet;
    if (ack > this.ticks || ack < snapshot.tick) throw new Malformed('acknowledges what never was');
    if (first > this.ticks + MOST_AHEAD || first + inputs.length > this.ticks + MOST_AHEAD + 1)
      throw new Malformed('is too far ahead');
    const { echo } = peer;
    const isNewest = echo === null || newer(packet.seq, echo.seq);
    if (!peer.isPlaying && echo !== null && newer(echo.seq, packet.seq)) return; // from before it asked for the state: of another room, whose states have the same numbers
    if (peer.isPlaying && isNewest && ack < peer.ack) {
      this.tellLost(peer); // a copy of its state came late and took it back, behind frames that are not sent again
      return;
    }
    peer.heardAt = this.time;
    if (!peer.isPlaying) {
      peer.isPlaying = true;
      snapshot.bytes = NO_INPUT;
      snapshot.queue = [];
      peer.ack = snapshot.tick;
    }
    peer.ack = Math.max(peer.ack, ack);
    if (isNewest) peer.echo = { seq: packet.seq, at: this.time };
    peer.poses.acknowledge(packet.poses.seq, packet.poses.mask);
    for (let i = 0; i < inputs.length; i++) this.keepInput(player, first + i, inputs[i]!);
    if (hash !== undefined && this.mode === 'lockstep') this.compare(hash);
  }

  /** Tells a client that it has to load the state. */
  private tellLost(peer: Peer): void {
    if (this.time - peer.toldAt < TELLING_PAUSE) return;
    peer.toldAt = this.time;
    this.post(peer, encodeLost());
  }

  private keepInput(player: Player, tick: number, input: Uint8Array): void {
    if (tick < this.ticks) {
      // Inputs come several times; what was not there when it was needed counts once.
      if (tick >= player.usedTo) {
        player.usedTo = tick + 1;
        player.late++;
        this.stats.late++;
      }
      return;
    }
    if (player.inputs.has(tick)) return; // what came first holds
    let clean: Uint8Array | null = null;
    try {
      clean = this.game.sanitize === undefined ? input : this.game.sanitize(player.number, input);
    } catch {
      this.stats.gameErrors++;
    }
    if (clean === null || clean.length > this.maxInputBytes) {
      this.stats.unclean++;
      return;
    }
    player.inputs.set(tick, clean);
    this.comingFrames = null;
    const before = tick === this.ticks ? this.lastFrame.inputs[player.number] : player.inputs.get(tick - 1);
    if (
      before === undefined ||
      (!equalBytes(predicted(this.game, before), clean) && this.mode === 'lockstep')
    )
      this.news.add(player);
  }

  private compare(hash: Hash): void {
    const agrees = this.hashes.agrees(hash, this.ticks);
    if (agrees === true) this.stats.agreed++;
    else if (agrees === false) this.stats.desyncs++;
  }

  // --- time ---

  /** Makes the ticks that are due. `now`: ms of any clock that never goes back, such as performance.now(). */
  update(now: number): void {
    if (this.start === null) for (const peer of this.peers.values()) peer.heardAt = now;
    const elapsed = Math.max(0, now - this.time) / 1000;
    this.time = now;
    this.start ??= now - (this.ticks * 1000) / this.rate;
    for (const peer of this.peers.values()) {
      peer.packets = Math.min(peer.packets + this.limits.packets * elapsed, this.limits.packets * BURST);
      peer.bytes = Math.min(peer.bytes + this.limits.bytes * elapsed, this.limits.bytes * BURST);
      if (peer.player !== null && now - peer.heardAt > SILENCE * 1000) this.release(peer);
    }
    let due = Math.floor(((now - this.start) * this.rate) / 1000 + 1e-6) - this.ticks;
    if (due > MOST_CATCH_UP) {
      const dropped = ((due - MOST_CATCH_UP) * 1000) / this.rate;
      this.start += dropped;
      this.stats.droppedTime += dropped;
      due = MOST_CATCH_UP;
    }
    for (; due > 0; due--) this.runTick();
    this.tellNews();
  }

  /**
   * Tells the inputs that nobody expected at once, in place of with the next packet: others are predicted by them, and the
   * error of a prediction grows with the square of the time. Once per tick and player, so that nobody makes a flood of it.
   */
  private tellNews(): void {
    if (!this.hasNews) return;
    const told = [...this.news].filter(({ toldAt }) => toldAt < this.ticks);
    for (const player of told) {
      player.toldAt = this.ticks;
      this.news.delete(player);
    }
    for (const peer of this.peers.values())
      if (this.follows(peer) && told.some((player) => player !== peer.player))
        this.sendFrames(peer, peer.player!);
  }

  /** Makes one tick, whatever the time, and sends what is to be sent after it. */
  runTick(): void {
    const tick = this.ticks;
    for (const player of this.players)
      if (player !== undefined && player.leaves <= tick) {
        this.players[player.number] = undefined;
        const joining = this.events.findIndex((event) => event.player === player.number && event.joins);
        if (joining >= 0) this.events.splice(joining, 1);
        else this.events.push({ player: player.number, joins: false });
      }
    const events = this.events;
    this.events = [];
    const inputs: (Uint8Array | undefined)[] = [];
    for (let number = 0; number < this.players.length; number++) {
      const player = this.players[number];
      inputs.push(player === undefined ? undefined : this.decide(player, tick));
    }
    while (inputs.length > 0 && inputs[inputs.length - 1] === undefined) inputs.pop();
    const taken: Int32Array[] = [];
    let frame: Frame = { events, inputs };
    const at = { tick, dt: 1 / this.rate };
    const { broken } = this;
    this.broken = [];
    this.stats.gameErrors += runTick(
      this.world,
      this.game,
      frame,
      at,
      this.mode === 'lockstep' ? 'runs' : { taken, broken },
    );
    if (taken.length > 0) frame = { events, inputs, commands: joined(taken) };
    this.frames[tick % HISTORY] = frame;
    this.lastFrame = frame;
    this.ticks = tick + 1;
    this.noteHash();
    if (this.ticks % this.sendEvery === 0) this.sendAll();
  }

  /** The input of a player in this tick: its own, or what follows from the one before. */
  private decide(player: Player, tick: number): Uint8Array {
    const own = player.inputs.get(tick);
    if (own !== undefined) {
      player.inputs.delete(tick);
      player.missing = 0;
      player.usedTo = tick + 1;
      return own;
    }
    const before = this.lastFrame.inputs[player.number] ?? NO_INPUT;
    if (before.length > 0) this.stats.substituted++;
    return ++player.missing > this.repeat ? NO_INPUT : predicted(this.game, before);
  }

  private noteHash(): void {
    if (this.mode === 'lockstep') this.hashes.note(this.ticks, () => this.hash());
  }

  /** 16 digits: of world and game, as clients compare them. */
  hash(): string {
    return roomHash(this.world, this.game);
  }

  // --- sending ---

  /** Whether a client has the state, and needs frames only. */
  private follows({ player, isPlaying, ack }: Peer): boolean {
    return (
      player !== null &&
      isPlaying &&
      ack >= this.ticks - HISTORY + 1 &&
      this.lastFrame.inputs[player.number] !== undefined
    );
  }

  private sendAll(): void {
    let all: ReturnType<typeof quantiseAll> | null = null;
    this.news.clear();
    for (const peer of this.peers.values()) {
      if (peer.player === null || this.lastFrame.inputs[peer.player.number] === undefined) continue;
      if (!peer.isPlaying) {
        this.sendState(peer);
        continue;
      }
      if (!this.follows(peer)) {
        peer.isPlaying = false;
        peer.snapshot = null;
        continue;
      }
      this.sendFrames(peer, peer.player);
      if (this.mode === 'state') {
        all ??= quantiseAll(this.world);
        this.sendPoses(peer, peer.player, all);
      }
    }
  }

  private sendState(peer: Peer): void {
    if (peer.snapshot === null) {
      if (this.time - peer.snapshotAt < SNAPSHOT_PAUSE * 1000) return;
      if (this.state?.tick !== this.ticks || this.mode === 'state') {
        const last = this.frameFor(this.lastFrame, peer.player!.number);
        this.state = { tick: this.ticks, bytes: this.encodeState([], last) };
      }
      const { bytes, tick } = this.state;
      const queue = Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, i) => i);
      peer.snapshot = { id: ++this.snapshots, tick, bytes, queue };
      peer.snapshotAt = this.time;
      peer.poses = new PoseSender();
      this.stats.snapshots++;
    }
    const { id, bytes, queue } = peer.snapshot;
    for (const index of queue.splice(0, CHUNKS)) {
      const content = bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
      const chunk = {
        epoch: this.epoch,
        id,
        player: peer.player!.number,
        bytes: bytes.length,
        index,
        content,
      };
      const packet = encodeChunk(chunk);
      this.stats.snapshotBytes += packet.length;
      this.options.send(peer.id, packet);
    }
  }

  /** What a client is told of a frame: in mode 'state', of inputs only its own. */
  private frameFor(frame: Frame, player: number): Frame {
    if (this.mode === 'lockstep') return frame;
    const inputs: (Uint8Array | undefined)[] = [];
    if (frame.inputs[player] !== undefined) {
      while (inputs.length < player) inputs.push(undefined);
      inputs.push(frame.inputs[player]);
    }
    const { events, commands } = frame;
    return commands === undefined ? { events, inputs } : { events, inputs, commands };
  }

  /** Frames from a tick on; behind those that are decided, in mode 'lockstep', what is known of the next ones. */
  private *framesFrom(tick: number, player: number): Generator<Frame> {
    for (let at = tick; at < this.ticks; at++) yield this.frameFor(this.frames[at % HISTORY]!, player);
    if (this.mode === 'lockstep') yield* this.coming();
  }

  /** Frames as they would be if nothing else came: clients predict by them. */
  private coming(): readonly Frame[] {
    if (this.comingFrames?.tick === this.ticks) return this.comingFrames.frames;
    let last = -1;
    const missing: number[] = [];
    for (const player of this.players) {
      if (player === undefined) continue;
      for (const tick of player.inputs.keys()) last = Math.max(last, tick);
      missing[player.number] = player.missing;
      // Nobody but the server knows when its patience ends.
      if (player.missing > 0 && player.missing <= this.repeat)
        last = Math.max(last, this.ticks + this.repeat - player.missing);
    }
    const frames: Frame[] = [];
    let before: Frame = { events: [], inputs: this.lastFrame.inputs };
    for (let tick = this.ticks; tick <= last; tick++) {
      const inputs = predictedInputs(this.game, before).map((input, number) => {
        if (input === undefined) return undefined;
        const known = this.players[number]?.inputs.get(tick);
        missing[number] = known === undefined ? missing[number]! + 1 : 0;
        return known ?? (missing[number]! > this.repeat ? NO_INPUT : input);
      });
      before = { events: [], inputs };
      frames.push(before);
    }
    this.comingFrames = { tick: this.ticks, frames };
    return frames;
  }

  private sendFrames(peer: Peer, player: Player): void {
    const first = peer.ack;
    const known = this.frames[(first - 1) % HISTORY]!;
    const echo = peer.echo ?? { seq: 0, at: this.time };
    const held = Math.max(0, Math.round(this.time - echo.at));
    const packet = {
      epoch: this.epoch,
      tick: this.ticks,
      echo: { seq: echo.seq, held },
      late: player.late,
      first,
      hashes: this.hashes.since(first),
    };
    this.post(
      peer,
      encodeFrames(
        this.game,
        packet,
        this.frameFor(known, player.number),
        this.framesFrom(first, player.number),
      ),
    );
  }

  private sendPoses(peer: Peer, player: Player, all: ReturnType<typeof quantiseAll>): void {
    let from: readonly number[] | null = null;
    try {
      from = this.game.viewpoint?.(this.world, player.number) ?? null;
    } catch {
      this.stats.gameErrors++;
    }
    const limit = { tick: this.ticks, rate: this.rate, bytes: this.poseBytes, packet: PACKET_BYTES };
    const head = (seq: number) => beginPoses(this.epoch, seq, this.ticks);
    for (const packet of peer.poses.send(all, from, this.options.interest ?? {}, limit, head))
      this.post(peer, packet);
  }

  /** Frees the world. */
  dispose(): void {
    this.peers.clear();
    this.world.dispose();
  }
}
