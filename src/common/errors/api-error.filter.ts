import {
  Catch,
  HttpException,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { versionOfPath } from '../api-versions.js';
import { errorEnvelope } from '../envelope/envelope.js';
import { requestIdOf } from '../request-id.js';
import { noteCode } from './answered-code.js';
import { ApiError } from './api-error.js';
import { AwayLog } from './away-log.js';
import { CATALOGUE } from './catalogue.js';
import { DatabaseAwayError } from './database-away.js';
import { describeFault } from './describe-fault.js';

/** A database that was restarted is there again in seconds, and nobody knows in how many. */
const RETRY_AFTER_SECONDS = '2';

/** The one place where an error becomes an answer, from whatever depth it comes. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ApiErrorFilter.name);
  private readonly awayLog = new AwayLog(this.logger);

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = this.apiErrorOf(thrown, requestIdOf(response));
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { http_status_code, code } = CATALOGUE[error.failure];
    noteCode(response, code);
    response.status(http_status_code).set(error.headers);
    response.type('json').send(errorEnvelope(versionOfPath(request.path), error));
  }

  private apiErrorOf(thrown: unknown, requestId: string): ApiError {
    if (thrown instanceof ApiError) return thrown;
    if (thrown instanceof HttpException) return ofHttpException(thrown);
    // Only here, and only into the log: a stack or a statement is nothing for a caller.
    const detail = `Ask the operator about the request ${requestId}.`;
    if (thrown instanceof DatabaseAwayError) {
      this.awayLog.add(thrown);
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
