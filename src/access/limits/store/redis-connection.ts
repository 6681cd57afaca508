import { createClient } from '@redis/client';
import { startTimer, type Limit } from '../../../common/start-timer.js';
import { answerWithin, NoAnswerError } from './answer-budget.js';
import { SCRIPTS } from './redis-scripts.js';

const CONNECT_MS = 1_000;
const PAUSE_MS = 200;
/** A connection that can not be used by then is made anew: what Redis answered it may have been lost. */
const READY_MS = 2_000;
/** Longer than Redis ever takes. */
export const ANSWER_MS = 250;

type Client = ReturnType<typeof clientOf>;

/** What becomes of the connection. */
export interface RedisWatcher {
  onLost(error: unknown): void;
  /** It is there, or there again; told at every answer. */
  onFound(): void;
}

/** The way to Redis. It is made anew where it is lost, and where Redis is silent. */
export class RedisConnection {
  private client: Client;
  private expiry: Limit | undefined;
  private isClosed = false;

  /** @param url `redis://` or `rediss://`, checked before */
  constructor(
    private readonly url: string,
    private readonly watcher: RedisWatcher,
  ) {
    this.client = this.connected();
  }

  /** False where nobody needs to ask. */
  get isReady(): boolean {
    return this.client.isReady;
  }

  /**
   * @returns what the script replies
   * @throws Error where Redis refuses, is gone, or does not answer in time
   */
  async run(
    script: keyof typeof SCRIPTS,
    keys: readonly string[],
    values: readonly number[],
  ): Promise<unknown> {
    const { client } = this;
    try {
      const reply = await answerWithin(ANSWER_MS, client[script](keys, values));
      if (!this.isGivenUp(client)) this.watcher.onFound();
      return reply;
    } catch (error) {
      this.fail(client, error);
      if (error instanceof NoAnswerError && !this.isGivenUp(client)) this.connectAnew();
      throw error;
    }
  }

  close(): void {
    this.isClosed = true;
    this.drop();
  }

  private connected(): Client {
    const client = clientOf(this.url);
    client.on('error', (error: unknown) => {
      this.fail(client, error);
    });
    client.on('ready', () => {
      // One that was connecting when it was given up gets there all the same.
      if (this.isGivenUp(client)) client.destroy();
      else this.arrive();
    });
    this.expire();
    // It tries again by itself.
    client.connect().catch(() => undefined);
    return client;
  }

  private arrive(): void {
    this.stay();
    this.watcher.onFound();
  }

  private isGivenUp(client: Client): boolean {
    return this.isClosed || client !== this.client;
  }

  private fail(client: Client, error: unknown): void {
    if (this.isGivenUp(client)) return;
    this.watcher.onLost(error);
    if (!client.isReady) this.expire();
  }

  private expire(): void {
    this.expiry ??= startTimer(READY_MS, () => {
      this.connectAnew();
    });
  }

  private connectAnew(): void {
    this.drop();
    this.client = this.connected();
  }

  private stay(): void {
    this.expiry?.cancel();
    this.expiry = undefined;
  }

  private drop(): void {
    this.stay();
    this.client.destroy();
  }
}

function clientOf(url: string) {
  return createClient({
    url,
    scripts: SCRIPTS,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: () => PAUSE_MS },
  });
}
