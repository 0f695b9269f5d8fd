import { Matrix4, Quaternion, Vector3 } from 'three';
import { Population } from './population';
import { findScene, scenes } from './scenes';
import { Stage } from './stage';

const stage = new Stage(document.querySelector('#view') as HTMLCanvasElement);
const scene = findScene(new URLSearchParams(location.search).get('scene') ?? '') ?? scenes[0]!;
const population = new Population<any>();
let id = 0;
scene.build({
  createBody(o) {
    const b = { id: id++, isAwake: () => true, o };
    population.note(b, o);
    return b;
  },
});
for (const { mesh, bodies } of population.build()) {
  bodies.forEach((b: any, i: number) =>
    mesh.setMatrixAt(
      i,
      new Matrix4().compose(
        new Vector3(...(b.o.position ?? [0, 0, 0])),
        new Quaternion(...(b.o.rotation ?? [0, 0, 0, 1])),
        new Vector3(1, 1, 1),
      ),
    ),
  );
  stage.scene.add(mesh);
}
stage.frame(scene);
document.querySelector('#title')!.textContent = scene.title;
document.querySelector('#description')!.textContent = scene.description;
stage.render();
(window as any).done = true;
