// stats.js with three panels side by side: frame interval, physics step, bodies awake.
import Stats from 'stats.js';

export class Panels {
  private readonly stats = new Stats();
  private readonly frame = new Stats.Panel('ms', '#2f8583', '#eef1ef');
  private readonly physics = new Stats.Panel('µs step', '#c9573c', '#f5efec');
  private readonly bodies = new Stats.Panel('awake', '#3f6491', '#edf0f4');
  private last = 0;

  constructor(parent: HTMLElement) {
    this.stats.dom.style.cssText = 'display:flex;gap:6px';
    this.stats.dom.replaceChildren(); // its own panels are shown one at a time; ours together
    for (const panel of [this.frame, this.physics, this.bodies]) {
      panel.dom.style.cssText = 'width:80px;height:48px;display:block';
      this.stats.dom.append(panel.dom);
    }
    parent.append(this.stats.dom);
  }

  /** Once per frame, with the time of the frame. */
  update(now: number, physicsMs: number, awake: number, bodies: number): void {
    if (this.last > 0) this.frame.update(now - this.last, 50);
    this.last = now;
    this.physics.update(1000 * physicsMs, 16000);
    this.bodies.update(awake, Math.max(1, bodies));
  }
}
