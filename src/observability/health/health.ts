import type { LoggerService } from '@nestjs/common';
import { isFailure, type DatabaseFailures } from '../../database/database-failures.js';
import type { DatabaseProbe } from './database-probe.js';

export interface Readiness {
  readonly ready: boolean;
  /** One word for a person: what it is, or what is missing. */
  readonly status: 'ready' | 'stopping' | 'starting' | 'database away' | 'database failing';
}

const READY: Readiness = { ready: true, status: 'ready' };

/** Whether a load balancer should send requests here. */
export class Health {
  private stopping = false;
  /** The last that the log was told. */
  private told = '';

  /** @param isServing whether anybody listens on the port of the service */
  constructor(
    private readonly probe: DatabaseProbe,
    private readonly failures: DatabaseFailures,
    private readonly isServing: () => boolean,
    private readonly logger: LoggerService,
  ) {}

  /** From now on nothing new should come. */
  stop(): void {
    this.stopping = true;
  }

  async readiness(): Promise<Readiness> {
    if (this.stopping) return { ready: false, status: 'stopping' };
    if (!this.isServing()) return { ready: false, status: 'starting' };
    const { answers, fault } = await this.probe.probe();
    if (!answers) {
      return this.notReady(isFailure(fault) ? 'database failing' : 'database away', fault);
    }
    const failure = this.failures.current;
    if (failure !== null) return this.notReady('database failing', failure);
    this.tell('');
    return READY;
  }

  private notReady(status: Readiness['status'], cause: string | null): Readiness {
    this.tell(`${status} (${cause ?? 'no answer'})`);
    return { ready: false, status };
  }

  /** Once for each change. */
  private tell(problem: string): void {
    if (problem === this.told) return;
    this.told = problem;
    if (problem === '') this.logger.log('Ready again.', 'Health');
    else this.logger.error(`Not ready: ${problem}.`, 'Health');
  }
}
