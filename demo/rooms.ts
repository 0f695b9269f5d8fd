// The page of rooms: several windows play in one world, over a network that sliders make bad. Query: `server=` addresses
// of Colyseus, separated by commas (without it: a server in one of the windows), `room=` its name, `crates=`, `delay=`,
// `jitter=`, `loss=`, `bot=1` a player more, `auto=1` plays by itself, `ride=1` begins in a car, `split=1` two players side
// by side.
import type { RigidBody } from 'ricochet';
import { SimulatedNetwork } from 'ricochet/net';
import { Vector3 } from 'three';
import {
  arena,
  BACK,
  botInput,
  FORWARD,
  inputOf,
  isCar,
  JUMP,
  LEFT,
  PLAYER,
  pastOf,
  RIDE,
  RIGHT,
  THROW,
  THROWN,
} from './arena';
import { element } from './element';
import { showError } from './hud';
import { heldKeys, thumbStick } from './inputs';
import { type Link, type LinkOptions, serverLink, WindowLink } from './roomLinks';
import { roomScene, roomSceneId } from './roomScene';
import { colorOf, RoomView } from './roomView';
import { Stage } from './stage';

const query = new URLSearchParams(location.search);
const CRATES = Number(query.get('crates') ?? 60);
/** ms between two changes of the figures. */
const REFRESH = 500;
/** ms: of the corrections of this time the median is shown. */
const MEDIAN_OF = 10_000;
/** Pixels by which a press may move and still be a click. */
const CLICK = 6;
const UP = new Vector3(0, 1, 0);

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** By how much what is drawn of a body had to move. */
interface Correction {
  /** ms */
  at: number;
  metres: number;
}

/** Who this window plays: a reload is the same player, a duplicated tab another. */
function tokenOf(name: string): string {
  const made = `${name}-${crypto.randomUUID()}`;
  if (window.top !== window) return made; // one of two halves, which share their storage
  try {
    const kept = sessionStorage.getItem(name);
    if (
      kept !== null &&
      performance
        .getEntriesByType('navigation')
        .some((entry) => (entry as PerformanceNavigationTiming).type === 'reload')
    )
      return kept;
    sessionStorage.setItem(name, made);
  } catch {
    // No storage here: a reload is another player.
  }
  return made;
}

/** Keys, stick and buttons, as bits; where the camera looks. */
class Controls {
  private readonly held: ReadonlySet<string>;
  private readonly tilt = thumbStick();
  private once = 0;

  constructor(canvas: HTMLElement) {
    this.held = heldKeys((code, repeat) => {
      if (!repeat && code === 'Space') this.once |= JUMP;
      if (!repeat && code === 'KeyF') this.once |= THROW;
      if (!repeat && code === 'KeyC') this.once |= RIDE;
    });
    element('leap').addEventListener('pointerdown', () => (this.once |= JUMP));
    element('throw').addEventListener('pointerdown', () => (this.once |= THROW));
    element('ride').addEventListener('pointerdown', () => (this.once |= RIDE));
    let from = [0, 0];
    canvas.addEventListener('pointerdown', ({ clientX, clientY }) => (from = [clientX, clientY]));
    canvas.addEventListener('pointerup', ({ clientX, clientY, pointerType }) => {
      if (pointerType !== 'touch' && Math.hypot(clientX - from[0]!, clientY - from[1]!) < CLICK)
        this.once |= THROW;
    });
  }

  /** For one tick: what happens once is told once. */
  take(): number {
    const { held, tilt, once } = this;
    const pressed = (...codes: string[]) => codes.some((code) => held.has(code));
    this.once = 0;
    return (
      once |
      (pressed('KeyW', 'ArrowUp') || tilt.z < -0.4 ? FORWARD : 0) |
      (pressed('KeyS', 'ArrowDown') || tilt.z > 0.4 ? BACK : 0) |
      (pressed('KeyA', 'ArrowLeft') || tilt.x < -0.4 ? LEFT : 0) |
      (pressed('KeyD', 'ArrowRight') || tilt.x > 0.4 ? RIGHT : 0)
    );
  }
}

class RoomPage {
  /** For the browser test. */
  links: Link[] = [];
  readonly network = new SimulatedNetwork({}, 1 + Math.floor(Math.random() * 1e6));
  private readonly view: RoomView;
  private readonly controls: Controls;
  private readonly drawn = new Float32Array(7);
  private readonly moved = new Vector3();
  private readonly corrections: Record<'own' | 'things' | 'others', Correction[]> = {
    own: [],
    things: [],
    others: [],
  };
  private last = { at: 0, rollbacks: 0, resimulated: 0, bytesIn: 0, sent: 0, lost: 0 };
  private follows = -1;
  private frameAt = 0;
  private rides = query.get('ride') === '1';

