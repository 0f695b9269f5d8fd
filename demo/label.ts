// A word in the air that faces the viewer. In: text, a place in metres. Out: a sprite.
import { CanvasTexture, Sprite, SpriteMaterial, SRGBColorSpace } from 'three';

const PIXELS = 64;
/** m. */
const HEIGHT = 0.5;

export function label(text: string, position: readonly [number, number, number]): Sprite {
  const canvas =
    typeof document === 'undefined' ? new OffscreenCanvas(1, 1) : document.createElement('canvas');
  const draw = canvas.getContext('2d') as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
  const font = `600 ${PIXELS * 0.6}px system-ui, sans-serif`;
  draw.font = font;
  canvas.width = Math.ceil(draw.measureText(text).width) + PIXELS / 2;
  canvas.height = PIXELS;
  draw.font = font; // a new size forgets it
  draw.fillStyle = '#20262e';
  draw.textAlign = 'center';
  draw.textBaseline = 'middle';
  draw.fillText(text, canvas.width / 2, canvas.height / 2);
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  const sprite = new Sprite(new SpriteMaterial({ map, transparent: true, depthWrite: false, fog: false }));
  sprite.position.set(...position);
  sprite.scale.set((HEIGHT * canvas.width) / canvas.height, HEIGHT, 1);
  return sprite;
}
