import { setTimeout as wait } from 'node:timers/promises';

/** Between the beginnings of two deliveries of a process: 60 a second leave room for everything else. */
const GAP_MS = 1_000 / 60;

/** Spreads deliveries, so that many at once do not slow down other requests. */
export class DeliveryPace {
  /** By the monotonic clock, in ms. */
  private last = 0;

  /** Waits for the turn of the next delivery. */
  async next(): Promise<void> {
    const now = performance.now();
    this.last = Math.max(now, this.last + GAP_MS);
    if (this.last > now) await wait(this.last - now);
  }
}
