/** Most tries. */
const TRIES = 5;

/** The first result that is good, or the last one. */
export async function bestOf<T>(run: () => Promise<T>, good: (result: T) => boolean): Promise<T> {
  let result = await run();
  for (let i = 1; i < TRIES && !good(result); i++) result = await run();
  return result;
}
