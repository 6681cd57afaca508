import { readFileSync } from 'node:fs';

/**
 * For how many milliseconds this process was ready to run and others were let run before it, all in
 * all. While it sleeps, or is busy itself, it does not wait; only Linux tells.
 */
function keptFromRunning(): number {
  try {
    const [, waited] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
    return Number(waited) / 1_000_000;
  } catch {
    return 0;
  }
}

/**
 * Begins to measure what this process waits for, in milliseconds.
 * @returns the time since then, less that in which a busy machine did not let this process run
 */
export function stopwatch(): () => number {
  const begun = performance.now();
  const keptBefore = keptFromRunning();
  return () => performance.now() - begun - (keptFromRunning() - keptBefore);
}
