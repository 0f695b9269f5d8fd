// Actions by keys, buttons to touch and the first gamepad, and a direction by keys and sticks, as one. In: which keys, buttons and
// buttons of a pad mean what. Out: a direction, and actions that are held or were begun.
import { element } from './element';
import { firstPad, heldButton, heldKeys, thumbStick } from './inputs';

/** What starts an action. */
export interface Action {
  /** Codes of keys. */
  keys: readonly string[];
  /** Id of an element that is touched. */
  button?: string;
  /** Number of a gamepad's button, in the standard layout. */
  pad?: number;
}

/** Of a stick, −1 … 1: less is no lean. */
const DEAD = 0.15;

export class Controls<Name extends string> {
  private readonly held = heldKeys((code, repeat) => this.press(code, repeat));
  private readonly tilt = thumbStick();
  private readonly touched = new Map<Name, { readonly isDown: boolean }>();
  private readonly begun = new Set<Name>();
  private readonly padHeld = new Set<Name>();

  constructor(private readonly actions: Readonly<Record<Name, Action>>) {
    for (const name of this.names) {
      const { button } = actions[name];
      if (button === undefined) continue;
      this.touched.set(name, heldButton(button));
      element(button).addEventListener('pointerdown', () => this.begun.add(name));
    }
  }

  private get names(): Name[] {
    return Object.keys(this.actions) as Name[];
  }

  private press(code: string, repeat: boolean): void {
    if (repeat) return;
    for (const name of this.names) if (this.actions[name].keys.includes(code)) this.begun.add(name);
  }

  /** A stick of the gamepad: 0 left, 1 right. Up is ahead. */
  stick(number: 0 | 1): [x: number, y: number] {
    const axes = firstPad()?.axes ?? [];
    const [x = 0, y = 0] = [axes[2 * number], axes[2 * number + 1]];
    return Math.hypot(x, y) > DEAD ? [x, -y] : [0, 0];
  }

  /** To the right and ahead, of length 1 at most: arrows, W A S D, the touch stick, the left stick of a gamepad. */
  get direction(): [right: number, ahead: number] {
    const down = (...codes: string[]) => (codes.some((code) => this.held.has(code)) ? 1 : 0);
    const [x, y] = this.stick(0);
    const right = down('KeyD', 'ArrowRight') - down('KeyA', 'ArrowLeft') + this.tilt.x + x;
    const ahead = down('KeyW', 'ArrowUp') - down('KeyS', 'ArrowDown') + y - this.tilt.z;
    const size = Math.max(1, Math.hypot(right, ahead));
    return [right / size, ahead / size];
  }

  /** Whether an action is held now. */
  isHeld(name: Name): boolean {
    const { keys, pad } = this.actions[name];
    if (this.touched.get(name)?.isDown || keys.some((code) => this.held.has(code))) return true;
    return pad !== undefined && firstPad()?.buttons[pad]?.pressed === true;
  }

  /** Whether an action was begun since this was last asked. Call it once per frame. */
  began(name: Name): boolean {
    const { pad } = this.actions[name];
    const presses = pad !== undefined && firstPad()?.buttons[pad]?.pressed === true;
    if (presses && !this.padHeld.has(name)) this.begun.add(name);
    if (presses) this.padHeld.add(name);
    else this.padHeld.delete(name);
    return this.begun.delete(name);
  }
}
