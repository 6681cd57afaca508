import { Injectable } from '@nestjs/common';
import { JobLoop } from '../../../platform/jobs/job-loop.js';
import { ExtensionSweepService } from './extension-sweep.service.js';

/** A row that is written for an erased sale is emptied within this time. */
const EVERY_MS = 600_000;

/**
 * Applies erasures and retention to the tables of extensions before the service starts, because
 * they may come from a backup, and while it runs.
 */
@Injectable()
export class ExtensionSweepCheck extends JobLoop {
  constructor(private readonly sweeping: ExtensionSweepService) {
    // The check before the start was the first run.
    super('Personal data in tables of extensions could not be emptied', EVERY_MS, EVERY_MS);
  }

  check(): Promise<unknown> {
    return this.sweeping.sweep();
  }

  protected run(signal: AbortSignal): Promise<unknown> {
    return this.sweeping.sweep({ signal });
  }
}
