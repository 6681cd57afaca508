import { Logger } from '@nestjs/common';
import type { LimitWindows } from '../limit-windows.js';
import {
  LimitStore,
  PART_OF,
  waitMsOf,
  type LimitResult,
  type TakeOptions,
} from './limit-store.js';
import { MemoryLimitStore } from './memory-limit-store.js';
import { REPLY_MS, RedisConnection } from './redis-connection.js';
import { WaitBudget } from './wait-budget.js';

/**
 * Prefix of all keys. The first version used `vra:limit:` with another format, and may still be
 * running.
 */
const PREFIX = 'vra:limit:2:';

/** Milliseconds between two log lines about an unavailable Redis. */
const LOG_INTERVAL_MS = 10_000;

/**
 * Counts in Redis, for all instances together. While Redis is unavailable, each process counts
 * alone.
 */
export class RedisLimitStore extends LimitStore {
  private readonly logger = new Logger('Limits');
  private readonly fallback = new MemoryLimitStore();
  private readonly connection: RedisConnection;
  private readonly budget = new WaitBudget(REPLY_MS);
  private shared = false;
  private isOutageLogged = false;
  private loggedAt = -Infinity;

  constructor(url: string) {
    super();
    this.connection = new RedisConnection(url, {
      onLost: (error) => {
        this.onLost(error);
      },
      onConnected: () => {
        this.onConnected();
      },
    });
  }

  override get isShared(): boolean {
    return this.shared;
  }

  override async take(
    name: string,
    ofName: LimitWindows,
    count: 0 | 1,
    options: TakeOptions = {},
  ): Promise<LimitResult> {
    const countHere = () => {
      this.counts.alone += 1;
      return this.fallback.take(name, ofName, count, options);
    };
    const { request, beside } = options;
    if (!this.connection.isReady || this.budget.leftMs(request) === 0) return countHere();
    const windows = [...ofName, ...(beside?.windows ?? [])];
    const keys = [...keysOf(name, ofName), ...keysOf(beside?.name ?? '', beside?.windows ?? [])];
    const values = windows.flatMap(({ requests, seconds }) => [requests, seconds * 1_000]);
    try {
      const reply = this.connection.count(keys, [count, ...values]);
      const counted = resultOf(windows, count, await this.budget.wait(request, reply));
      this.counts.together += 1;
      return counted;
    } catch {
      return countHere();
    }
  }

  override onApplicationShutdown(): void {
    this.connection.close();
  }

  private onLost(error: unknown): void {
    this.shared = false;
    if (this.isOutageLogged || performance.now() - this.loggedAt < LOG_INTERVAL_MS) return;
    this.isOutageLogged = true;
    this.loggedAt = performance.now();
    const reason = error instanceof Error ? error.message : 'no reply';
    this.logger.warn(
      `Redis is unavailable (${reason}). Each process counts only its own requests until it is back.`,
    );
  }

  private onConnected(): void {
    this.shared = true;
    if (!this.isOutageLogged) return;
    this.isOutageLogged = false;
    this.logger.log('Redis is back. All instances count together again.');
  }
}

/**
 * Returns the key of each window. The braces keep all windows of an owner on one node of a Redis
 * cluster.
 */
function keysOf(name: string, windows: LimitWindows): string[] {
  const [owner = '', ...part] = name.split(PART_OF);
  return windows.map(({ seconds }) => `${PREFIX}{${owner}}${part.join('')}:${seconds}`);
}

/** Reads the reply of the script. */
function resultOf(windows: LimitWindows, count: 0 | 1, reply: unknown): LimitResult {
  if (!Array.isArray(reply)) throw new Error('unexpected reply of Redis');
  const [isFree, ...counts] = reply.map(Number);
  const states = windows.map((window, index) => ({
    window,
    remaining: Math.max(0, window.requests - (counts[2 * index] ?? 0)),
    resetMs: counts[2 * index + 1] ?? 0,
  }));
  if (isFree === 1) return { allowed: true, waitMs: 0, states };
  return { allowed: count === 0, waitMs: waitMsOf(states), states };
}
