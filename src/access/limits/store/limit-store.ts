import type { OnApplicationShutdown } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { LimitWindow, LimitWindows } from '../../../common/limit-windows.js';

export interface Allowance {
  /** `OWNER > PART` for a part of an owner; all parts are stored on one node of a Redis cluster. */
  readonly name: string;
  readonly windows: LimitWindows;
}

/** Separates owner and part. */
export const PART_OF = ' > ';

export interface WindowState {
  readonly window: LimitWindow;
  /** Requests left in it. */
  readonly remaining: number;
  /** Milliseconds until it ends. If no request is left: until the next window with a free place. */
  readonly resetMs: number;
}

/** Serialisable, to be sent between processes. */
export interface CountResult {
  /** If false, no window was changed. */
  readonly allowed: boolean;
  /** Milliseconds until the reserved place begins, 0 for now. If not allowed: until one is free. */
  readonly waitMs: number;
  /** When that is, by the clock of the store. */
  readonly at: number;
  /** The current state of each window, those of `beside` last. */
  readonly states: readonly WindowState[];
}

export interface TakeOptions {
  /** All counts of a request share one time limit. */
  readonly request?: object;
  /** How far ahead a place may be reserved; 0 by default. */
  readonly maxWaitMs?: number;
  /** A second allowance of the same owner. Both are counted, or neither. */
  readonly beside?: Allowance | undefined;
}

export interface LimitResult extends CountResult {
  /** Frees a reserved place that is not needed any more. */
  release(): void;
}

/**
 * Counts requests in windows that begin with their first request. A request is counted in all windows
 * or in none, so a rejected request uses up nothing.
 *
 * A request that may wait reserves a place in one of the next windows, which follow the current one
 * without a gap. So no window exceeds its limit, and no other request can take the place.
 */
export abstract class LimitStore implements ThrottlerStorage, OnApplicationShutdown {
  /** Counts that should be made together, by how they were made; one process or one machine needs no such counts. */
  readonly counts = { together: 0, alone: 0 };

  /** @param count 0 only reads the state */
  abstract take(
    name: string,
    windows: LimitWindows,
    count: 0 | 1,
    options?: TakeOptions,
  ): LimitResult | Promise<LimitResult>;

  onApplicationShutdown(): void {
    // Only Redis has a connection to close.
  }

  /** False if each process counts alone although all should count together. */
  abstract readonly isShared: boolean;

  /** `take` for the throttler's own guard. Times are in milliseconds, those of the result in seconds. */
  async increment(name: string, ttl: number, limit: number) {
    const window = { requests: limit, seconds: ttl / 1_000 };
    const { allowed, states } = await this.take(name, [window], 1);
    const [state = { remaining: 0, resetMs: ttl }] = states;
    const wait = Math.ceil(state.resetMs / 1_000);
    return {
      totalHits: limit - state.remaining,
      timeToExpire: wait,
      isBlocked: !allowed,
      timeToBlockExpire: allowed ? 0 : wait,
    };
  }
}

/** Seconds after which a rejected request will be allowed. */
export function secondsToWait({ waitMs }: CountResult): number {
  return Math.max(1, Math.ceil(waitMs / 1_000));
}