  constructor(private readonly stage: Stage) {
    this.view = new RoomView(stage.scene);
    this.controls = new Controls(stage.renderer.domElement);
    stage.frame(roomScene(roomSceneId(CRATES))!);
    stage.camera.position.set(0, 4.5, 17);
    stage.controls.maxDistance = 40;
    for (const name of ['delay', 'jitter', 'loss'] as const) {
      const slider = element<HTMLInputElement>(name);
      slider.value = query.get(name) ?? slider.value;
      slider.addEventListener('input', () => this.setQuality());
    }
    this.setQuality();
  }

  private setQuality(): void {
    const value = (name: string) => element<HTMLInputElement>(name).valueAsNumber;
    this.network.quality = {
      delay: value('delay'),
      jitter: value('jitter'),
      loss: value('loss') / 100,
      doubled: 0,
    };
    element('delayShown').textContent = `${value('delay')} ms`;
    element('jitterShown').textContent = `± ${value('jitter')} ms`;
    element('lossShown').textContent = `${value('loss')} %`;
  }

  /** Comes into the room. */
  async enter(): Promise<void> {
    const addresses = query.get('server')?.split(',');
    const room = query.get('room') ?? 'lobby';
    const token = tokenOf('window');
    const own = () => this.links[0]?.client.player ?? 0;
    const options: LinkOptions = {
      game: () => arena({ crates: CRATES }),
      network: this.network,
      room,
      token,
      input: (tick) =>
        query.get('auto') === '1' ? botInput(Math.max(0, own()), tick, true) : this.input(tick),
      past: (body, world) => pastOf(world, own(), body),
      onCorrection: (id, _metres, drawn) => this.correct(id, drawn),
    };
    const notes = { scene: roomSceneId(CRATES) };
    const link =
      addresses === undefined ? new WindowLink(options, notes) : await serverLink(addresses, options);
    this.links.push(link);
    const bot = async () => {
      const network = new SimulatedNetwork(this.network.quality, 7);
      const made: LinkOptions = {
        game: options.game,
        network,
        room,
        token: tokenOf('bot-of-window'),
        input: (tick) => botInput(40, tick, true),
      };
      this.links.push(
        addresses === undefined ? new WindowLink(made, notes, false) : await serverLink(addresses, made),
      );
    };
    const button = element<HTMLButtonElement>('bot');
    button.addEventListener('click', () => {
      const isThere = this.links.length > 1;
      button.setAttribute('aria-pressed', String(!isThere));
      if (isThere) this.links.pop()!.leave();
      else void bot().catch(showError);
    });
    if (query.get('bot') === '1') button.click();
    element('record').addEventListener('click', () => void this.save());
  }

  private input(tick: number): Uint8Array {
    const { camera, controls } = this.stage;
    const [x, z] = [controls.target.x - camera.position.x, controls.target.z - camera.position.z];
    let keys = this.controls.take();
    // The first inputs may come too late, as the clock is not known well yet.
    if (this.rides && tick % 60 === 0) {
      const own = this.ownBody();
      if (own !== undefined && !isCar(own)) keys |= RIDE;
      else if (own !== undefined) this.rides = false;
    }
    return inputOf(keys, Math.atan2(z, x));
  }

  private correct(id: number, metres: number): void {
    const { client } = this.links[0]!;
    const index = client.world.getBody(id)?.userIndex ?? 0;
    const { own, things, others } = this.corrections;
    const correction = { at: performance.now(), metres };
    if (index === PLAYER + client.player) own.push(correction);
    else if (index >= PLAYER && index < THROWN) others.push(correction);
    else things.push(correction);
  }

  private async save(): Promise<void> {
    const file = this.links[0]?.record();
    if (!file) {
      showError(
        new Error('The server has the recording: in another window, or in the folder rooms/recordings.'),
      );
      return;
    }
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([await file]));
    link.download = 'room.ricochet';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  /** As often as time is to pass, also in a window that is not seen. */
  tick(now: number): void {
    for (const link of this.links) link.update(now);
  }

  frame(now: number): void {
    const { stage, links } = this;
    const client = links[0]?.client;
    if (client?.isJoined) {
      this.view.update(client);
      const own = this.ownBody();
      if (own !== undefined) {
        this.lookAt(client.drawnPose(own, this.drawn));
        if (isCar(own)) this.turnBehind(this.drawn, Math.min(0.1, (now - this.frameAt) / 1000));
      }
    }
    this.frameAt = now;
    if (now - this.last.at > REFRESH) this.show(now);
    stage.render();
  }

  private ownBody(): RigidBody | undefined {
    const { client } = this.links[0]!;
    for (const body of client.world.bodies()) if (body.userIndex === PLAYER + client.player) return body;
    return undefined;
  }

