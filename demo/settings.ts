// What the user may turn while the demo runs, and the panel for it (lil-gui).
import GUI from 'lil-gui';
import { type CombineRule, PROFILES, type Profile, type WorldOptions, type WorldSettings } from 'ricochet';
import { USUAL_BALL } from './shooting';

/** The settings that the panel shows; the others follow from the profile. */
const SHOWN = ['substeps', 'iterations', 'relaxIterations', 'sleeping', 'frictionCombine'] as const;

const COMBINE_RULES: CombineRule[] = ['multiply', 'average', 'minimum', 'maximum', 'geometricMean'];

export interface SettingsActions {
  /** Some settings changed; they apply from the next step on. */
  changed(changes: Partial<WorldSettings>): void;
  gravityChanged(gravity: [number, number, number]): void;
  viewChanged(): void;
}

export class Settings {
  readonly view = {
    states: true,
    contacts: false,
    aabbs: false,
    joints: false,
    islands: false,
    wireframe: false,
  };
  readonly ball = { ...USUAL_BALL };
  private readonly world = { profile: 'native' as Profile, gravity: -9.81, ...PROFILES.native };

  /** @param query  may name a profile, gravity in m/s², and each of the shown settings */
  constructor(
    parent: HTMLElement,
    private readonly actions: SettingsActions,
    query: URLSearchParams,
  ) {
    this.read(query);
    const gui = new GUI({ container: parent, title: 'Settings' });
    const view = gui.addFolder('View').onChange(() => actions.viewChanged());
    view.add(this.view, 'states').name('fade bodies at rest');
    view.add(this.view, 'contacts').name('contacts');
    view.add(this.view, 'aabbs').name('bounding boxes');
    view.add(this.view, 'joints').name('joints').listen();
    view.add(this.view, 'islands').name('islands');
    view.add(this.view, 'wireframe').name('cannon-es-debugger');

    const step = gui.addFolder('Step');
    const { world } = this;
    step
      .add(world, 'profile', Object.keys(PROFILES))
      .onChange((profile: Profile) => this.adopt(profile, step));
    step
      .add(world, 'gravity', -20, 5, 0.01)
      .name('gravity m/s²')
      .onChange(() => actions.gravityChanged(this.gravity));
    step.add(world, 'substeps', 1, 16, 1);
    step.add(world, 'iterations', 1, 20, 1);
    step.add(world, 'relaxIterations', 0, 10, 1).name('relax iterations');
    step.add(world, 'sleeping');
    step.add(world, 'frictionCombine', COMBINE_RULES).name('friction rule');
    step.onChange(({ property }) => {
      const shown = SHOWN.find((name) => name === property);
      if (shown !== undefined) actions.changed({ [shown]: world[shown] });
    });

    const ball = gui.addFolder('Ball');
    ball.add(this.ball, 'speed', 5, 120, 1).name('speed m/s');
    ball.add(this.ball, 'mass', 0.5, 100, 0.5).name('mass kg');
    ball.add(this.ball, 'radius', 0.1, 1.5, 0.05).name('radius m');
    ball.close();
    if (innerWidth < 900) gui.close();
  }

  private read(query: URLSearchParams): void {
    const { world } = this;
    const profile = query.get('profile') as Profile;
    if (PROFILES[profile] !== undefined) Object.assign(world, { profile }, PROFILES[profile]);
    const numbers = ['gravity', 'substeps', 'iterations', 'relaxIterations'] as const;
    for (const name of numbers) {
      const value = Number(query.get(name) ?? Number.NaN);
      if (Number.isFinite(value)) world[name] = value;
    }
    if (query.has('sleeping')) world.sleeping = query.get('sleeping') !== '0';
  }

  private adopt(profile: Profile, folder: GUI): void {
    Object.assign(this.world, PROFILES[profile]);
    for (const controller of folder.controllers) controller.updateDisplay();
    this.actions.changed(PROFILES[profile]);
  }

  private get gravity(): [number, number, number] {
    return [0, this.world.gravity, 0];
  }

  /** Options of a new world: what the panel shows, and what the scene insists on. */
  worldOptions(scene: WorldOptions | undefined): WorldOptions {
    const { gravity: _, ...settings } = this.world;
    return { ...settings, gravity: this.gravity, ...scene };
  }
}
