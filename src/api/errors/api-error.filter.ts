import {
  Catch,
  type ArgumentsHost,
  type ExceptionFilter,
  HttpException,
  type LoggerService,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { MCP_PATH, versionOfPath } from '../versions/api-versions.js';
import { errorEnvelope } from '../envelope/envelope.js';
import { requestIdOf } from '../edge/prepare-request.js';
import { setFailure } from './catalogue.js';
import { ApiError } from './api-error.js';
import { jsonRpcError, withoutChallenge } from './json-rpc.js';
import { DatabaseUnavailableError } from '../../platform/errors/database-unavailable.js';
import { describeError } from '../../platform/errors/describe-error.js';
import { codeOf } from '../../platform/errors/is-error.js';

/**
 * Value of Retry-After while the database is unavailable. A restarted database is usually back
 * within seconds.
 */
const RETRY_AFTER_SECONDS = '2';
const OUTAGE_INTERVAL_MS = 1_000;

/** Maps any thrown value to an API error, and logs details that the caller must not see. */
export class ErrorAnswers {
  private outageLoggedAt = -Infinity;
  /** Requests failed by an unavailable database since its last log line. */
  private unlogged = 0;

  constructor(private readonly logger: LoggerService) {}

  apiErrorOf(thrown: unknown, requestId: string): ApiError {
    if (thrown instanceof ApiError) return thrown;
    if (thrown instanceof HttpException) return ofHttpException(thrown);
    const detail = `Ask the operator about the request ${requestId}.`;
    if (thrown instanceof DatabaseUnavailableError) {
      this.logOutage(thrown);
      return new ApiError('internal_error', detail, { 'Retry-After': RETRY_AFTER_SECONDS });
    }
    this.logger.error({ requestId, ...describeError(thrown) });
    return new ApiError('internal_error', detail);
  }

  /** Logs an unavailable database at most once a second, with the number of failed requests. */
  private logOutage(error: DatabaseUnavailableError): void {
    this.unlogged += 1;
    const now = performance.now();
    if (now - this.outageLoggedAt < OUTAGE_INTERVAL_MS) return;
    const driverCode = codeOf(error.cause);
    const entry = { error: error.message, requests: this.unlogged };
    this.logger.error(driverCode === undefined ? entry : { ...entry, driverCode });
    this.outageLoggedAt = now;
    this.unlogged = 0;
  }
}

/**
 * Returns the API error for an exception that Nest or Express throws for a request that it cannot
 * parse.
 */
function ofHttpException(exception: HttpException): ApiError {
  return exception.getStatus() === 404
    ? new ApiError('not_found', 'This path does not exist.')
    : new ApiError('bad_request', 'The request cannot be read.');
}

/** Turns all errors into API responses; no other code does. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  constructor(private readonly answers: ErrorAnswers) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = this.answers.apiErrorOf(thrown, requestIdOf(response));
    if (response.headersSent) {
      response.destroy();
      return;
    }
    setFailure(response, error.failure);
    if (request.path === MCP_PATH) {
      response.set(withoutChallenge(error.headers));
      response.type('json').send(jsonRpcError(error, request.body));
      return;
    }
    response.set(error.headers);
    response.type('json').send(errorEnvelope(versionOfPath(request.path), error));
  }
}
