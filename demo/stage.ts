// The set on which scenes play: renderer, camera, sky, ground, light with soft shadows. Knows nothing of physics, and
// nothing of a page: it can draw in a worker. `Stage` adds what a page has: orbit controls, and the size of its canvas.
import {
  ACESFilmicToneMapping,
  BackSide,
  CircleGeometry,
  DirectionalLight,
  Fog,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  ShaderMaterial,
  SphereGeometry,
  Scene as ThreeScene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { GROUND, GROUND_LINE, SKY_HORIZON, SKY_TOP } from './palette';
import type { Scene } from './scenes';

/** Beyond this ratio a phone spends its battery on pixels that nobody sees. */
const MAX_PIXEL_RATIO = 2;
const ABOVE_FLOOR = Math.PI * 0.495;
const SUN = new Vector3(-0.52, 0.78, 0.35).normalize();

const skyMaterial = new ShaderMaterial({
  side: BackSide,
  depthWrite: false,
  fog: false,
  toneMapped: false,
  uniforms: { top: { value: SKY_TOP }, horizon: { value: SKY_HORIZON }, sun: { value: SUN } },
  vertexShader: /* glsl */ `
    varying vec3 direction;
    void main() {
      direction = position;
      gl_Position = projectionMatrix * vec4( mat3( modelViewMatrix ) * position, 1.0 );
      gl_Position.z = gl_Position.w;
    }`,
  fragmentShader: /* glsl */ `
    uniform vec3 top;
    uniform vec3 horizon;
    uniform vec3 sun;
    varying vec3 direction;
    void main() {
      vec3 d = normalize( direction );
      float glow = pow( max( dot( d, sun ), 0.0 ), 8.0 );
      gl_FragColor = vec4( mix( horizon, top, smoothstep( 0.0, 0.7, d.y ) ) + 0.10 * glow, 1.0 );
      #include <colorspace_fragment>
    }`,
});

/** Metre lines, every tenth one stronger, that thin out before they could shimmer. */
function groundMaterial(): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ color: GROUND, roughness: 0.95 });
  material.onBeforeCompile = (shader) => {
    shader.uniforms['lineColor'] = { value: GROUND_LINE };
    shader.vertexShader = `varying vec2 vGround;\n${shader.vertexShader.replace(
      '#include <begin_vertex>',
      '#include <begin_vertex>\nvGround = ( modelMatrix * vec4( transformed, 1.0 ) ).xz;',
    )}`;
    shader.fragmentShader = `varying vec2 vGround;\nuniform vec3 lineColor;
      float lineAt( float spacing ) {
        vec2 at = vGround / spacing;
        vec2 width = fwidth( at );
        vec2 near = abs( fract( at - 0.5 ) - 0.5 ) / width;
        float fade = 1.0 - smoothstep( 0.1, 0.35, max( width.x, width.y ) );
        return fade * ( 1.0 - min( min( near.x, near.y ), 1.0 ) );
      }\n${shader.fragmentShader.replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        diffuseColor.rgb = mix( diffuseColor.rgb, lineColor, max( 0.45 * lineAt( 1.0 ), 0.9 * lineAt( 10.0 ) ) );`,
      )}`;
  };
  return material;
}

/** What of a scene says how to look at it. */
type Framed = Pick<Scene, 'camera' | 'world' | 'floor'>;

function isWeightless({ world }: Framed): boolean {
  const gravity = world?.gravity as ArrayLike<number> | undefined; // scenes write vectors as arrays
  return gravity !== undefined && Array.from(gravity).every((component) => component === 0);
}

export class Scenery {
  readonly scene = new ThreeScene();
  readonly camera = new PerspectiveCamera(42, 1, 0.1, 2000);
  readonly renderer: WebGLRenderer;
  /** What the camera looks at. */
  readonly target = new Vector3();
  /** From above, radians: orbits stay above the floor, where there is one. */
  maxPolarAngle = ABOVE_FLOOR;
  private readonly ground: Mesh;
  private readonly sky: Mesh;
  private readonly sun = new DirectionalLight('#fff1dc', 2.7);
  private readonly fog = new Fog(SKY_HORIZON, 60, 260);

  constructor(canvas: HTMLCanvasElement | OffscreenCanvas) {
    const renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.renderer = renderer;
    renderer.toneMapping = ACESFilmicToneMapping;
    renderer.toneMappingExposure = 1.08;
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;

    this.ground = new Mesh(new CircleGeometry(900, 96), groundMaterial());
    this.ground.rotation.x = -Math.PI / 2;
    this.ground.receiveShadow = true;
    this.sky = new Mesh(new SphereGeometry(1, 32, 16), skyMaterial);
    this.sky.frustumCulled = false;
    this.sky.renderOrder = -1;

    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.03;
    this.sun.shadow.radius = 4;
    const fill = new DirectionalLight('#c8dcff', 0.55);
    fill.position.set(0.7, 0.35, -0.6);
    this.scene.fog = this.fog;
    this.scene.add(this.sky, this.ground, this.sun, this.sun.target, fill);
    this.scene.add(new HemisphereLight('#e6eef7', '#c9bba9', 1.9));
  }

  /** Camera, light and fog for a scene. */
  frame(scene: Framed): void {
    const { position, target } = scene.camera;
    this.target.fromArray(target);
    this.camera.position.fromArray(position);
    this.camera.lookAt(this.target);
    const distance = this.camera.position.distanceTo(this.target);
    const floats = isWeightless(scene);
    this.maxPolarAngle = floats ? Math.PI : ABOVE_FLOOR;
    // Adrift, fog alone tells near from far.
    this.fog.near = distance * (floats ? 0.3 : 1.3);
    this.fog.far = distance * (floats ? 2 : 7);
    this.light(Math.min(distance * 0.72, 80));
    this.ground.position.y = scene.floor ?? 0;
    this.ground.visible = !floats;
    this.sun.castShadow = !floats; // nothing to fall on
  }

  /** Shadows within `reach` metres of the target: the smaller, the sharper. */
  light(reach: number): void {
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 1;
    camera.far = reach * 5;
    camera.updateProjectionMatrix();
    this.sun.target.position.copy(this.target);
    this.sun.position.copy(this.target).addScaledVector(SUN, reach * 2.5);
    this.sun.shadow.normalBias = reach * 0.0012;
  }

  render(): void {
    this.renderer.render(this.scene, this.camera);
  }

  /** @param pixelRatio  of the screen */
  resize(width: number, height: number, pixelRatio: number): void {
    this.renderer.setPixelRatio(Math.min(pixelRatio, MAX_PIXEL_RATIO));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // Keep the width of the view on tall screens, where a fixed height would crop the scene.
    this.camera.fov = this.camera.aspect >= 1.2 ? 42 : Math.min(75, (42 * 1.2) / this.camera.aspect);
    this.camera.updateProjectionMatrix();
  }
}

/** Drags turn the camera about the target. The element may stand for one, in a worker. */
export function orbitControls(
  { camera, target, maxPolarAngle }: Scenery,
  element: HTMLElement,
): OrbitControls {
  const controls = new OrbitControls(camera, element);
  controls.target = target;
  controls.enableDamping = true;
  controls.maxPolarAngle = maxPolarAngle;
  controls.minDistance = 2;
  controls.maxDistance = 400;
  return controls;
}

export class Stage extends Scenery {
  readonly controls: OrbitControls;

  constructor(canvas: HTMLCanvasElement) {
    super(canvas);
    this.controls = orbitControls(this, canvas);
    const adjust = () =>
      this.resize(Math.max(1, canvas.clientWidth), Math.max(1, canvas.clientHeight), window.devicePixelRatio);
    new ResizeObserver(adjust).observe(canvas);
    adjust();
  }

  override frame(scene: Framed): void {
    super.frame(scene);
    this.controls.maxPolarAngle = this.maxPolarAngle;
    this.controls.update();
  }

  override render(): void {
    this.controls.update();
    super.render();
  }
}
