import { Injectable } from '@nestjs/common';
import { dateTimeIn, dayOf } from '../../../common/time.js';
import { JobLoop } from '../../../platform/jobs/job-loop.js';
import { RetentionRunService } from './retention-run.service.js';

/** A new rule or a new day takes effect within this time. */
const EVERY_MS = 600_000;

/** Removes expired personal data once a day, in one process at a time. */
@Injectable()
export class RetentionLoopService extends JobLoop {
  constructor(private readonly runs: RetentionRunService) {
    super('Old personal data could not be emptied', EVERY_MS);
  }

  protected run(signal: AbortSignal): Promise<void> {
    return this.runs.runDue({ today: dayOf(dateTimeIn(0)), signal });
  }
}