  private lookAt([x, y, z]: Float32Array): void {
    const { camera, controls } = this.stage;
    const { player } = this.links[0]!.client;
    if (this.follows !== player) {
      // From behind, towards the middle.
      this.follows = player;
      const far = Math.hypot(x!, z!) || 1;
      controls.target.set(x!, y!, z!);
      camera.position.set(x! + (x! / far) * 7.5, y! + 4.6, z! + (z! / far) * 7.5);
      return;
    }
    this.moved.set(x! - controls.target.x, 0.15 * (y! + 0.5 - controls.target.y), z! - controls.target.z);
    camera.position.add(this.moved);
    controls.target.add(this.moved);
  }

  /** Brings the camera behind a car, in about half a second. */
  private turnBehind(pose: Float32Array, seconds: number): void {
    const { camera, controls } = this.stage;
    const [i, j, k, w] = pose.subarray(3) as unknown as [number, number, number, number];
    const ahead = Math.atan2(1 - 2 * (i * i + j * j), 2 * (i * k + w * j));
    const [x, z] = [controls.target.x - camera.position.x, controls.target.z - camera.position.z];
    let turn = ahead - Math.atan2(z, x);
    turn -= 2 * Math.PI * Math.round(turn / (2 * Math.PI));
    this.moved.set(-x, camera.position.y - controls.target.y, -z);
    this.moved.applyAxisAngle(UP, -turn * Math.min(1, 2.5 * seconds));
    camera.position.copy(controls.target).add(this.moved);
  }

  private show(now: number): void {
    const [link] = this.links;
    if (link === undefined) return;
    const { client } = link;
    const { stats } = client;
    const { last, network } = this;
    const seconds = (now - last.at) / 1000;
    const rate = (name: 'rollbacks' | 'resimulated' | 'bytesIn') => (stats[name] - last[name]) / seconds;
    const say = (id: string, text: string) => (element(id).textContent = text);
    say(
      'player',
      client.isJoined
        ? `number ${client.player + 1}, of ${this.playerCount()} here`
        : 'waiting for the server',
    );
    if (client.isJoined) element('who').style.background = colorOf(client.player).getStyle();
    say('place', link.place);
    say('ping', stats.roundTrip.toFixed(0));
    const sent = network.sent - last.sent;
    say('lost', ((100 * (network.lost - last.lost)) / Math.max(1, sent)).toFixed(1));
    say('rollbacks', rate('rollbacks').toFixed(0));
    say('again', rate('resimulated').toFixed(0));
    say('bytes', (rate('bytesIn') / 1000).toFixed(1));
    for (const [kind, all] of Object.entries(this.corrections)) {
      while (all.length > 0 && all[0]!.at < now - MEDIAN_OF) all.shift();
      say(kind, all.length === 0 ? '–' : (1000 * median(all.map(({ metres }) => metres))).toFixed(0));
    }
    say('hashes', `${stats.agreed}, ${stats.desyncs}`);
    element('hashes').classList.toggle('bad', stats.desyncs > 0);
    const { rollbacks, resimulated, bytesIn } = stats;
    this.last = { at: now, rollbacks, resimulated, bytesIn, sent: network.sent, lost: network.lost };
  }

  private playerCount(): number {
    let count = 0;
    for (const { userIndex } of this.links[0]!.client.world.bodies())
      if (userIndex >= PLAYER && userIndex < THROWN) count++;
    return count;
  }
}

/** Calls back every 8 ms, also in a window that is not seen: timers of workers are not slowed down there. */
function metronome(run: () => void): void {
  const source = 'setInterval(() => postMessage(0), 8)';
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  worker.onmessage = run;
}

declare global {
  interface Window {
    /** For the browser test. */
    ricochetRoom: RoomPage;
  }
}

function begin(): void {
  const page = new RoomPage(new Stage(document.querySelector('#view') as HTMLCanvasElement));
  window.ricochetRoom = page;
  void page.enter().catch(showError);
  metronome(() => page.tick(performance.now()));
  const onFrame = (now: number) => {
    page.frame(now);
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  element('second').addEventListener('click', () => open(location.href));
  element('halves').addEventListener('click', () => {
    query.set('split', '1');
    location.search = query.toString();
  });
}

/** Two players side by side, each a page of its own. */
function split(): void {
  query.delete('split');
  const half = element('split');
  half.style.display = 'grid';
  for (const _ of [0, 1]) {
    const frame = document.createElement('iframe');
    frame.src = `./rooms.html?${query}`;
    frame.title = 'A player';
    half.append(frame);
  }
}

try {
  if (query.get('split') === '1') split();
  else begin();
} catch (error) {
  showError(error);
}
