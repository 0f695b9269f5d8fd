// Two settings side by side: the same scene twice, each in a frame of its own, begun together. Query: `scene=`, and `left=`
// and `right=`, numbers of the settings below.
import { element } from './element';
import { scenes } from './scenes';

const SETTINGS: [text: string, query: string][] = [
  ['ricochet (5 substeps)', 'profile=native'],
  ['1 substep', 'profile=native&substeps=1'],
  ['2 substeps', 'profile=native&substeps=2'],
  ['12 substeps', 'profile=native&substeps=12'],
  ['Bullet 3', 'profile=bullet3'],
  ['Bullet 2.82 (ammo.js)', 'profile=bullet282'],
  ['without sleeping', 'profile=native&sleeping=0'],
  ['gravity of the moon', 'profile=native&gravity=-1.62'],
];

const query = new URLSearchParams(location.search);
const scene = element<HTMLSelectElement>('scene');
const sides = (['left', 'right'] as const).map((name, i) => ({
  name,
  select: element<HTMLSelectElement>(name),
  frame: element<HTMLIFrameElement>(`${name}View`),
  usual: [0, 5][i]!,
}));

function fill(select: HTMLSelectElement, texts: readonly (readonly [text: string, value: string])[]): void {
  select.replaceChildren(...texts.map(([text, value]) => new Option(text, value)));
}

function show(): void {
  const address = new URLSearchParams({ scene: scene.value });
  for (const { name, select, frame } of sides) {
    address.set(name, String(select.selectedIndex));
    frame.src = `./index.html?scene=${scene.value}&bare=1&${select.value}`;
    frame.title = `${scene.selectedOptions[0]!.text}: ${select.selectedOptions[0]!.text}`;
  }
  history.replaceState(null, '', `?${address}`);
}

fill(
  scene,
  scenes.map(({ id, title }) => [title, id] as const),
);
scene.value = scenes.some(({ id }) => id === query.get('scene')) ? query.get('scene')! : 'pyramid';
for (const { name, select, usual } of sides) {
  fill(select, SETTINGS);
  const wanted = Number(query.get(name) ?? usual);
  select.selectedIndex = SETTINGS[wanted] === undefined ? usual : wanted;
  select.addEventListener('change', show);
}
scene.addEventListener('change', show);
element('again').addEventListener('click', show);
show();
