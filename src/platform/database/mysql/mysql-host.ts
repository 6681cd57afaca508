import { Logger } from '@nestjs/common';
import { codeOf, isError } from '../../errors/is-error.js';
import { DatabaseUnreachableError } from '../../errors/database-unavailable.js';
import type { MysqlHost, MysqlSettings } from '../../../config/settings/database-url.js';
import type { MysqlConnection } from './mysql-connection.js';
import { MysqlPool, type PoolLimits } from './mysql-pool.js';
import { createConnection, type Connection } from 'mysql2';
import { startTimer } from '../../observability/start-timer.js';

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
class HostHeartbeat {
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

/**
 * Milliseconds to wait for a connection to be made: fewer than for a single server, since there is
 * another host to use.
 */
const CONNECT_MS = 500;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/** Defines how cluster hosts and replicas differ. */
export interface HostPolicy {
  /** Throws or returns false if the host cannot be used. */
  isUsable(connection: MysqlConnection): Promise<boolean>;
  /** Called when the host accepts no connection, or does not respond. */
  onUnresponsive(host: FailoverHost, reason: DatabaseUnreachableError): void;
}

/**
 * Represents one of several hosts. A heartbeat checks it while it is up. A host marked as down gets
 * no requests until a background check succeeds.
 */
export class FailoverHost {
  readonly name: string;
  readonly pool: MysqlPool;
  isUp = true;
  private readonly logger = new Logger('Database');
  private heartbeat: HostHeartbeat;
  private nextCheck: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly settings: MysqlSettings,
    private readonly address: MysqlHost,
    limits: PoolLimits,
    private readonly policy: HostPolicy,
  ) {
    const { host, port } = address;
    this.name = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    this.pool = new MysqlPool(settings, address, limits, CONNECT_MS);
    this.heartbeat = this.startHeartbeat();
  }

  /**
   * Marks the host as down, and logs it.
   * @param consequence for the log, for example which host takes over
   */
  markDown(reason: unknown, consequence: string): void {
    if (!this.isUp || this.closed) return;
    this.isUp = false;
    this.heartbeat.endSoon();
    this.pool.discardIdle();
    this.pool.rejectWaiting(reason);
    this.logger.warn(`Database host ${this.name} is down (${causeOf(reason)}); ${consequence}.`);
    this.scheduleCheck(MIN_PAUSE_MS);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.heartbeat.end();
    clearTimeout(this.nextCheck);
    // Closing fails if the host is unreachable.
    await this.pool.close().catch(() => undefined);
  }

  private startHeartbeat(): HostHeartbeat {
    return new HostHeartbeat(this.settings, this.address, {
      onUnresponsive: (reason) => {
        this.policy.onUnresponsive(this, new DatabaseUnreachableError(reason));
      },
      onDead: () => {
        this.pool.abandon();
      },
    });
  }

  /** Schedules the next check. Jitter keeps processes from reconnecting at the same time. */
  private scheduleCheck(pauseMs: number): void {
    const pause = pauseMs * (0.5 + Math.random() / 2);
    this.nextCheck = setTimeout(() => void this.check(pauseMs), pause).unref();
  }

  private async check(pauseMs: number): Promise<void> {
    const isUsable = await this.pool
      .withConnection((connection) => this.policy.isUsable(connection))
      .catch(() => false);
    if (this.closed) return;
    if (!isUsable) {
      this.scheduleCheck(Math.min(MAX_PAUSE_MS, 2 * pauseMs));
      return;
    }
    this.isUp = true;
    this.heartbeat = this.startHeartbeat();
    this.logger.log(`Database host ${this.name} is up again.`);
  }
}

/** Counts hosts by state, for a gauge. */
export function countsOf(hosts: readonly FailoverHost[]): Readonly<Record<string, number>> {
  const up = hosts.filter(({ isUp }) => isUp).length;
  return { up, passed_over: hosts.length - up };
}

/** Returns the error code if there is one, since a message of the server may quote a value. */
function causeOf(error: unknown): string {
  const cause = isError(error) ? (error.cause ?? error) : error;
  return codeOf(cause) ?? (isError(error) ? error.message : 'no response');
}
