// What pages listen to: keys that are held, a stick under the thumb, the first gamepad. In: events. Out: numbers.
import { element } from './element';

/** Codes of the keys that are held now. `press`: what a key does when it goes down, without modifiers. */
export function heldKeys(press: (code: string, repeat: boolean) => void): ReadonlySet<string> {
  const held = new Set<string>();
  addEventListener('keydown', (event) => {
    const { code, ctrlKey, metaKey, altKey, repeat } = event;
    if (ctrlKey || metaKey || altKey) return;
    if (event.target === document.body && /^(Space|Arrow)/.test(code)) event.preventDefault();
    held.add(code);
    press(code, repeat);
  });
  addEventListener('keyup', ({ code }) => held.delete(code));
  addEventListener('blur', () => held.clear());
  return held;
}

/** The element #stick with a knob in it: how far it is pushed, −1 to 1; x to the right, z towards the viewer. */
export function thumbStick(): { readonly x: number; readonly z: number } {
  const tilt = { x: 0, z: 0 };
  const stick = element('stick');
  const knob = stick.firstElementChild as HTMLElement;
  const lean = (event: PointerEvent) => {
    if (!stick.hasPointerCapture(event.pointerId)) return;
    const { left, top, width } = stick.getBoundingClientRect();
    const [x, z] = [(2 * (event.clientX - left)) / width - 1, (2 * (event.clientY - top)) / width - 1];
    const size = Math.max(1, Math.hypot(x, z));
    tilt.x = x / size;
    tilt.z = z / size;
    knob.style.translate = `${36 * tilt.x}px ${36 * tilt.z}px`;
  };
  stick.addEventListener('pointerdown', (event) => {
    stick.setPointerCapture(event.pointerId);
    lean(event);
  });
  stick.addEventListener('pointermove', lean);
  for (const end of ['pointerup', 'pointercancel'] as const)
    stick.addEventListener(end, () => {
      tilt.x = tilt.z = 0;
      knob.style.translate = '';
    });
  return tilt;
}

/** A button of the page that is held with a finger or the mouse. */
export function heldButton(id: string): { readonly isDown: boolean } {
  const state = { isDown: false };
  const button = element(id);
  button.addEventListener('pointerdown', (event) => {
    button.setPointerCapture(event.pointerId);
    state.isDown = true;
  });
  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
    button.addEventListener(end, () => {
      state.isDown = false;
    });
  return state;
}

/** The first gamepad that is there. */
export function firstPad(): Gamepad | undefined {
  return navigator.getGamepads?.().find((found) => found !== null) ?? undefined;
}
