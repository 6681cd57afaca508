import type { ThrottlerStorage } from '@nestjs/throttler';
import type { LimitWindow, LimitWindows } from '../../common/limit-windows.js';

export interface WindowState {
  readonly window: LimitWindow;
  /** Requests that are left in it. */
  readonly remaining: number;
  /** Milliseconds until it begins anew. */
  readonly resetMs: number;
}

export interface Taken {
  /** False where a window had nothing left; then nothing was taken from any. */
  readonly allowed: boolean;
  /** One for each window, in their order. */
  readonly states: readonly WindowState[];
}

/**
 * Counts what was asked, in windows that begin with the first request in them. A request is taken
 * from all windows at once or from none, so that whoever is refused loses nothing by asking, and to
 * wait until the windows that refused begin anew is enough.
 */
export abstract class LimitStore implements ThrottlerStorage {
  /**
   * @param name whose allowance
   * @param count 0 only looks
   */
  abstract take(name: string, windows: LimitWindows, count: 0 | 1): Taken | Promise<Taken>;

  /** False where every process counts for itself although they should count together. */
  abstract readonly isShared: boolean;

  /** The same for one window, as the library asks; times in milliseconds, but seconds to wait. */
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
export function secondsToWait({ states }: Taken): number {
  const exhausted = states.filter(({ remaining }) => remaining === 0);
  const longest = Math.max(0, ...exhausted.map(({ resetMs }) => resetMs));
  return Math.max(1, Math.ceil(longest / 1_000));
}
