import type { Server } from 'node:http';
import type { INestApplication, LoggerService } from '@nestjs/common';
import { WaitingRequests } from '../../platform/limits/waiting-requests.js';
import { isError } from '../../platform/errors/is-error.js';
import { withSourcePositions } from '../../platform/errors/source-positions.js';
import { OpenConnections } from './open-connections.js';

/**
 * Idle connections are closed after this many milliseconds, long enough for a request that is
 * already on its way.
 */
const IDLE_MS = 500;
const CONTEXT = 'Shutdown';

/** Ends this process without cutting off requests. A worker uses it, too. */
export class GracefulShutdown {
  readonly connections: OpenConnections;
  private stopping = false;

  /**
   * Tracks the connections of the app from now on.
   * @param app must not listen yet
   * @param limitMs milliseconds after which unfinished requests are cut off
   */
  constructor(
    private readonly app: INestApplication<Server>,
    private readonly logger: LoggerService,
    private readonly limitMs: number,
  ) {
    this.connections = new OpenConnections(app.getHttpServer());
  }

  /**
   * Begins the shutdown. The exit status is 0 if all requests finish in time.
   * @param idleMs milliseconds after which idle connections are closed; a later call can only
   *   shorten it
   */
  begin(idleMs = IDLE_MS): void {
    this.connections.limitIdle(idleMs);
    if (this.stopping) return;
    this.stopping = true;
    this.app.get(WaitingRequests).close(this.limitMs / 2);
    setTimeout(() => {
      const problem = `The shutdown took more than ${this.limitMs / 1000} s`;
      this.logger.error(`${problem}. Requests cut off: ${this.connections.requests}.`, CONTEXT);
      process.exit(1);
    }, this.limitMs);
    this.finish().then(
      () => process.exit(0),
      (error: unknown) => {
        const cause = isError(error)
          ? withSourcePositions(error.stack ?? error.message)
          : String(error);
        this.logger.error(`The shutdown failed: ${cause}`, CONTEXT);
        process.exit(1);
      },
    );
  }

  private async finish(): Promise<void> {
    await this.connections.drain();
    await this.app.close();
  }
}
