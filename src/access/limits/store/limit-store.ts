import type { OnApplicationShutdown } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { LimitWindow, LimitWindows } from '../../../common/limit-windows.js';

/** The windows of somebody. */
export interface Allowance {
  /** `OWNER > PART` for a part of an owner, so that all of one owner's are counted in one place. */
  readonly name: string;
  readonly windows: LimitWindows;
}

/** Between an owner and a part. */
export const PART_OF = ' > ';

export interface WindowState {
  readonly window: LimitWindow;
  /** Requests that are left in it. */
  readonly remaining: number;
  /** Milliseconds until it begins anew; where nothing is left, until one begins that has a place. */
  readonly resetMs: number;
}

/** What a count gave, as it can be sent from one process to another. */
export interface CountResult {
  /** False where no place was free in time; then nothing was taken from any window. */
  readonly allowed: boolean;
  /**
   * Milliseconds until the place that was taken comes up, 0 for at once. Where none was taken, until
   * one is free.
   */
  readonly waitMs: number;
  /** When that is, by the clock of whoever counts. */
  readonly at: number;
  /** One for each window, in their order, those beside last, as they are now. */
  readonly states: readonly WindowState[];
}

/** What else there is to know of who asks, and for what. */
export interface Asker {
  /** Its counts together wait no longer than one may. */
  readonly request?: object;
  /** How far away a place may be, 0 if not given. */
  readonly longestWaitMs?: number;
  /** What a place is taken from as well, of the same owner: from both or from none. */
  readonly beside?: Allowance | undefined;
}

export interface LimitResult extends CountResult {
  /** Frees the place again, for one who left before it came up. */
  giveBack(): void;
}

/**
 * Counts what was asked, in windows that begin with the first request in them. A request is taken
 * from all windows at once or from none, so that whoever is refused loses nothing by asking.
 *
 * Who may wait is given a place in the windows that follow: the next begins where the present one
 * ends, with those who waited for it. So no window ever has more requests than its limit, and nobody
 * waits for a place that another takes.
 */
export abstract class LimitStore implements ThrottlerStorage, OnApplicationShutdown {
  /**
   * @param name whose allowance
   * @param count 0 only looks
   */
  abstract take(
    name: string,
    windows: LimitWindows,
    count: 0 | 1,
    asker?: Asker,
  ): LimitResult | Promise<LimitResult>;

  /** Lets go of what it counts in, if that is elsewhere. */
  onApplicationShutdown(): void {
    // Most count in this process, or in its parent.
  }

  /** False where every process counts for itself although they should count together. */
  abstract readonly isShared: boolean;

  /** `take` for one window, as the library's own guard asks; times in milliseconds, but seconds to wait. */
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

/** Seconds after which a refused request will be taken. */
export function secondsToWait({ waitMs }: CountResult): number {
  return Math.max(1, Math.ceil(waitMs / 1_000));
}
