import { Logger } from '@nestjs/common';
import type { LimitWindows } from '../../common/limit-windows.js';
import { LimitStore, type Taken } from './limit-store.js';
import { MemoryLimitStore } from './memory-limit-store.js';
import { RedisConnection } from './redis-connection.js';

const PREFIX = 'vra:limit:';

/** Counts in Redis, for all instances together; while Redis is away, each counts for itself. */
export class RedisLimitStore extends LimitStore {
  private readonly logger = new Logger('Limits');
  private readonly fallback = new MemoryLimitStore();
  private readonly connection: RedisConnection;
  private shared = false;
  private told = false;

  /** @param url `redis://` or `rediss://`, checked before */
  constructor(url: string) {
    super();
    this.connection = new RedisConnection(url, {
      onLost: (error) => {
        this.lost(error);
      },
      onFound: () => {
        this.found();
      },
    });
  }

  override get isShared(): boolean {
    return this.shared;
  }

  override async take(name: string, windows: LimitWindows, count: 0 | 1): Promise<Taken> {
    if (!this.connection.isReady) return this.fallback.take(name, windows, count);
    // The braces keep the windows of one name together on a cluster of Redis.
    const keys = windows.map(({ seconds }) => `${PREFIX}{${name}}:${seconds}`);
    const values = windows.flatMap(({ requests, seconds }) => [requests, seconds * 1_000]);
    try {
      return takenOf(windows, await this.connection.take(keys, [count, ...values]));
    } catch {
      return this.fallback.take(name, windows, count);
    }
  }

  close(): void {
    this.connection.close();
  }

  private lost(error: unknown): void {
    this.shared = false;
    if (this.told) return;
    this.told = true;
    const what = error instanceof Error ? error.message : 'no answer';
    this.logger.warn(`Redis is away (${what}). Each instance counts for itself until it is back.`);
  }

  private found(): void {
    this.shared = true;
    if (!this.told) return;
    this.told = false;
    this.logger.log('Redis is back. All instances count together again.');
  }
}

/**
 * @param reply of the script: whether it was allowed, then what is used and the milliseconds left of
 *   each window
 */
function takenOf(windows: LimitWindows, reply: unknown): Taken {
  if (!Array.isArray(reply)) throw new Error('Redis gave no list');
  const [allowed, ...counts] = reply.map(Number);
  const states = windows.map((window, index) => ({
    window,
    remaining: Math.max(0, window.requests - (counts[2 * index] ?? 0)),
    resetMs: counts[2 * index + 1] ?? 0,
  }));
  return { allowed: allowed === 1, states };
}
