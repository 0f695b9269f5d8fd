// The three.js scene that the worker example draws: nothing of ricochet in it.
import {
  BoxGeometry,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  WebGLRenderer,
} from 'three';

export const scene = new Scene();
export const camera = new PerspectiveCamera(50, innerWidth / innerHeight, 0.1, 100);
camera.position.set(4, 3, 6);
camera.lookAt(0, 1, 0);

export const crateMesh = new Mesh(new BoxGeometry(1, 1, 1), new MeshStandardMaterial({ color: '#d9694d' }));
scene.add(crateMesh, new HemisphereLight('#ffffff', '#887766', 3));

export const renderer = new WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
