import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { AddressLimits } from '../../access/limits/address-limits.js';
import { rejectUnmatched } from './reject-unmatched.js';

const METHODS = ['GET', 'HEAD'];

interface ServedFile {
  /** Answers GET and HEAD. */
  send(request: Request, response: Response): Promise<void>;
}

/**
 * Serves public files, within the rate limits of addresses.
 * @param files files by path, relative to the path of the router
 * @param before handlers that run before each file
 */
export function publicFiles(
  limits: AddressLimits,
  files: ReadonlyMap<string, ServedFile>,
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
  rejectUnmatched(router, new Map(Array.from(files.keys(), (path) => [path, METHODS])), 'path');
  return router;
}
