import { HttpException, type LoggerService } from '@nestjs/common';
import { ApiError } from './api-error.js';
import { DatabaseUnavailableError } from './database-unavailable.js';
import { describeFault } from './describe-fault.js';

/** A database that was restarted is there again in seconds, and nobody knows in how many. */
const RETRY_AFTER_SECONDS = '2';

/** Where it is noted that the database is unavailable. */
export interface Outages {
  add(error: DatabaseUnavailableError): void;
}

/** Finds the answer to whatever was thrown, and tells the log what no caller may know. */
export class ErrorAnswers {
  constructor(
    private readonly logger: LoggerService,
    private readonly outages: Outages,
  ) {}

  apiErrorOf(thrown: unknown, requestId: string): ApiError {
    if (thrown instanceof ApiError) return thrown;
    if (thrown instanceof HttpException) return ofHttpException(thrown);
    // Only here, and only into the log: a stack or a statement is nothing for a caller.
    const detail = `Ask the operator about the request ${requestId}.`;
    if (thrown instanceof DatabaseUnavailableError) {
      this.outages.add(thrown);
      return new ApiError('internal_error', detail, { 'Retry-After': RETRY_AFTER_SECONDS });
    }
    this.logger.error({ requestId, ...describeFault(thrown) });
    return new ApiError('internal_error', detail);
  }
}

/** What Nest and Express refuse by themselves: a request that can't be read. */
function ofHttpException(exception: HttpException): ApiError {
  return exception.getStatus() === 404
    ? new ApiError('not_found', 'There is no such path.')
    : new ApiError('bad_request', 'The request can not be read.');
}
