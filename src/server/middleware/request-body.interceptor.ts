import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { from, mergeMap, type Observable } from 'rxjs';
import { ApiError } from '../../common/errors/api-error.js';
import { hasStreamedBody } from '../../routing/streamed-body.js';
import { UnmatchedController } from '../../routing/unmatched.controller.js';
import { allowStreamedBody } from '../lifecycle/body-time-limit.js';
import { FORM, readBodyFields, unreadableBody } from './body-fields.js';
import { rejectMalformedUrl } from './malformed-url.js';

const WITH_BODY = new Set(['PUT', 'POST', 'PATCH']);
export const BODY_KIB = 16;
export const LIMIT_BYTES = BODY_KIB * 1024;
/** For any type, which is checked before. It also decompresses; the limit is of the decompressed bytes. */
const readBytes = express.raw({ limit: LIMIT_BYTES, type: () => true });

/**
 * Checks the URL and parses the body, JSON or a form, unless the operation streams it. It runs after the guards, so only for requests with a
 * valid key (decisions: Order of the checks).
 */
@Injectable()
export class RequestBodyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    rejectMalformedUrl(request);
    if (hasStreamedBody(context.getHandler())) {
      allowStreamedBody(request);
      return next.handle();
    }
    const isUnmatched = context.getClass() === UnmatchedController;
    if (isUnmatched || !WITH_BODY.has(request.method)) return next.handle();
    return from(readBody(request, http.getResponse<Response>())).pipe(
      mergeMap(() => next.handle()),
    );
  }
}

async function readBody(request: Request, response: Response): Promise<void> {
  // Without a body the type does not matter: the answer names the missing fields.
  const type = request.get('Content-Length') === '0' ? null : request.is(['json', FORM]);
  if (type === false) throw new ApiError('bad_request', 'Send the body as JSON or as a form.');
  request.body = {};
  if (type === null) return;
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(bodyError(error));
    });
  });
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes)) return;
  request.body = readBodyFields(bytes, type, request.get('Content-Type') ?? '');
}

/** Turns an error of Express's body parsers into an answer. */
export function bodyError(error: unknown): ApiError {
  const isTooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
  return isTooLarge
    ? new ApiError('bad_request', `The body must not exceed ${BODY_KIB} KiB.`)
    : unreadableBody();
}
