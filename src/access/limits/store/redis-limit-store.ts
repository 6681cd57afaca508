import { Logger } from '@nestjs/common';
import type { LimitWindows } from '../../../common/limit-windows.js';
import { AnswerBudget } from './answer-budget.js';
import {
  LimitStore,
  PART_OF,
  type Asker,
  type CountResult,
  type LimitResult,
} from './limit-store.js';
import { MemoryLimitStore } from './memory-limit-store.js';
import { ANSWER_MS, RedisConnection } from './redis-connection.js';

/** The first version counted by `vra:limit:` in another form, and may be running beside this one. */
const PREFIX = 'vra:limit:2:';

/** Counts in Redis, for all instances together; while Redis is away, each counts for itself. */
export class RedisLimitStore extends LimitStore {
  private readonly logger = new Logger('Limits');
  private readonly fallback = new MemoryLimitStore();
  private readonly connection: RedisConnection;
  private readonly budget = new AnswerBudget(ANSWER_MS);
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

  override async take(
    name: string,
    ofName: LimitWindows,
    count: 0 | 1,
    asker: Asker = {},
  ): Promise<LimitResult> {
    const countHere = () => this.fallback.take(name, ofName, count, asker);
    const { request, longestWaitMs = 0, beside } = asker;
    if (!this.connection.isReady || this.budget.leftMs(request) === 0) return countHere();
    const windows = [...ofName, ...(beside?.windows ?? [])];
    const keys = [...keysOf(name, ofName), ...keysOf(beside?.name ?? '', beside?.windows ?? [])];
    const values = windows.flatMap(({ requests, seconds }) => [requests, seconds * 1_000]);
    try {
      const asked = this.connection.run('take', keys, [count, longestWaitMs, ...values]);
      const reply = await this.budget.wait(request, asked);
      const counted = countedOf(windows, reply);
      return {
        ...counted,
        giveBack: () => {
          this.giveBack(keys, windows, counted.at);
        },
      };
    } catch {
      return countHere();
    }
  }

  override onApplicationShutdown(): void {
    this.connection.close();
  }

  /** Nobody waits for it. Where Redis is away, the place ends with its window. */
  private giveBack(keys: readonly string[], windows: LimitWindows, at: number): void {
    const lengths = windows.map(({ seconds }) => seconds * 1_000);
    this.connection.run('giveBack', keys, [at, ...lengths]).catch(() => undefined);
  }

  private lost(error: unknown): void {
    this.shared = false;
    if (this.told) return;
    this.told = true;
    const what = error instanceof Error ? error.message : 'no answer';
    this.logger.warn(
      `Redis is away (${what}). Each process counts only its own requests until it is back.`,
    );
  }

  private found(): void {
    this.shared = true;
    if (!this.told) return;
    this.told = false;
    this.logger.log('Redis is back. All instances count together again.');
  }
}

/** The braces keep the windows of one owner together on a cluster of Redis. */
function keysOf(name: string, windows: LimitWindows): string[] {
  const [owner = '', ...part] = name.split(PART_OF);
  return windows.map(({ seconds }) => `${PREFIX}{${owner}}${part.join('')}:${seconds}`);
}

/**
 * @param reply of the script: whether it was allowed, the milliseconds to wait and when that is, then
 *   what is used of each window and the milliseconds until it begins anew
 */
function countedOf(windows: LimitWindows, reply: unknown): CountResult {
  if (!Array.isArray(reply)) throw new Error('Redis gave no list');
  const [allowed, waitMs = 0, at = 0, ...counts] = reply.map(Number);
  const states = windows.map((window, index) => ({
    window,
    remaining: Math.max(0, window.requests - (counts[2 * index] ?? 0)),
    resetMs: counts[2 * index + 1] ?? 0,
  }));
  return { allowed: allowed === 1, waitMs, at, states };
}
