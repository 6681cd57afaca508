import type { Logger } from '@nestjs/common';
import { codeOf, isError } from '../../common/errors/is-error.js';
import { DatabaseUnreachableError } from '../../common/errors/database-unavailable.js';
import type { MysqlHost, MysqlSettings } from '../../config/settings/database-url.js';
import { HostHeartbeat } from './host-heartbeat.js';
import type { MysqlConnection } from './mysql-connection.js';
import { MysqlPool, type PoolLimits } from './mysql-pool.js';

/** Where there is somebody else to ask, a server that does not take a connection is left soon. */
const CONNECT_MS = 500;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** What there is to know of servers of one kind, and what becomes of one that fails. */
export interface HostPolicy {
  /** Throws, or tells false, where a server can not do what it is there for. */
  isFit(connection: MysqlConnection): Promise<boolean>;
  /** It takes no connection, or is silent. */
  onUnresponsive(host: FailoverHost, reason: DatabaseUnreachableError): void;
}

/**
 * One of several servers. While it is well it is asked again and again whether it is there. One that
 * failed is passed over: nobody waits for it until a try beside the requests has found it well again.
 */
export class FailoverHost {
  readonly name: string;
  readonly pool: MysqlPool;
  isWell = true;
  private pulse: HostHeartbeat;
  private nextTry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly settings: MysqlSettings,
    private readonly address: MysqlHost,
    limits: PoolLimits,
    private readonly care: HostPolicy,
    private readonly logger: Logger,
  ) {
    const { host, port } = address;
    this.name = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    this.pool = new MysqlPool(settings, address, limits, CONNECT_MS);
    this.pulse = this.newPulse();
  }

  /**
   * @param reason the error that showed that it is not well
   * @param instead where its work is done now, for the log
   */
  passOver(reason: unknown, instead: string): void {
    if (!this.isWell || this.closed) return;
    this.isWell = false;
    this.pulse.endSoon();
    this.pool.doubt();
    this.pool.turnAway(reason);
    this.logger.warn(
      `The database host ${this.name} is passed over (${causeOf(reason)}); ${instead}.`,
    );
    this.tryLater(FIRST_PAUSE_MS);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.pulse.end();
    clearTimeout(this.nextTry);
    // A host that is away takes no leave, and need not.
    await this.pool.close().catch(() => undefined);
  }

  private newPulse(): HostHeartbeat {
    return new HostHeartbeat(this.settings, this.address, {
      onUnresponsive: (reason) => {
        this.care.onUnresponsive(this, new DatabaseUnreachableError(reason));
      },
      onDead: () => {
        this.pool.abandon();
      },
    });
  }

  /** Jitter keeps all processes from coming back at once. */
  private tryLater(pauseMs: number): void {
    const pause = pauseMs * (0.5 + Math.random() / 2);
    this.nextTry = setTimeout(() => void this.tryNow(pauseMs), pause).unref();
  }

  private async tryNow(pauseMs: number): Promise<void> {
    const isWell = await this.pool
      .withConnection((connection) => this.care.isFit(connection))
      .catch(() => false);
    if (this.closed) return;
    if (!isWell) {
      this.tryLater(Math.min(LONGEST_PAUSE_MS, 2 * pauseMs));
      return;
    }
    this.isWell = true;
    this.pulse = this.newPulse();
    this.logger.log(`The database host ${this.name} is well again.`);
  }
}

/** For a gauge by state. */
export function countsOf(hosts: readonly FailoverHost[]): Readonly<Record<string, number>> {
  const well = hosts.filter(({ isWell }) => isWell).length;
  return { up: well, passed_over: hosts.length - well };
}

/** What a driver or the system calls it; what a server says of it may quote a value. */
function causeOf(error: unknown): string {
  const cause = isError(error) ? (error.cause ?? error) : error;
  return codeOf(cause) ?? (isError(error) ? error.message : 'no answer');
}
