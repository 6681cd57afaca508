import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createClient, defineScript, type CommandParser } from '@redis/client';
import type { LimitWindows } from '../limit-windows.js';
import {
  LimitStore,
  PART_OF,
  waitMsOf,
  type LimitResult,
  type Allowance,
  type Counting,
} from './limit-store.js';
import { MemoryLimitStore } from './memory-limit-store.js';
import { startTimer, type Timer } from '../../observability/start-timer.js';

const CONNECT_MS = 1_000;
const RECONNECT_MS = 200;
/**
 * A connection that is not ready after this time is replaced, since a reply of the handshake may
 * have been lost.
 */
const READY_MS = 2_000;
/** Milliseconds to wait for a reply. A working Redis replies sooner. */
const REPLY_MS = 250;

/**
 * Counts a request in windows of one key each, all or none; Redis runs a script atomically. A key
 * holds the end of its window, by the clock of Redis in milliseconds, and the requests in it, and
 * expires with it. ARGV holds count, then requests and milliseconds of each window. The reply is
 * whether all windows have a free place, then the requests used and the milliseconds until the end
 * of each window.
 */
const SCRIPT = `
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  local windows, free = {}, true
  for i = 1, #KEYS do
    local window = {ends = now + tonumber(ARGV[2 * i + 1]), used = 0}
    local ends, used = string.match(redis.call('GET', KEYS[i]) or '', '^(%d+) (%d+)')
    if ends and tonumber(ends) > now then
      window = {ends = tonumber(ends), used = tonumber(used)}
    end
    free = free and window.used < tonumber(ARGV[2 * i])
    windows[i] = window
  end
  local reply = {free and 1 or 0}
  for i, window in ipairs(windows) do
    if free and ARGV[1] == '1' then
      window.used = window.used + 1
      local kept = string.format('%.0f %.0f', window.ends, window.used)
      redis.call('SET', KEYS[i], kept, 'PX', string.format('%.0f', window.ends - now))
    end
    table.insert(reply, window.used)
    table.insert(reply, window.ends - now)
  end
  return reply`;

const take = defineScript({
  SCRIPT,
  parseCommand(parser: CommandParser, keys: readonly string[], values: readonly number[]): void {
    parser.push(String(keys.length));
    for (const key of keys) parser.pushKey(key);
    for (const value of values) parser.push(String(value));
  },
  transformReply: (reply: unknown): unknown => reply,
});

type Client = ReturnType<typeof clientOf>;

/**
 * A key that is counted once in each new connection. Only a server that counts can be used, and a
 * replica cannot write.
 */
const PROBE = { key: 'vra:limit:2:probe', windowMs: 1_000 } as const;

/** Replaces its connection if it is lost, if Redis does not reply, or if Redis cannot count. */
class RedisConnection {
  private client: Client;
  private expiry: Timer | undefined;
  private isClosed = false;
  /** True if the client has counted, and no count has failed since. */
  private isCounting = false;

  /**
   * Starts to connect to Redis.
   * @param listener `onConnected` is called for each connection that counts
   */
  constructor(
    private readonly url: string,
    private readonly listener: { onLost(error: unknown): void; onConnected(): void },
  ) {
    this.client = this.connect();
  }

  get isReady(): boolean {
    return this.client.isReady && this.isCounting;
  }

  /**
   * Runs the script.
   * @returns its reply
   * @throws Error if Redis reports an error, is unreachable, or does not reply in time
   */
  async count(keys: readonly string[], values: readonly number[]): Promise<unknown> {
    const { client } = this;
    try {
      return await withTimeout(REPLY_MS, client.take(keys, values));
    } catch (error) {
      this.fail(client, error);
      if (error instanceof NoReplyError && !this.isStale(client)) this.reconnect();
      throw error;
    }
  }

  close(): void {
    this.isClosed = true;
    this.drop();
  }

  private connect(): Client {
    const client = clientOf(this.url);
    client.on('error', (error: unknown) => {
      this.fail(client, error);
    });
    client.on('ready', () => {
      // A replaced client may still finish connecting.
      if (this.isStale(client)) {
        client.destroy();
        return;
      }
      void this.probe(client);
    });
    this.expire(READY_MS);
    // The client retries by itself.
    client.connect().catch(() => undefined);
    return client;
  }

  private async probe(client: Client): Promise<void> {
    const values = [1, Number.MAX_SAFE_INTEGER, PROBE.windowMs];
    try {
      await withTimeout(REPLY_MS, client.take([PROBE.key], values));
    } catch (error) {
      if (!this.isStale(client)) this.cancelExpiry();
      this.fail(client, error);
      return;
    }
    if (this.isStale(client)) return;
    this.cancelExpiry();
    this.isCounting = true;
    this.listener.onConnected();
  }

  private isStale(client: Client): boolean {
    return this.isClosed || client !== this.client;
  }

