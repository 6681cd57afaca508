import { createClient } from '@redis/client';
import { startTimer, type Timer } from '../../../common/start-timer.js';
import { NoReplyError, withTimeout } from './wait-budget.js';
import { SCRIPTS } from './redis-scripts.js';

const CONNECT_MS = 1_000;
const RECONNECT_MS = 200;
/**
 * A connection that is not ready after this time is replaced, since a reply of the handshake may
 * have been lost.
 */
const READY_MS = 2_000;
/** Milliseconds to wait for a reply. A working Redis replies sooner. */
export const REPLY_MS = 250;

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
   * Runs a script.
   * @returns the reply of the script
   * @throws Error if Redis reports an error, is unreachable, or does not reply in time
   */
  async run(
    script: keyof typeof SCRIPTS,
    keys: readonly string[],
    values: readonly number[],
  ): Promise<unknown> {
    const { client } = this;
    try {
      return await withTimeout(REPLY_MS, client[script](keys, values));
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
    const values = [1, 0, Number.MAX_SAFE_INTEGER, PROBE.windowMs];
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
    scripts: SCRIPTS,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: () => RECONNECT_MS },
  });
}
