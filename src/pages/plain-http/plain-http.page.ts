import type { ErrorRequestHandler } from 'express';
import { isApiPath } from '../../common/api-versions.js';
import { setFailure } from '../../common/errors/catalogue.js';
import { PlainHttpError } from '../../server/middleware/plain-http.js';
import { wantsHtml } from '../http/wants-html.js';
import { renderPlainHttp } from './plain-http.view.js';

/**
 * Shows browsers an HTML page saying that HTTPS is required. All other clients get the error format
 * of the API.
 */
export const plainHttpPage: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (!(error instanceof PlainHttpError) || isApiPath(request.path)) {
    next(error);
    return;
  }
  response.vary('Accept');
  if (!wantsHtml(request)) {
    next(error);
    return;
  }
  setFailure(response, error.failure);
  response.type('html').send(renderPlainHttp(error.detail ?? ''));
};
