import { Router, type RequestHandler } from 'express';
import type { AddressLimits } from '../../access/limits/address-limits.js';
import type { PublicFile } from './public-file.js';
import { refuseOthers } from './refuse-others.js';

const METHODS = ['GET', 'HEAD'];

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
  }
  refuseOthers(router, new Map(Array.from(files.keys(), (path) => [path, METHODS])), 'path');
  return router;
}
