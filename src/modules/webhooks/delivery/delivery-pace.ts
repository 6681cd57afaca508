import { setTimeout as wait } from 'node:timers/promises';

/** A process starts at most 60 deliveries a second, which leaves capacity for other requests. */
const GAP_MS = 1_000 / 60;

/** Spreads deliveries, so that many at once do not slow down other requests. */
export class DeliveryPace {
  /** Start of the last delivery by the monotonic clock, in milliseconds. */
  private last = 0;

  /** Waits until the next delivery may start. */
  async next(): Promise<void> {
    const now = performance.now();
    this.last = Math.max(now, this.last + GAP_MS);
    if (this.last > now) await wait(this.last - now);
  }
}
