// The timeline under the scene: records the world in its worker, goes back and forth in what was recorded, keeps it as a
// file and takes one by drag and drop, and plays it again to see whether it comes out the same. Whatever is done after
// going back (a ball, a resumed run) goes on from there.
import type { Player } from 'ricochet/replay';
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
/** ms of verifying at a time, so that the page goes on. */
const SLICE = 12;

export class Timeline {
  /** What is shown, if anything was recorded or opened. */
  player: Player | null = null;
  file: Uint8Array | null = null;
  private recorded: Session | null = null;
  private readonly slider = element<HTMLInputElement>('scrub');
  private readonly badge = element<HTMLOutputElement>('hash');
  private wanted = -1;
  private going: Promise<void> | null = null;

  constructor(private readonly host: TimelineHost) {
    const guard = (run: () => Promise<void>) => () => void run().catch((error) => host.fail(error));
    element('record').addEventListener(
      'click',
      guard(() => (this.recorded === null ? this.record() : this.stop())),
    );
    element('verify').addEventListener(
      'click',
      guard(() => this.verify()),
    );
    element('export').addEventListener('click', () => this.save());
    const input = element<HTMLInputElement>('import');
    element('open').addEventListener('click', () => input.click());
    input.addEventListener(
      'change',
      guard(() => this.takeAll([...(input.files ?? [])])),
    );
    this.slider.addEventListener(
      'input',
      guard(() => this.seek(this.slider.valueAsNumber)),
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
    await session.physics.record({ keyframeEvery: KEYFRAME_EVERY, notes: { scene: session.scene.id } });
    this.recorded = session;
    this.forget();
    this.show();
  }

  async stop(): Promise<void> {
    const session = this.recorded;
    if (session === null) return;
    this.host.setPaused(true);
    this.recorded = null;
    await this.load(await session.physics.stopRecording());
  }

  /** The scene was opened anew: what was being recorded is gone. */
  reset(): void {
    this.recorded = null;
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

  private async load(file: Uint8Array): Promise<void> {
    const { Player } = await import('ricochet/replay'); // the engine in the page, only now
    const player = await Player.open(file);
    player.seek(player.recording.frames);
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
    await this.load(bytes);
    await this.seek(0);
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

  private save(): void {
    if (this.file === null) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([this.file as Uint8Array<ArrayBuffer>]));
    link.download = `${this.player?.recording.head.notes['scene'] ?? 'world'}.ricochet`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  private show(): void {
    const { player, slider } = this;
    element('record').setAttribute('aria-pressed', String(this.recorded !== null));
    slider.disabled = player === null;
    slider.max = String(player?.recording.frames ?? 0);
    slider.value = String(player?.frame ?? 0);
    element('frame').textContent = player === null ? '' : `${player.frame} / ${player.recording.frames}`;
    for (const id of ['verify', 'export']) element<HTMLButtonElement>(id).disabled = player === null;
  }
}
