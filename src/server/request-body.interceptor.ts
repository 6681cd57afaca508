import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { from, mergeMap, type Observable } from 'rxjs';
import { ApiError } from '../common/errors/api-error.js';
import { isRecord } from '../common/record-fields.js';
import { UnmatchedController } from '../routing/unmatched.controller.js';

const WITH_BODY = new Set(['PUT', 'POST', 'PATCH']);
export const BODY_KIB = 16;
export const LIMIT_BYTES = BODY_KIB * 1024;
export const FORM = 'application/x-www-form-urlencoded';
const PARSERS = [
  // Any JSON value is read; what is no object is then told as such.
  express.json({ limit: LIMIT_BYTES, type: 'json', strict: false }),
  express.urlencoded({ limit: LIMIT_BYTES, type: FORM, extended: false }),
];

/**
 * Reads the body, JSON or a form, once the guards have let the request in: nobody without a key makes
 * the service read one (decisions: Order of the checks).
 */
@Injectable()
export class RequestBodyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    // Where no operation takes the request, nobody wants its body either.
    const isUnmatched = context.getClass() === UnmatchedController;
    if (isUnmatched || !WITH_BODY.has(request.method)) return next.handle();
    return from(readBody(request, http.getResponse<Response>())).pipe(
      mergeMap(() => next.handle()),
    );
  }
}

async function readBody(request: Request, response: Response): Promise<void> {
  // Without a body there is nothing whose type could be wrong: the fields are missing.
  const type = request.get('Content-Length') === '0' ? null : request.is(['json', FORM]);
  if (type === false) throw new ApiError('bad_request', 'Send the body as JSON or as a form.');
  for (const parse of PARSERS) {
    await new Promise<void>((resolve, reject) => {
      parse(request, response, (error?: unknown) => {
        if (error === undefined) resolve();
        else reject(unreadable(error));
      });
    });
  }
  const body: unknown = request.body === undefined ? {} : request.body;
  if (!isRecord(body)) throw new ApiError('invalid_parameters', 'The body must be an object.');
  // A form has no null: a field that is sent empty is one that is to be cleared.
  request.body = type === FORM ? withNulls(body) : body;
}

function withNulls(form: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(form).map(([field, value]) => [field, value === '' ? null : value]),
  );
}

/** What the parsers of Express refuse, as an answer. */
export function unreadable(error: unknown): ApiError {
  const isTooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
  return new ApiError(
    'bad_request',
    isTooLarge ? `The body may have at most ${BODY_KIB} KiB.` : 'The body can not be read.',
  );
}
