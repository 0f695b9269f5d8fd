// The sound of the game, made by contact events: no files. In: what hit what, how hard, where. Out: short voices of noise
// and partials, the loudest of a frame first. A browser lets a page sound after the first press.
import type { Thing } from './game';

type Made = Thing['made'];

/** Partials in Hz with their share, how long they ring (s), the share of noise and where it is cut off (Hz). */
interface Timbre {
  partials: readonly (readonly [hertz: number, share: number])[];
  ring: number;
  noise: number;
  cut: number;
}

const TIMBRES: Record<Made, Timbre> = {
  ground: { partials: [[62, 1]], ring: 0.12, noise: 0.5, cut: 300 },
  stone: {
    partials: [
      [310, 0.4],
      [742, 0.2],
    ],
    ring: 0.07,
    noise: 0.9,
    cut: 1500,
  },
  wood: {
    partials: [
      [196, 0.8],
      [428, 0.4],
      [905, 0.15],
    ],
    ring: 0.13,
    noise: 0.35,
    cut: 2200,
  },
  gold: {
    partials: [
      [523, 0.5],
      [1410, 0.35],
      [2760, 0.2],
    ],
    ring: 0.9,
    noise: 0.1,
    cut: 6000,
  },
  powder: { partials: [[150, 0.6]], ring: 0.1, noise: 0.4, cut: 900 },
  ball: {
    partials: [
      [240, 0.5],
      [1130, 0.3],
      [2210, 0.1],
    ],
    ring: 0.3,
    noise: 0.2,
    cut: 3000,
  },
  bomb: {
    partials: [
      [180, 0.5],
      [810, 0.3],
    ],
    ring: 0.2,
    noise: 0.3,
    cut: 2000,
  },
};

/** N·s of a blow at full volume. */
const LOUD = 250;
/** Voices that begin in one frame, and that sound at once. */
const MOST_NEW = 5;
const MOST = 24;

interface Blow {
  made: Made;
  /** 0 … 1 */
  volume: number;
  /** −1 left … 1 right */
  pan: number;
  /** Of the partials: small things are higher. */
  pitch: number;
}

export class Sound {
  muted = false;
  /** Voices that began, for who wants to know. */
  begun = 0;
  private context: AudioContext | null = null;
  private noise: AudioBuffer | null = null;
  private sounding = 0;
  private blows: Blow[] = [];

  /** To be called in the handler of a press: before it a browser keeps a page silent. */
  start(): void {
    if (this.context !== null || typeof AudioContext === 'undefined') return;
    const context = new AudioContext();
    const noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
    this.context = context;
    this.noise = noise;
  }

  /** Notes a blow of `impulse` N·s; it sounds with the frame. `size`: m, the longest side. */
  blow(made: Made, impulse: number, distance: number, pan: number, size = 1): void {
    const volume = Math.min(1, (impulse / LOUD) ** 0.7) / (1 + distance / 25);
    if (volume < 0.015) return;
    this.blows.push({ made, volume, pan, pitch: Math.min(1.6, Math.max(0.6, size ** -0.4)) });
  }

  /** Lets the loudest blows of the frame sound. */
  flush(): void {
    const blows = this.blows.sort((a, b) => b.volume - a.volume).slice(0, MOST_NEW);
    this.blows = [];
    for (const blow of blows) {
      this.begun++;
      if (!this.muted && this.context !== null && this.sounding < MOST) this.strike(this.context, blow);
    }
  }

  private strike(context: AudioContext, { made, volume, pan, pitch }: Blow): void {
    const { partials, ring, noise, cut } = TIMBRES[made];
    const out = context.createStereoPanner();
    out.pan.value = Math.max(-1, Math.min(1, pan));
    out.connect(context.destination);
    for (const [hertz, share] of partials) {
      const tone = context.createOscillator();
      tone.frequency.value = hertz * pitch * (0.97 + 0.06 * Math.random());
      this.voice(context, tone, out, 0.25 * volume * share, ring);
    }
    const hiss = context.createBufferSource();
    hiss.buffer = this.noise;
    hiss.loop = true;
    const filter = context.createBiquadFilter();
    filter.frequency.value = cut * (0.4 + 0.6 * volume);
    hiss.connect(filter);
    this.voice(context, hiss, out, 0.5 * volume * noise, 0.06 + 0.05 * volume, filter);
  }

  /** A blast: noise whose bright part goes first. */
  blast(): void {
    this.begun++;
    const { context } = this;
    if (this.muted || context === null) return;
    const hiss = context.createBufferSource();
    hiss.buffer = this.noise;
    hiss.loop = true;
    const filter = context.createBiquadFilter();
    filter.frequency.setValueAtTime(2400, context.currentTime);
    filter.frequency.exponentialRampToValueAtTime(60, context.currentTime + 0.9);
    hiss.connect(filter);
    this.voice(context, hiss, context.destination, 0.8, 0.9, filter);
  }

  /** `source` at a volume that falls to nothing in `ring` s. */
  private voice(
    context: AudioContext,
    source: AudioScheduledSourceNode,
    out: AudioNode,
    volume: number,
    ring: number,
    through: AudioNode = source,
  ): void {
    const gain = context.createGain();
    const now = context.currentTime;
    gain.gain.setValueAtTime(Math.max(1e-4, volume), now);
    gain.gain.exponentialRampToValueAtTime(1e-4, now + ring);
    through.connect(gain).connect(out);
    this.sounding++;
    source.onended = () => {
      this.sounding--;
      gain.disconnect();
    };
    source.start(now);
    source.stop(now + ring);
  }
}
