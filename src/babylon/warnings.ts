// What a scene asks for and the engine has not: said once each, by Babylon's own log.
import { Logger } from '@babylonjs/core/Misc/logger.js';

const said = new Set<string>();
/** Texts that are kept, so that one thing is not said again; a scene that makes new ones for ever fills no memory. */
const MOST = 1000;

export function warn(text: string): void {
  if (said.has(text)) return;
  if (said.size >= MOST) said.clear();
  said.add(text);
  Logger.Warn(`ricochet/babylon: ${text}`);
}
