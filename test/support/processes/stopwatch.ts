import { readFileSync } from 'node:fs';

/**
 * Returns the total time in milliseconds that this process was ready to run while others ran. Time
 * in which it sleeps or runs does not count. Only Linux reports this; elsewhere it is 0.
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
 * Starts to measure a duration.
 * @returns a function that returns the milliseconds since then, without the time in which a busy
 * machine did not run this process
 */
export function stopwatch(): () => number {
  const begun = performance.now();
  const keptBefore = keptFromRunning();
  return () => performance.now() - begun - (keptFromRunning() - keptBefore);
}

/** Returns the processor time of this process so far, in milliseconds, with all of its threads. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Starts to measure processor time, which does not depend on how busy the machine is.
 * @returns a function that returns the milliseconds of processor time since then
 */
export function processorStopwatch(): () => number {
  const before = processorMs();
  return () => processorMs() - before;
}
