import type { LoggerService } from '@nestjs/common';
import { isFailure, type DatabaseFailures } from '../database/database-failures.js';
import type { DatabaseProbe } from './database-probe.js';

type Readiness = 'ready' | 'stopping' | 'starting' | 'database unavailable' | 'database failing';

/** Decides whether a load balancer should send requests to this process. */
export class Health {
  private stopping = false;
  private loggedProblem = '';

  /** @param isServing returns true while the service listens on its port */
  constructor(
    private readonly probe: DatabaseProbe,
    private readonly failures: DatabaseFailures,
    private readonly isServing: () => boolean,
    private readonly logger: LoggerService,
  ) {}

  stop(): void {
    this.stopping = true;
  }

  async readiness(): Promise<Readiness> {
    if (this.stopping) return 'stopping';
    if (!this.isServing()) return 'starting';
    const { answers, fault } = await this.probe.probe();
    if (!answers) {
      return this.notReady(isFailure(fault) ? 'database failing' : 'database unavailable', fault);
    }
    const failure = this.failures.current;
    if (failure !== null) return this.notReady('database failing', failure);
    this.log('');
    return 'ready';
  }

  private notReady(status: Readiness, cause: string | null): Readiness {
    this.log(`${status} (${cause ?? 'no answer'})`);
    return status;
  }

  private log(problem: string): void {
    if (problem === this.loggedProblem) return;
    this.loggedProblem = problem;
    if (problem === '') this.logger.log('Ready again.', 'Health');
    else this.logger.error(`Not ready: ${problem}.`, 'Health');
  }
}
