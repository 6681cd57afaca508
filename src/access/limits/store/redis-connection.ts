import { createClient } from '@redis/client';
import { startTimer, type Timer } from '../../../common/start-timer.js';
import { NoReplyError, withTimeout } from './wait-budget.js';
import { SCRIPTS } from './redis-scripts.js';

const CONNECT_MS = 1_000;
const RECONNECT_MS = 200;
/** A connection that is not ready by then is replaced: a reply of the handshake may have been lost. */
const READY_MS = 2_000;
/** Longer than Redis ever takes. */
export const REPLY_MS = 250;

type Client = ReturnType<typeof clientOf>;

/** Replaces its connection if it is lost, or if Redis does not reply. */
export class RedisConnection {
  private client: Client;
  private expiry: Timer | undefined;
  private isClosed = false;

  /** @param listener `onConnected` is called on every reply, too */
  constructor(
    private readonly url: string,
    private readonly listener: { onLost(error: unknown): void; onConnected(): void },
  ) {
    this.client = this.connect();
  }

  get isReady(): boolean {
    return this.client.isReady;
  }

  /**
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
      const reply = await withTimeout(REPLY_MS, client[script](keys, values));
      if (!this.isStale(client)) this.listener.onConnected();
      return reply;
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
      this.cancelExpiry();
      this.listener.onConnected();
    });
    this.expire();
    // The client retries by itself.
    client.connect().catch(() => undefined);
    return client;
  }

  private isStale(client: Client): boolean {
    return this.isClosed || client !== this.client;
  }

  private fail(client: Client, error: unknown): void {
    if (this.isStale(client)) return;
    this.listener.onLost(error);
    if (!client.isReady) this.expire();
  }

  private expire(): void {
    this.expiry ??= startTimer(READY_MS, () => {
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
