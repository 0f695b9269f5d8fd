// A reporter for Vitest, and the words of the summary of `npm test`. In: a run of tests; RICOCHET_REPORT names a file.
// Out: in that file the counts and one entry per failure: of a test, of a hook, of a file that could not be loaded, of
// nothing in particular; each with the first lines of its error.
import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** Lines of an error that are shown, and the most letters of a line. */
const LINES = 4;
const WIDTH = 240;

/** The first lines of a message, and the line of a test that it came from. */
function firstLines({ name, message, stack, stacks }) {
  const lines = stripVTControlCharacters(message || stack || 'no message')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(0, LINES);
  lines[0] = `${name ?? 'Error'}: ${lines[0]}`;
  const at = stacks?.find(({ file }) => /[\\/]test[\\/]/.test(file));
  if (at) lines.push(`at ${at.file.replace(/^.*[\\/](?=test[\\/])/, '')}:${at.line}`);
  return lines.map((line) => line.slice(0, WIDTH));
}

export default class FailuresReporter {
  onTestRunEnd(modules, unhandled) {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const failures = [];
    const add = (name, errors) => {
      for (const error of errors.slice(0, 1)) failures.push({ name, lines: firstLines(error) });
    };
    for (const module of modules) {
      const file = module.relativeModuleId ?? module.moduleId;
      add(`${file} (could not be loaded)`, module.errors());
      for (const suite of module.children.allSuites())
        add(`${file} › ${suite.fullName} (before or after its tests)`, suite.errors());
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        counts[state in counts ? state : 'skipped']++;
        if (state === 'failed') add(`${file} › ${test.fullName}`, errors ?? []);
      }
    }
    for (const error of unhandled) add('outside of any test', [error]);
    // A hook or a file that failed has no test to count, but must not pass unseen.
    counts.failed = Math.max(counts.failed, failures.length);
    if (process.env.RICOCHET_REPORT)
      writeFileSync(process.env.RICOCHET_REPORT, JSON.stringify({ ...counts, failures }));
  }
}

/** The last lines of a program's output, where there is no report to say more. */
export function lastLines(output, count = 12) {
  return stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .map((line) => line.slice(0, WIDTH));
}

/** As they stand in the summary. */
export function describeFailures(failures, most = 20) {
  const shown = failures
    .slice(0, most)
    .flatMap(({ name, lines }) => [`     ✗ ${name}`, ...lines.map((line) => `         ${line}`)]);
  if (failures.length > most) shown.push(`     … and ${failures.length - most} more`);
  return shown;
}
