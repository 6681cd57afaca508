import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../common/errors/api-error.js';
import { Turns } from '../../../common/turns.js';

/** Writers of a vendor wait for each other in the database anyway, and readers need connections, too. */
const MAX_WRITERS = 2;
/** Shorter than typical client timeouts. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '2';

/** Lets few requests write records at a time. */
@Injectable()
export class WriteTurns {
  private readonly turns = new Turns({
    max: MAX_WRITERS,
    waitMs: MAX_WAIT_MS,
    refusal: tooManyWriters,
  });

  /** @throws ApiError too_many_requests if the wait takes too long; then `work` was not begun */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.turns.take(work);
  }
}

function tooManyWriters(): ApiError {
  return new ApiError(
    'too_many_requests',
    'Too many requests write records. Nothing was written: send these again.',
    { 'Retry-After': RETRY_AFTER_SECONDS },
  );
}
