import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { from, mergeMap, type Observable } from 'rxjs';
import { ApiError } from '../../common/errors/api-error.js';
import { UnmatchedController } from '../../routing/unmatched.controller.js';
import { FORM, readBodyFields } from './body-fields.js';
import { refuseUnreadable } from './unreadable-address.js';

const WITH_BODY = new Set(['PUT', 'POST', 'PATCH']);
export const BODY_KIB = 16;
export const LIMIT_BYTES = BODY_KIB * 1024;
/** Any type: which there are, is said before. It unpacks, and counts the bytes of what it unpacks. */
const readBytes = express.raw({ limit: LIMIT_BYTES, type: () => true });

/**
 * Reads the address and the body, JSON or a form, once the guards have let the request in: nobody
 * without a key makes the service read one (decisions: Order of the checks).
 */
@Injectable()
export class RequestBodyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    refuseUnreadable(request);
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
  request.body = {};
  if (type === null) return;
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(unreadable(error));
    });
  });
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes)) return;
  request.body = readBodyFields(bytes, type, request.get('Content-Type') ?? '');
}

/** What the parsers of Express refuse, as an answer. */
export function unreadable(error: unknown): ApiError {
  const isTooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
  return new ApiError(
    'bad_request',
    isTooLarge ? `The body may have at most ${BODY_KIB} KiB.` : 'The body can not be read.',
  );
}
