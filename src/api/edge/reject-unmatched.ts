import type { Router } from 'express';
import { ApiError } from '../errors/api-error.js';
import { ANY_PATH } from '../versions/operations.js';

/**
 * Adds the last routes of a router: 405 with `Allow` for another method of a known path, 404 for any other
 * path. They also keep Express from answering OPTIONS.
 * @param paths the methods of each path
 * @param what the word for a path in error details
 */
export function rejectUnmatched(
  router: Router,
  paths: ReadonlyMap<string, readonly string[]>,
  what: 'page' | 'path',
): void {
  for (const [path, methods] of paths) {
    const allow = methods.join(', ');
    router.all(path, () => {
      throw new ApiError('method_not_allowed', `This ${what} supports only ${allow}.`, {
        Allow: allow,
      });
    });
  }
  router.all(`/${ANY_PATH}`, () => {
    throw new ApiError('not_found', `This ${what} does not exist.`);
  });
}
