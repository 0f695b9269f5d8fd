/** Whether this file runs on the sanitizer core, which is slower and makes garbage: see docs/sanitizer.md. */
export const onSanitizer = process.env['RICOCHET_CORE'] === 'sanitizer';
