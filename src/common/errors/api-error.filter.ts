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
import { isError } from '../is-error.js';
import { requestIdOf } from '../request-id.js';
import { ApiError } from './api-error.js';
import { CATALOGUE } from './catalogue.js';

/** The one place where an error becomes an answer, from whatever depth it comes. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ApiErrorFilter.name);

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = this.apiErrorOf(thrown, requestIdOf(response));
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.status(CATALOGUE[error.failure].http_status_code).set(error.headers);
    response.type('json').send(errorEnvelope(versionOfPath(request.path), error));
  }

  private apiErrorOf(thrown: unknown, requestId: string): ApiError {
    if (thrown instanceof ApiError) return thrown;
    if (thrown instanceof HttpException) return ofHttpException(thrown);
    // Only here, and only into the log: a stack or a statement is nothing for a caller.
    this.logger.error({
      requestId,
      error: isError(thrown) ? thrown.stack : String(thrown),
    });
    return new ApiError('internal_error', `Ask the operator about the request ${requestId}.`);
  }
}

/** What Nest and Express refuse by themselves: a request that can't be read. */
function ofHttpException(exception: HttpException): ApiError {
  return exception.getStatus() === 404
    ? new ApiError('not_found', 'There is no such path.')
    : new ApiError('bad_request', 'The request can not be read.');
}
