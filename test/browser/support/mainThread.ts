// How long the tasks of a page's main thread are, by the processor's time, which other programs cannot lengthen as they
// do the time on the wall. In: a page, from its last mark MARK on. Out: every task, from Chromium's own trace.
import type { Browser, Page } from 'playwright-core';

/** What the page calls to say that the measurement begins: performance.mark(MARK). */
export const MARK = 'measured-from-here';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** µs */
  ts: number;
  dur?: number;
  /** µs of the processor. */
  tdur?: number;
}

export interface Task {
  /** ms by the clock, and of the processor. */
  wall: number;
  cpu: number;
}

export async function startTrace(browser: Browser, page: Page): Promise<void> {
  await browser.startTracing(page, {
    categories: ['-*', 'blink.user_timing', 'disabled-by-default-devtools.timeline'],
  });
}

export async function stopTrace(browser: Browser): Promise<Task[]> {
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const [mark] = traceEvents.filter(({ name }) => name === MARK).sort((a, b) => b.ts - a.ts);
  if (mark === undefined) throw new Error(`the trace has no mark ${MARK}`);
  const { pid, tid, ts } = mark;
  // Complete ones (X): the task in which the trace ends only begins (B), and has no length.
  return traceEvents
    .filter(
      (event) =>
        event.name === 'RunTask' &&
        event.ph === 'X' &&
        event.pid === pid &&
        event.tid === tid &&
        event.ts > ts,
    )
    .map(({ dur, tdur }) => ({ wall: dur! / 1000, cpu: tdur! / 1000 }));
}
