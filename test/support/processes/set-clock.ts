import { jest } from '@jest/globals';

/**
 * Functions that stay real, so that only the date is replaced: timers run, and durations are
 * measured.
 */
const REAL = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

/** Sets the clock of this process. It stands still until it is set again or released. */
export function setClock(ms: number): void {
  jest.useFakeTimers({ now: ms, doNotFake: [...REAL] });
}

/** Makes only `passIntervals` run the callbacks of `setInterval`. The clock continues. */
export function holdIntervals(): void {
  const real = REAL.filter((name) => name !== 'setInterval' && name !== 'clearInterval');
  jest.useFakeTimers({ doNotFake: ['Date', ...real] });
}

/** Runs the callbacks of `setInterval` as if this much time had passed. */
export function passIntervals(ms: number): void {
  jest.advanceTimersByTime(ms);
}

/** Restores the real clock and intervals. */
export function releaseClock(): void {
  jest.useRealTimers();
}

/** Returns a moment as databases store it, in UTC. */
export function storedTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
