import express, { type Request, type RequestHandler } from 'express';
import { ApiError } from '../../../api/errors/api-error.js';
import { bodyError, FORM, LIMIT_BYTES } from '../../../api/edge/request-body.interceptor.js';
import type { PageSessions } from '../visit.js';

const MAX_NAMED_LENGTH = 60;

const parseForm = express.urlencoded({ limit: LIMIT_BYTES, type: FORM, extended: false });

/** Reads the fields of a posted form. */
export const readForm: RequestHandler = (request, response, next) => {
  parseForm(request, response, (error?: unknown) => {
    next(error === undefined ? undefined : bodyError(error));
  });
};

/** Returns the problem of a form without a valid CSRF token, or null. */
export function problemOfForm(sessions: PageSessions, request: Request): ApiError | null {
  try {
    sessions.checkForm(request);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/**
 * Rejects a query with a repeated parameter. A repeated filter would otherwise be ignored, and the
 * list or file would contain more than was requested.
 * @throws ApiError invalid_parameters
 */
export function rejectRepeated(query: Request['query']): void {
  const repeated = Object.keys(query).find((name) => Array.isArray(query[name]));
  if (repeated === undefined) return;
  const name = repeated.slice(0, MAX_NAMED_LENGTH);
  throw new ApiError('invalid_parameters', `The address has “${name}” more than once.`);
}
