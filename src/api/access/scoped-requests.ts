import type { RequestHandler } from 'express';
import type { PersonalTables } from '../../platform/database/extensions/personal-scope.js';
import { isCoreVersion, versionOfPath } from '../versions/api-versions.js';
import { isMasked } from './principal.js';

/**
 * Runs each request for an operation of an extension in a scope, until its answer is sent: with a
 * masked key, its statements see no personal data in tables of extensions.
 */
export function scopedRequests(tables: PersonalTables): RequestHandler {
  return (request, _response, next) => {
    if (isCoreVersion(versionOfPath(request.path))) {
      next();
      return;
    }
    const scope = tables.scope(() => request.user !== undefined && isMasked(request.user));
    scope.run(() => {
      next();
    });
  };
}
