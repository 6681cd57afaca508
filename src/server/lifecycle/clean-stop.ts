import type { Server } from 'node:http';
import type { INestApplication, LoggerService } from '@nestjs/common';
import { WaitingRequests } from '../../access/limits/waiting/waiting-requests.js';
import { isError } from '../../common/errors/is-error.js';
import { OpenConnections } from './open-connections.js';

/** Long enough for a request that is on its way, short enough for a person who waits. */
const QUIET_MS = 500;
const CONTEXT = 'Stop';

/** Ends this process without cutting off a request: alone or one of many, the same. */
export class CleanStop {
  private readonly connections: OpenConnections;
  private stopping = false;

  /**
   * @param app that does not listen yet
   * @param limitMs what is not done by then is cut off
   */
  constructor(
    private readonly app: INestApplication<Server>,
    private readonly logger: LoggerService,
    private readonly limitMs: number,
  ) {
    this.connections = new OpenConnections(app.getHttpServer());
  }

  /** Accepts nothing new, and answers whoever is connected as before. */
  refuse(): Promise<void> {
    return this.connections.refuse();
  }

  /**
   * Begins to stop, with exit status 0 where all is answered in time.
   * @param quietMs what a client is given to send what it has begun to; told again, the shorter counts
   */
  begin(quietMs = QUIET_MS): void {
    this.connections.hurry(quietMs);
    if (this.stopping) return;
    this.stopping = true;
    this.app.get(WaitingRequests).close(this.limitMs / 2);
    setTimeout(() => {
      const limit = `The stop took more than ${this.limitMs / 1000} s`;
      this.logger.error(`${limit}. Requests cut off: ${this.connections.requests}.`, CONTEXT);
      process.exit(1);
    }, this.limitMs);
    this.finish().then(
      () => process.exit(0),
      (error: unknown) => {
        const what = isError(error) ? (error.stack ?? error.message) : String(error);
        this.logger.error(`The stop failed: ${what}`, CONTEXT);
        process.exit(1);
      },
    );
  }

  private async finish(): Promise<void> {
    await this.connections.drain();
    await this.app.close();
  }
}
