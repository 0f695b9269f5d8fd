// A PlayCanvas application on the null device, with rigid bodies, collision shapes and joints.
import * as pc from 'playcanvas';

/** `options` are for `app.init`, which the caller does. */
export function nullApp(): { app: pc.AppBase; options: pc.AppOptions } {
  const canvas = Object.assign(new EventTarget(), {
    width: 100,
    height: 100,
    style: {},
    getBoundingClientRect: () => ({ left: 0, top: 0, width: 100, height: 100 }),
  }) as unknown as HTMLCanvasElement;
  const app = new pc.AppBase(canvas);
  const options = new pc.AppOptions();
  options.graphicsDevice = new pc.NullGraphicsDevice(canvas);
  options.componentSystems = [
    pc.CollisionComponentSystem,
    pc.RigidBodyComponentSystem,
    pc.JointComponentSystem,
  ].filter(Boolean) as never;
  return { app, options };
}
