import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isMalformedUrl } from '../edge/malformed-url.js';
import { queryNamesOf } from '../validation/request-inputs.js';
import { UnmatchedController } from './unmatched.controller.js';

/** Limits of the header. Proxies commonly reject responses with more than 8 KiB of headers. */
const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 40;
const MORE = '...';

/**
 * Lists ignored query parameters in a header, so that clients notice mistyped names. It rejects no
 * request. It is a guard because guards run before a request can be rejected, and before the page
 * cache, which must not store this header.
 */
@Injectable()
export class IgnoredParametersGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!request.url.includes('?') || isMalformedUrl(request)) return true;
    if (context.getClass() === UnmatchedController) return true;
    const known = queryNamesOf(context);
    const ignored = Object.keys(request.query).filter((name) => name !== '' && !known.has(name));
    if (ignored.length > 0) {
      http.getResponse<Response>().setHeader('X-Ignored-Parameters', listOf(ignored));
    }
    return true;
  }
}

/**
 * Returns the value of the header. Names are percent-encoded, because they may contain any
 * character. A long name is left out: it is hardly a mistyped name, but may be a key in the wrong
 * place.
 */
function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).filter((name) => name.length <= MAX_NAME_LENGTH);
  const isAll = shown.length === names.length;
  const parts = shown.map((name) => encodeURIComponent(name.toWellFormed()));
  return [...parts, ...(isAll ? [] : [MORE])].join(', ');
}
