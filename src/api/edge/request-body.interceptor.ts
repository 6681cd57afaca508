import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { from, mergeMap, type Observable } from 'rxjs';
import { ApiError } from '../errors/api-error.js';
import { isError } from '../../platform/errors/is-error.js';
import { hasLenientBody, hasStreamedBody } from '../versions/api-operation.js';
import { UnmatchedController } from '../versions/unmatched.controller.js';
import { allowStreamedBody } from '../server/body-time-limit.js';
import { FORM, JSON_MEDIA, readAnyFields, readBodyFields, unreadableBody } from './body-fields.js';
import { rejectMalformedUrl } from './malformed-url.js';

const WITH_BODY = new Set(['PUT', 'POST', 'PATCH']);
export const BODY_KIB = 16;
export const LIMIT_BYTES = BODY_KIB * 1024;
/**
 * Reads a body of any type, which is checked before. It also decompresses; the limit applies to the
 * decompressed bytes.
 */
const readBytes = express.raw({ limit: LIMIT_BYTES, type: () => true });

/**
 * Checks the URL and parses the body, JSON or a form, unless the operation streams it. It runs
 * after the guards, so only for requests with a valid key, or of an open operation.
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
    const read = hasLenientBody(context.getHandler()) ? readLenientBody : readBody;
    return from(read(request, http.getResponse<Response>())).pipe(mergeMap(() => next.handle()));
  }
}

async function readBody(request: Request, response: Response): Promise<void> {
  // Without a body the type is not checked: the answer names the missing fields.
  const type = request.get('Content-Length') === '0' ? null : request.is(['json', FORM]);
  if (type === false) {
    throw new ApiError('bad_request', `Send the body as ${JSON_MEDIA} or as ${FORM}.`);
  }
  request.body = {};
  if (type === null) return;
  const bytes = await bytesOf(request, response).catch((error: unknown) => {
    throw bodyError(error);
  });
  if (bytes === null) return;
  request.body = readBodyFields(bytes, type, request.get('Content-Type') ?? '');
}

/** Accepts a body of any type. Only a body that is too large is rejected. */
async function readLenientBody(request: Request, response: Response): Promise<void> {
  request.body = {};
  const bytes = await bytesOf(request, response).catch((error: unknown) => {
    if (isTooLarge(error)) throw bodyError(error);
    return null;
  });
  const type = request.get('Content-Type') ?? '';
  request.body = bytes === null ? {} : await readAnyFields(bytes, type);
}

/**
 * Reads the bytes of the body.
 * @returns null if there is no body
 */
async function bytesOf(request: Request, response: Response): Promise<Buffer | null> {
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(isError(error) ? error : new Error('the body cannot be read'));
    });
  });
  const bytes: unknown = request.body;
  return Buffer.isBuffer(bytes) ? bytes : null;
}

/** Turns an error of Express's body parsers into an answer. */
export function bodyError(error: unknown): ApiError {
  return isTooLarge(error)
    ? new ApiError('bad_request', `The body must not exceed ${BODY_KIB} KiB.`)
    : unreadableBody();
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}
