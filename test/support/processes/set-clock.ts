import { jest } from '@jest/globals';

/** All but the date: timers go on, and what is measured is measured. */
const REAL = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
  ...(['setTimeout', 'clearTimeout'] as const),
];

/** Sets the clock of this process, which stands still until it is set again or let go. */
export function setClock(ms: number): void {
  jest.useFakeTimers({ now: ms, doNotFake: [...REAL] });
}

/** Has `passIntervals` alone end what `setInterval` waits for; the clock goes on. */
export function holdIntervals(): void {
  const real = REAL.filter((name) => name !== 'setInterval' && name !== 'clearInterval');
  jest.useFakeTimers({ doNotFake: ['Date', ...real] });
}

/** Runs the callbacks of `setInterval` as if this much time had passed. */
export function passIntervals(ms: number): void {
  jest.advanceTimersByTime(ms);
}

/** Lets the clock show the real time again, and intervals end by themselves. */
export function releaseClock(): void {
  jest.useRealTimers();
}

/** A moment as databases store it, in UTC. */
export function storedTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
