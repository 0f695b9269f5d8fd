import { test } from 'vitest';

/** Whether this file runs on the sanitizer core, which is slower and makes garbage: see docs/sanitizer.md. */
export const onSanitizer = process.env['RICOCHET_CORE'] === 'sanitizer';

/** `test` for what means nothing on the sanitizer core: times, garbage, a core that the test brings itself. Says so. */
export function ordinaryCoreOnly(reason: string): typeof test {
  if (!onSanitizer) return test;
  console.log(`skipped on the sanitizer core: ${reason}`);
  return test.skip as typeof test;
}
