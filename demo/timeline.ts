// The timeline under the scene: records the world in its worker, goes back and forth in what was recorded, keeps it as a
// file or a link and takes one by drag and drop, and plays it again to see whether it comes out the same. Whatever is done
// after going back (a ball, a resumed run) goes on from there. A scene is recorded from its start, without being asked, so
// that dragging the slider rewinds it; `record` begins a new recording.
import type { Player } from 'ricochet/replay';
import { LONGEST_CLIP, packClip, unpackClip } from './clip';
import { element } from './element';
import type { Scene } from './scenes';
import type { Session } from './session';

export interface TimelineHost {
  readonly session: Session | null;
  /** Opens the scene of a recording, standing still. */
  openScene(id: string): Promise<void>;
  /** Opens a scene that is not among the page's own. */
  showScene(scene: Scene): Promise<void>;
  setPaused(paused: boolean): void;
  fail(error: unknown): void;
}

/** Steps between two states in a recording: how far a jump of the slider has to compute. */
const KEYFRAME_EVERY = 120;
/** What is recorded unasked ends after so many steps, a minute, and has fewer states of large worlds: memory. */
const LONGEST_UNASKED = 3600;
const UNASKED_KEYFRAME_EVERY = 360;
const LARGE = 1000;
/** ms between two looks at how far it is. */
const REFRESH = 250;
/** ms of verifying at a time, so that the page goes on. */
const SLICE = 12;

export class Timeline {
  /** What is shown, if anything was recorded or opened. */
  player: Player | null = null;
  file: Uint8Array | null = null;
  private recorded: Session | null = null;
  /** Whether nobody asked for the recording that is under way. */
  private unasked = false;
  private shownAt = 0;
  /** Where the slider was last. */
  private asked = 0;
  private readonly slider = element<HTMLInputElement>('scrub');
  private readonly badge = element<HTMLOutputElement>('hash');
  private wanted = -1;
  private going: Promise<void> | null = null;

