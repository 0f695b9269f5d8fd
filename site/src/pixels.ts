// How many pixels a scene draws: as many as the screen has, and fewer on a machine that is too slow for them, one without
// a graphics processor or a busy one. In: the size of the canvas, the time of each frame. Out: the size of the picture.
import type { Scenery } from '../../demo/stage';
import type { SceneSize } from './offscreen';

/** Where frames take longer than this many ms, fewer pixels are drawn. */
const SLOW = 30;
const FRAMES_TO_JUDGE = 12;
const SMALLEST_RATIO = 0.4;

export class Pixels {
  private most: number;
  private slow = 0;
  private last = 0;

  constructor(
    private readonly scenery: Scenery,
    private size: SceneSize,
  ) {
    this.most = size.pixelRatio;
    scenery.resize(size.width, size.height, size.pixelRatio);
  }

  resize(size: SceneSize): void {
    this.size = size;
    this.scenery.resize(size.width, size.height, Math.min(size.pixelRatio, this.most));
  }

  /** Once for every frame that is drawn. */
  judge(now: number): void {
    const { last, most, size } = this;
    this.last = now;
    this.slow = last !== 0 && now - last > SLOW ? this.slow + 1 : 0;
    if (this.slow < FRAMES_TO_JUDGE || most <= SMALLEST_RATIO) return;
    this.slow = 0;
    this.most = Math.max(SMALLEST_RATIO, 0.7 * Math.min(most, 2));
    this.resize(size);
  }

  /** Nothing was drawn for a while: the next frame tells nothing about the machine. */
  pause(): void {
    this.last = 0;
  }
}
