import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { BackgroundWork } from '../../../common/background-work.js';
import { dateTimeOf, dayOf } from '../../../common/time.js';
import { RetentionRunService } from './retention-run.service.js';

/** A new rule or a new day takes effect within this time. */
const EVERY_MS = 600_000;

/** Removes expired personal data once a day, in one process at a time. */
@Injectable()
export class RetentionLoopService implements BeforeApplicationShutdown {
  private readonly work: BackgroundWork;

  constructor(runs: RetentionRunService) {
    this.work = new BackgroundWork('Old personal data could not be emptied', {
      everyMs: EVERY_MS,
      run: (signal) => runs.runDue({ today: dayOf(dateTimeOf(new Date())), signal }),
    });
  }

  start(): void {
    this.work.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.work.stop();
  }
}
