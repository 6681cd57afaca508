import { createConnection, type Connection } from 'mysql2';
import type { MysqlHost, MysqlSettings } from '../../config/settings/database-url.js';
import { startTimer } from '../../common/start-timer.js';

const INTERVAL_MS = 200;
/**
 * Milliseconds after which a silent host is reported as unresponsive. Even a server that is busy,
 * or waits for its cluster, answers a ping sooner.
 */
const UNRESPONSIVE_MS = 400;
/**
 * Milliseconds after which a silent host counts as dead: fewer than the time limit of a statement,
 * so that a statement can be repeated on another host.
 */
const DEAD_MS = 800;

interface HeartbeatListener {
  /** Called when the host accepts no connection, or has not answered in time. */
  onUnresponsive(reason: Error): void;
  /**
   * Called when the host has not answered for so long that statements in progress are abandoned.
   */
  onDead(): void;
}

/** Pings a host regularly on its own connection. */
export class HostHeartbeat {
  private connection: Connection | undefined;
  private next: NodeJS.Timeout | undefined;
  private isEnding = false;
  private giveUp: () => void = () => undefined;

  constructor(
    private readonly settings: MysqlSettings,
    private readonly address: MysqlHost,
    private readonly listener: HeartbeatListener,
  ) {
    this.beatLater();
  }

  /** Ends after one more ping, so that `onDead` is still called if the host is dead. */
  endSoon(): void {
    this.isEnding = true;
    if (this.next === undefined) return;
    clearTimeout(this.next);
    void this.beat();
  }

  end(): void {
    this.isEnding = true;
    clearTimeout(this.next);
    this.drop();
  }

  private beatLater(): void {
    if (this.isEnding) this.drop();
    else this.next = setTimeout(() => void this.beat(), INTERVAL_MS).unref();
  }

  private async beat(): Promise<void> {
    this.next = undefined;
    const isNew = this.connection === undefined;
    const connection = (this.connection ??= this.connect());
    const timers = [
      startTimer(UNRESPONSIVE_MS, () => {
        this.listener.onUnresponsive(new Error('no response'));
      }),
      startTimer(DEAD_MS, () => {
        this.listener.onDead();
        this.drop();
      }),
    ];
    const error = await this.ping(connection);
    for (const timer of timers) timer.cancel();
    if (error !== null) this.drop();
    // An existing connection can be lost for many reasons, so only a failed new one is reported.
    if (error !== null && isNew) this.listener.onUnresponsive(error);
    this.beatLater();
  }

  private ping(connection: Connection): Promise<Error | null> {
    return new Promise((resolve) => {
      this.giveUp = () => {
        resolve(new Error('the ping was cancelled'));
      };
      // The driver's types declare an error, but there is none if the server answers.
      connection.ping((error: Error | null | undefined) => {
        resolve(error ?? null);
      });
    });
  }

  private connect(): Connection {
    const { user, password, tls } = this.settings;
    const connection = createConnection({
      ...this.address,
      ...tls,
      // Authentication is never reached: the heartbeat stops waiting earlier.
      user,
      password,
      connectTimeout: 2 * DEAD_MS,
    });
    // The next ping detects a lost connection.
    connection.on('error', () => undefined);
    return connection;
  }

  private drop(): void {
    this.connection?.destroy();
    this.connection = undefined;
    this.giveUp();
  }
}
