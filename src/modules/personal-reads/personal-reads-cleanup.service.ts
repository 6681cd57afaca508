import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { BackgroundWork } from '../../common/background-work.js';
import { PersonalReadsService } from './personal-reads.service.js';

const HOUR_MS = 3_600_000;

/** Deletes expired reads every hour. Several instances may do so at the same time. */
@Injectable()
export class PersonalReadsCleanup implements BeforeApplicationShutdown {
  private readonly work: BackgroundWork;

  constructor(reads: PersonalReadsService) {
    this.work = new BackgroundWork('Reads of personal data could not be deleted', {
      everyMs: HOUR_MS,
      run: (signal) => reads.deleteExpired(new Date(), signal),
    });
  }

  start(): void {
    this.work.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.work.stop();
  }
}
