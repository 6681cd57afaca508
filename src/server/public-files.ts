import { Router, type RequestHandler } from 'express';
import type { AddressLimits } from '../access/limits/address-limits.js';
import { ApiError } from '../common/errors/api-error.js';
import { ANY_PATH } from '../routing/operations.js';
import type { PublicFile } from './public-file.js';

const ALLOW = 'GET, HEAD';

/**
 * Serves files that hold nothing of anybody, to whoever the limits of addresses let in.
 * @param files by their paths below that of the router
 * @param before what comes before each of them
 */
export function publicFiles(
  limits: AddressLimits,
  files: ReadonlyMap<string, PublicFile>,
  before: readonly RequestHandler[] = [],
): Router {
  const router = Router({ caseSensitive: true });
  const limited: RequestHandler = async (request, _response, next) => {
    await limits.take(request);
    next();
  };
  router.use(limited);
  for (const [path, file] of files) {
    router.get(path, ...before, (request, response) => file.send(request, response));
    router.all(path, () => {
      throw new ApiError('method_not_allowed', `This path answers ${ALLOW} only.`, {
        Allow: ALLOW,
      });
    });
  }
  router.all(`/${ANY_PATH}`, () => {
    throw new ApiError('not_found', 'There is no such path.');
  });
  return router;
}
