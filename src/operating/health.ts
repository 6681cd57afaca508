import type { DatabaseProbe } from './database-probe.js';

export interface Readiness {
  readonly ready: boolean;
  /** One word for a person: what it is, or what is missing. */
  readonly status: 'ready' | 'stopping' | 'starting' | 'database away';
}

/** Whether a load balancer should send requests here. */
export class Health {
  private stopping = false;

  /** @param isServing whether anybody listens on the port of the service */
  constructor(
    private readonly probe: DatabaseProbe,
    private readonly isServing: () => boolean,
  ) {}

  /** From now on nothing new should come. */
  stop(): void {
    this.stopping = true;
  }

  async readiness(): Promise<Readiness> {
    if (this.stopping) return { ready: false, status: 'stopping' };
    if (!this.isServing()) return { ready: false, status: 'starting' };
    const { answers } = await this.probe.probe();
    return answers ? { ready: true, status: 'ready' } : { ready: false, status: 'database away' };
  }
}
