// The exports of the threaded core: those of the plain one, and a helper's life.
export * from '../index';
export { help } from './fork';

/** End of static memory, by which the build knows how much of it each thread needs. */
export function memoryEnd(): usize {
  return __heap_base;
}