  private fail(client: Client, error: unknown): void {
    if (this.isStale(client)) return;
    this.isCounting = false;
    this.listener.onLost(error);
    // The client is replaced later, since the address may then lead to another server.
    this.expire(client.isReady ? RECONNECT_MS : READY_MS);
  }

  private expire(afterMs: number): void {
    this.expiry ??= startTimer(afterMs, () => {
      this.reconnect();
    });
  }

  private reconnect(): void {
    this.drop();
    this.client = this.connect();
  }

  private cancelExpiry(): void {
    this.expiry?.cancel();
    this.expiry = undefined;
  }

  private drop(): void {
    this.isCounting = false;
    this.cancelExpiry();
    this.client.destroy();
  }
}

function clientOf(url: string) {
  return createClient({
    url,
    scripts: { take },
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: () => RECONNECT_MS },
  });
}

const POLL_MS = 25;

/** Reports that no reply came in time. The reply may still come. */
export class NoReplyError extends Error {
  constructor() {
    super('no reply');
  }
}

/** Limits how long a request waits for the store, over all its counts together. */
class WaitBudget {
  private readonly waited = new WeakMap<object, number>();
  private waiting = 0;
  private polls: NodeJS.Timeout | undefined;
  /**
   * Number of times this process has read all replies from the network, at most once in `POLL_MS`.
   */
  private polled = 0;

  constructor(private readonly maxMs: number) {}

  /**
   * Returns the milliseconds that a request may still wait.
   * @param request undefined for a single count
   */
  leftMs(request: object | undefined): number {
    const waited = request === undefined ? 0 : (this.waited.get(request) ?? 0);
    return Math.max(0, this.maxMs - waited);
  }

  /**
   * Waits for a reply within the budget of the request.
   * @throws NoReplyError if the budget runs out
   */
  async wait<Reply>(request: object | undefined, reply: Promise<Reply>): Promise<Reply> {
    const before = this.polled;
    const leftMs = this.leftMs(request);
    this.waiting += 1;
    this.polls ??= setInterval(this.poll, POLL_MS).unref();
    try {
      const received = await withTimeout(leftMs, reply);
      // Time in which this process was too busy to send the request or to read the reply does not
      // count.
      this.spend(request, POLL_MS * (this.polled - before));
      return received;
    } catch (error) {
      if (error instanceof NoReplyError) this.spend(request, leftMs);
      throw error;
    } finally {
      this.waiting -= 1;
    }
  }

  private spend(request: object | undefined, milliseconds: number): void {
    if (request === undefined) return;
    this.waited.set(request, (this.waited.get(request) ?? 0) + milliseconds);
  }

  private readonly poll = (): void => {
    if (this.waiting === 0) {
      clearInterval(this.polls);
      this.polls = undefined;
      return;
    }
    setImmediate(() => {
      this.polled += 1;
    });
  };
}

/**
 * Waits for a reply.
 * @throws NoReplyError if there is no reply in time
 */
export function withTimeout<Reply>(milliseconds: number, reply: Promise<Reply>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const timer = startTimer(milliseconds, () => {
      reject(new NoReplyError());
    });
    reply.then(resolve, reject).finally(() => {
      timer.cancel();
    });
  });
}

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
export class RedisLimitStore extends LimitStore implements OnApplicationShutdown {
  private readonly logger = new Logger('Limits');
  private readonly fallback = new MemoryLimitStore();
  private readonly connection: RedisConnection;
  private readonly budget = new WaitBudget(REPLY_MS);
  override isShared = false;
  private isOutageLogged = false;
  private loggedAt = -Infinity;

  constructor(url: string) {
    super();
    this.connection = new RedisConnection(url, this);
  }

  override async take(counting: Counting): Promise<LimitResult> {
    const countHere = () => {
      this.counts.alone += 1;
      return this.fallback.take(counting);
    };
    const { count, request, beside } = counting;
    if (!this.connection.isReady || this.budget.leftMs(request) === 0) return countHere();
    const allowances = beside === undefined ? [counting] : [counting, beside];
    const windows = allowances.flatMap((allowance) => allowance.windows);
    const keys = allowances.flatMap(keysOf);
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

  onApplicationShutdown(): void {
    this.connection.close();
  }

  onLost(error: unknown): void {
    this.isShared = false;
    if (this.isOutageLogged || performance.now() - this.loggedAt < LOG_INTERVAL_MS) return;
    this.isOutageLogged = true;
    this.loggedAt = performance.now();
    const reason = error instanceof Error ? error.message : 'no reply';
    this.logger.warn(
      `Redis is unavailable (${reason}). Each process counts only its own requests until it is back.`,
    );
  }

  onConnected(): void {
    this.isShared = true;
    if (!this.isOutageLogged) return;
    this.isOutageLogged = false;
    this.logger.log('Redis is back. All instances count together again.');
  }
}

/**
 * Returns the key of each window. The braces keep all windows of an owner on one node of a Redis
 * cluster.
 */
function keysOf({ name, windows }: Allowance): string[] {
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