  constructor(private readonly host: TimelineHost) {
    const guard = (run: () => Promise<void>) => () => void run().catch((error) => host.fail(error));
    element('record').addEventListener(
      'click',
      guard(() => (this.recorded === null || this.unasked ? this.record() : this.stop())),
    );
    element('verify').addEventListener(
      'click',
      guard(() => this.verify()),
    );
    element('export').addEventListener('click', () => this.save());
    element('link').addEventListener(
      'click',
      guard(() => this.share()),
    );
    const input = element<HTMLInputElement>('import');
    element('open').addEventListener('click', () => input.click());
    input.addEventListener(
      'change',
      guard(() => this.takeAll([...(input.files ?? [])])),
    );
    this.slider.addEventListener(
      'input',
      guard(() => this.rewind(this.slider.valueAsNumber)),
    );
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      guard(() => this.takeAll([...(event.dataTransfer?.files ?? [])]))();
    });
    this.show();
  }

  async record(): Promise<void> {
    const { session } = this.host;
    if (session === null) return;
    if (this.unasked) await this.drop();
    await session.physics.record({ keyframeEvery: KEYFRAME_EVERY, notes: { scene: session.scene.id } });
    this.recorded = session;
    this.forget();
    this.show();
  }

  /** Records a scene that is about to start, so that it can be rewound. */
  async watch(session: Session): Promise<void> {
    const keyframeEvery = session.bodies.length > LARGE ? UNASKED_KEYFRAME_EVERY : KEYFRAME_EVERY;
    await session.physics.record({ keyframeEvery, notes: { scene: session.scene.id } });
    if (session !== this.host.session) return; // another scene was opened meanwhile
    this.recorded = session;
    this.unasked = true;
    this.show();
  }

  /** Ends what nobody asked for. */
  private async drop(): Promise<void> {
    const session = this.recorded;
    this.recorded = null;
    this.unasked = false;
    await session?.physics.stopRecording();
    this.show();
  }

  /** Once per frame: how far the slider goes. */
  update(now: number): void {
    if (!this.unasked || this.recorded === null || now - this.shownAt < REFRESH) return;
    this.shownAt = now;
    const { steps } = this.recorded.physics.stats;
    if (steps > LONGEST_UNASKED) void this.drop().catch((error) => this.host.fail(error));
    else this.show();
  }

  /** What the slider asks for: the recording that is under way ends there. */
  private async rewind(frame: number): Promise<void> {
    this.asked = frame; // while it ends, the slider moves on
    if (this.unasked) await this.stop(frame);
    if (this.player !== null) await this.seek(Math.min(this.asked, this.player.recording.frames));
  }

  /** @param at  the step to show, as far as there is one; default: the last */
  async stop(at = Number.POSITIVE_INFINITY): Promise<void> {
    const session = this.recorded;
    if (session === null) return;
    this.host.setPaused(true);
    this.recorded = null;
    this.unasked = false;
    await this.load(await session.physics.stopRecording(), at);
  }

  /** The scene was opened anew: what was being recorded is gone. */
  reset(): void {
    this.recorded = null;
    this.unasked = false;
    this.forget();
    this.show();
  }

  private forget(): void {
    this.player?.dispose();
    this.player = null;
    this.file = null;
    this.badge.textContent = '';
    this.badge.removeAttribute('data-state');
  }

  private async load(file: Uint8Array, at = Number.POSITIVE_INFINITY): Promise<void> {
    const { Player } = await import('ricochet/replay'); // the engine in the page, only now
    const player = await Player.open(file);
    player.seek(Math.min(at, player.recording.frames));
    this.forget();
    this.player = player;
    this.file = file;
    this.show();
  }

  /** Files of the user: a recording, or a scene of another program. */
  private async takeAll(files: readonly File[]): Promise<void> {
    const [first] = files;
    if (first === undefined) return;
    if (first.name.endsWith('.ricochet')) return this.take(new Uint8Array(await first.arrayBuffer()));
    const contents = await Promise.all(
      files.map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())] as const),
    );
    const { sceneOfFiles } = await import('./dropped');
    await this.host.showScene(await sceneOfFiles(new Map(contents)));
  }

  private async take(bytes: Uint8Array): Promise<void> {
    const { readRecording } = await import('ricochet/replay');
    const { scene } = (await readRecording(bytes)).head.notes; // before anything that is shown is given up
    await this.host.openScene(String(scene ?? ''));
    await this.load(bytes, 0);
    await this.seek(0);
  }

  /** @returns whether the end of an address was a recording, which is played from its start */
  async openClip(text: string): Promise<boolean> {
    try {
      await this.take(unpackClip(text));
    } catch (error) {
      this.host.fail(new Error('The recording in the address is damaged.', { cause: error }));
      return false;
    }
    void this.play().catch((error) => this.host.fail(error));
    return true;
  }

  /** Shows one step of the recording after the other, as fast as they were. */
  private async play(): Promise<void> {
    const { player } = this;
    const began = performance.now();
    for (let frame = 0; player !== null && player === this.player && frame < player.recording.frames; ) {
      await new Promise(requestAnimationFrame);
      if (player !== this.player || player.frame !== frame) return; // the slider was moved
      frame = Math.min(player.recording.frames, Math.floor((60 * (performance.now() - began)) / 1000));
      await this.seek(frame);
    }
  }

  /** Shows a step; of several wishes while one is under way the last. Ends when what is shown is what is wished. */
  async seek(frame: number): Promise<void> {
    if (this.player === null) return;
    this.wanted = frame;
    this.going ??= this.follow();
    await this.going;
  }

  private async follow(): Promise<void> {
    try {
      while (this.wanted >= 0 && this.player !== null) {
        const { player, wanted } = this;
        this.wanted = -1;
        this.host.setPaused(true);
        player.seek(wanted);
        const { session } = this.host;
        await session?.physics.restore(player.world.snapshot());
        session?.adopt();
        this.show();
      }
    } finally {
      this.going = null;
      this.wanted = -1;
    }
  }

  /** Plays all of it in a world of its own, and says whether it is the same. */
  async verify(): Promise<void> {
    if (this.player === null) return;
    const { Player } = await import('ricochet/replay');
    const player = new Player(this.player.recording, { cacheEvery: 0 });
    this.badge.dataset['state'] = 'busy';
    for (let more = true; more && player.divergence === null; ) {
      const end = performance.now() + SLICE;
      while (performance.now() < end && (more = player.step()));
      this.badge.textContent = `step ${player.frame}`;
      await new Promise((resolve) => setTimeout(resolve));
    }
    const { divergence, hashes } = player;
    const hash = player.world.stateHash();
    player.dispose();
    this.badge.dataset['state'] = divergence === null ? 'same' : 'differs';
    this.badge.textContent =
      divergence === null ? hash : `differs after step ${divergence.frame}: ${divergence.field ?? 'state'}`;
    this.badge.title = divergence === null ? `${hashes} hashes are the same` : JSON.stringify(divergence);
  }

  /** The recording into the page's address, and that on the clipboard. */
  private async share(): Promise<void> {
    if (this.file === null) return;
    const text = packClip(this.file);
    if (text.length > LONGEST_CLIP)
      throw new Error(
        `The recording is too long for a link: ${Math.round(text.length / 1000)} of ${LONGEST_CLIP / 1000} KB. Export it as a file, or record less.`,
      );
    history.replaceState(null, '', `${location.pathname}#clip=${text}`);
    this.badge.removeAttribute('data-state');
    this.badge.textContent = await navigator.clipboard.writeText(location.href).then(
      () => 'copied',
      () => 'in the address',
    );
  }

  private save(): void {
    if (this.file === null) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([this.file as Uint8Array<ArrayBuffer>]));
    link.download = `${this.player?.recording.head.notes['scene'] ?? 'world'}.ricochet`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  private show(): void {
    const { player, slider, recorded, unasked } = this;
    element('record').setAttribute('aria-pressed', String(recorded !== null && !unasked));
    const live = unasked && recorded !== null ? recorded.physics.stats.steps : 0;
    slider.disabled = player === null && live === 0;
    slider.max = String(player?.recording.frames ?? live);
    slider.value = String(player?.frame ?? live);
    element('frame').textContent =
      player !== null ? `${player.frame} / ${player.recording.frames}` : live > 0 ? `${live}` : '';
    for (const id of ['verify', 'link', 'export']) element<HTMLButtonElement>(id).disabled = player === null;
  }
}
