// Debug lines. In: the world. Out: one LineSegments in the scene.

import { type ReactNode, useEffect, useState } from 'react';
import type { DebugLinesOptions } from 'ricochet';
import { PhysicsLines } from 'ricochet/three';
import { usePhysicsOf } from './hooks';

/** Props of Debug. */
export interface DebugProps {
  /** What is drawn; see DebugLinesOptions. Default shapes. */
  options?: DebugLinesOptions | undefined;
}

/** Draws shapes, contacts, joints; `<Physics debug>` has one. */
export function Debug({ options }: DebugProps): ReactNode {
  const { world, runtime } = usePhysicsOf('<Debug>');
  const [lines, setLines] = useState<PhysicsLines | null>(null);
  useEffect(() => {
    const made = new PhysicsLines(world as never, options);
    // A worker's client updates the lines by itself; a World does not.
    const drawn = { draw: () => made.update() };
    if (!runtime.isWorker) runtime.drawn.add(drawn);
    setLines(made);
    return () => {
      runtime.drawn.delete(drawn);
      setLines(null);
      if (!runtime.isDisposed) made.dispose();
    };
  }, [world, runtime, options]);
  return lines && <primitive object={lines} dispose={null} />;
}
