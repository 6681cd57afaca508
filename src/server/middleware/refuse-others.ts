import type { Router } from 'express';
import { ApiError } from '../../common/errors/api-error.js';
import { ANY_PATH } from '../../routing/operations.js';

/**
 * Refuses what no route of a router answers, behind all of them: another method of a known path with
 * 405 and `Allow`, and any other path with 404. So Express answers no OPTIONS by itself.
 * @param paths the methods of each path
 * @param what they are called to whoever asks
 */
export function refuseOthers(
  router: Router,
  paths: ReadonlyMap<string, readonly string[]>,
  what: 'page' | 'path',
): void {
  for (const [path, methods] of paths) {
    const allow = methods.join(', ');
    router.all(path, () => {
      throw new ApiError('method_not_allowed', `This ${what} answers ${allow} only.`, {
        Allow: allow,
      });
    });
  }
  router.all(`/${ANY_PATH}`, () => {
    throw new ApiError('not_found', `There is no such ${what}.`);
  });
}
