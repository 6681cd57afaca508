import { Injectable } from '@nestjs/common';
import { JobLoop } from '../../platform/jobs/job-loop.js';
import { PersonalReadsService } from './personal-reads.service.js';

const HOUR_MS = 3_600_000;

/** Deletes expired reads every hour. Several instances may do so at the same time. */
@Injectable()
export class PersonalReadsCleanup extends JobLoop {
  constructor(private readonly reads: PersonalReadsService) {
    super('Reads of personal data could not be deleted', HOUR_MS);
  }

  protected run(signal: AbortSignal): Promise<number> {
    return this.reads.deleteExpired(new Date(), signal);
  }
}
