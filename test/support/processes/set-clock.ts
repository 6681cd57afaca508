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

/** Lets the clock show the real time again. */
export function releaseClock(): void {
  jest.useRealTimers();
}

/** A moment as databases store it, in UTC. */
export function storedTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
