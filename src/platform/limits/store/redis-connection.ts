import { createClient, defineScript, type CommandParser } from '@redis/client';
import { startTimer, type Timer } from '../../observability/start-timer.js';
import { NoReplyError, withTimeout } from './wait-budget.js';

const CONNECT_MS = 1_000;
const RECONNECT_MS = 200;
/**
 * A connection that is not ready after this time is replaced, since a reply of the handshake may
 * have been lost.
 */
const READY_MS = 2_000;
/** Milliseconds to wait for a reply. A working Redis replies sooner. */
export const REPLY_MS = 250;

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
export class RedisConnection {
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
