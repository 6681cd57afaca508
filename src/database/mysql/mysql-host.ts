import type { Logger } from '@nestjs/common';
import { codeOf, isError } from '../../common/errors/is-error.js';
import { DatabaseUnreachableError } from '../../common/errors/database-unavailable.js';
import type { MysqlHost, MysqlSettings } from '../../config/settings/database-url.js';
import { HostHeartbeat } from './host-heartbeat.js';
import type { MysqlConnection } from './mysql-connection.js';
import { MysqlPool, type PoolLimits } from './mysql-pool.js';

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
  private heartbeat: HostHeartbeat;
  private nextCheck: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly settings: MysqlSettings,
    private readonly address: MysqlHost,
    limits: PoolLimits,
    private readonly policy: HostPolicy,
    private readonly logger: Logger,
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
