import type { ThrottlerStorage } from '@nestjs/throttler';
import type { LimitWindow, LimitWindows } from '../limit-windows.js';

export interface Allowance {
  /** `OWNER > PART` for a part of an owner. All parts are stored on one node of a Redis cluster. */
  readonly name: string;
  readonly windows: LimitWindows;
}

/** Separates owner and part. */
export const PART_OF = ' > ';

export interface WindowState {
  readonly window: LimitWindow;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
}

/** Reports the result of a count. It is serialisable, to be sent between processes. */
export interface LimitResult {
  /** False if the request is over the limit; then no window was changed. */
  readonly allowed: boolean;
  /** Milliseconds until all windows have a free place; 0 for now. */
  readonly waitMs: number;
  /** The current state of each window. The windows of `beside` come last. */
  readonly states: readonly WindowState[];
}

export interface Counting extends Allowance {
  /** 0 only reads the state. */
  readonly count: 0 | 1;
  /** All counts of one request share one time limit. */
  readonly request?: object;
  /** A second allowance of the same owner. Both are counted, or neither. */
  readonly beside?: Allowance | undefined;
}

/**
 * Counts requests in windows that begin with their first request. A request is counted in all
 * windows or in none, so a rejected request uses up nothing.
 */
export abstract class LimitStore implements ThrottlerStorage {
  /**
   * Numbers of counts made together with all instances, and alone because that failed. Both stay 0
   * in stores of one process or one machine.
   */
  readonly counts = { together: 0, alone: 0 };

  /** Counts a request. */
  abstract take(counting: Counting): LimitResult | Promise<LimitResult>;

  /** False if each process counts alone although all should count together. */
  abstract readonly isShared: boolean;

  /**
   * Calls `take` for the throttler's own guard. `ttl` is in milliseconds; the times of the result
   * are in seconds.
   */
  async increment(name: string, ttl: number, limit: number) {
    const windows = [{ requests: limit, seconds: ttl / 1_000 }];
    const { allowed, states } = await this.take({ name, windows, count: 1 });
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

/**
 * Returns the milliseconds until all windows have a free place. Until the last full window ends,
 * the others only get emptier.
 */
export function waitMsOf(states: readonly WindowState[]): number {
  const full = states.filter(({ remaining }) => remaining === 0);
  return Math.max(0, ...full.map(({ resetMs }) => resetMs));
}

/** Returns the whole seconds, at least 1, after which a rejected request will be allowed. */
export function secondsToWait({ waitMs }: LimitResult): number {
  return Math.max(1, Math.ceil(waitMs / 1_000));
}
