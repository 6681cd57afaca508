import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { versionOfPath } from '../api-versions.js';
import { errorEnvelope } from '../envelope/envelope.js';
import { requestIdOf } from '../request-id.js';
import { setFailure } from './answered-code.js';
import type { ErrorAnswers } from './error-answers.js';

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
    response.set(error.headers);
    response.type('json').send(errorEnvelope(versionOfPath(request.path), error));
  }
}
