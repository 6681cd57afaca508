import { Logger } from '@nestjs/common';
import { createClient, defineScript, type CommandParser } from '@redis/client';
import type { LimitWindows } from '../../common/limit-windows.js';
import { LimitStore, type Taken } from './limit-store.js';
import { MemoryLimitStore } from './memory-limit-store.js';

const PREFIX = 'vra:limit:';
const CONNECT_MS = 1_000;
/** Longer than Redis ever takes; a request waits no longer for a count. */
const ANSWER_MS = 250;
/** After a failure requests do not wait for Redis at all for so long. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Looks at all windows, and takes from all or from none. One script is one step for Redis, whoever
 * else asks. ARGV: how many to take, then the requests and the milliseconds of each window.
 */
const TAKE = defineScript({
  SCRIPT: `
    local count = tonumber(ARGV[1])
    local reply = {1}
    for i = 1, #KEYS do
      local left = redis.call('PTTL', KEYS[i])
      local used = left > 0 and tonumber(redis.call('GET', KEYS[i])) or 0
      if used + count > tonumber(ARGV[2 * i]) then reply[1] = 0 end
      reply[2 * i] = used
      reply[2 * i + 1] = left > 0 and left or tonumber(ARGV[2 * i + 1])
    end
    if count == 0 then reply[1] = 1 end
    if count == 0 or reply[1] == 0 then return reply end
    for i = 1, #KEYS do
      if reply[2 * i] == 0 then redis.call('SET', KEYS[i], 1, 'PX', ARGV[2 * i + 1])
      else redis.call('INCR', KEYS[i]) end
      reply[2 * i] = reply[2 * i] + 1
    end
    return reply`,
  parseCommand(parser: CommandParser, keys: readonly string[], values: readonly number[]): void {
    parser.push(String(keys.length));
    for (const key of keys) parser.pushKey(key);
    for (const value of values) parser.push(String(value));
  },
  transformReply: (reply: unknown): unknown => reply,
});

/** Counts in Redis, for all instances together; while Redis is away, each counts for itself. */
export class RedisLimitStore extends LimitStore {
  private readonly logger = new Logger('Limits');
  private readonly fallback = new MemoryLimitStore();
  private readonly client;
  private shared = false;
  private told = false;
  private pauseUntil = 0;

  /** @param url `redis://` or `rediss://`, checked before */
  constructor(url: string) {
    super();
    this.client = createClient({
      url,
      scripts: { take: TAKE },
      disableOfflineQueue: true,
      commandOptions: { timeout: ANSWER_MS },
      socket: {
        connectTimeout: CONNECT_MS,
        reconnectStrategy: (tries) => Math.min(LONGEST_PAUSE_MS, 50 * 2 ** Math.min(tries, 10)),
      },
    });
    this.client.on('error', (error: Error) => {
      this.lost(error);
    });
    this.client.on('ready', () => {
      this.found();
    });
    // A Redis that is not there yet is met when it comes.
    this.client.connect().catch(() => undefined);
  }

  override get isShared(): boolean {
    return this.shared;
  }

  override async take(name: string, windows: LimitWindows, count: 0 | 1): Promise<Taken> {
    if (!this.client.isReady || performance.now() < this.pauseUntil) {
      return this.fallback.take(name, windows, count);
    }
    try {
      // The braces keep the windows of one name together on a cluster of Redis.
      const keys = windows.map(({ seconds }) => `${PREFIX}{${name}}:${seconds}`);
      const values = windows.flatMap(({ requests, seconds }) => [requests, seconds * 1_000]);
      const taken = takenOf(windows, await this.client.take(keys, [count, ...values]));
      this.found();
      return taken;
    } catch (error) {
      this.lost(error);
      return this.fallback.take(name, windows, count);
    }
  }

  close(): void {
    this.client.destroy();
  }

  private lost(error: unknown): void {
    this.pauseUntil = performance.now() + PAUSE_MS;
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

/** @param reply whether it was allowed, then what is used and the milliseconds left of each window */
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
