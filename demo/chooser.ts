// The list of all scenes by group, a button that shows it, and the buttons to the next and the last one. In: the groups.
// Out: the scene that was chosen.
import { element } from './element';
import type { Scene, SceneGroup } from './scenes';

export class Chooser {
  private readonly scenes: readonly Scene[];
  private readonly buttons = new Map<string, HTMLButtonElement>();
  private readonly list = element('scenes');
  private readonly opener = element('choose');
  private shown = 0;
  private isOpen = false;

  constructor(
    groups: readonly SceneGroup[],
    private readonly choose: (scene: Scene) => unknown,
  ) {
    this.scenes = groups.flatMap((group) => group.scenes);
    this.list.prepend(...groups.map((group) => this.section(group)));
    this.opener.addEventListener('click', () => this.toggle());
    element('previous').addEventListener('click', () => this.move(-1));
    element('next').addEventListener('click', () => this.move(1));
    addEventListener('pointerdown', ({ target }) => {
      const inside = target instanceof Node && (this.list.contains(target) || this.opener.contains(target));
      if (!inside) this.close();
    });
  }

  private section({ title, scenes }: SceneGroup): HTMLElement {
    const section = document.createElement('section');
    const heading = document.createElement('h2');
    heading.textContent = title;
    section.append(heading);
    for (const scene of scenes) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = scene.title;
      button.title = scene.description;
      button.addEventListener('click', () => {
        this.close();
        this.choose(scene);
      });
      this.buttons.set(scene.id, button);
      section.append(button);
    }
    return section;
  }

  toggle(): void {
    this.setOpen(!this.isOpen);
  }

  close(): void {
    this.setOpen(false);
  }

  private setOpen(open: boolean): void {
    if (open === this.isOpen) return;
    this.isOpen = open;
    const focusInside = this.list.contains(document.activeElement);
    this.list.hidden = !open;
    this.opener.setAttribute('aria-expanded', String(open));
    if (open) this.buttons.get(this.scenes[this.shown]!.id)?.focus();
    else if (focusInside) this.opener.focus();
  }

  /** The scene with this number, if there is one. */
  pick(index: number): void {
    const scene = this.scenes[index];
    if (scene === undefined) return;
    this.shown = index; // at once, for who presses the key again before the scene is there
    this.choose(scene);
  }

  /** So many scenes on, round and round. */
  move(by: number): void {
    this.pick((this.shown + by + this.scenes.length) % this.scenes.length);
  }

  /** This scene is on the screen now. */
  show(scene: Scene): void {
    this.shown = Math.max(0, this.scenes.indexOf(scene));
    for (const [id, button] of this.buttons) button.setAttribute('aria-pressed', String(id === scene.id));
  }
}
