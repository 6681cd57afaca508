import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isUnreadable } from '../server/middleware/unreadable-address.js';
import { queryNamesOf } from '../common/validation/request-inputs.js';
import { UnmatchedController } from './unmatched.controller.js';

/** Bounds of the header: proxies commonly refuse an answer with more than 8 KiB of headers. */
const MOST_NAMES = 10;
const LONGEST_NAME = 40;
const MORE = '...';

/**
 * Names the query parameters that an operation ignores, so that a mistyped one is found (decisions:
 * Every response). It refuses nobody. As the first guard it has told before anything refuses, and it
 * tells on the response of the request itself, so that no page that is kept has the header of another.
 */
@Injectable()
export class IgnoredParametersGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!request.url.includes('?') || isUnreadable(request)) return true;
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
 * Percent-encoded, so that whatever stands in a name neither ends the header nor the name. A name that
 * is too long is no mistyped one; it may be a key that was put into the wrong place, and is not shown.
 */
function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).filter((name) => name.length <= LONGEST_NAME);
  const isAll = shown.length === names.length;
  const parts = shown.map((name) => encodeURIComponent(name.toWellFormed()));
  return [...parts, ...(isAll ? [] : [MORE])].join(', ');
}
