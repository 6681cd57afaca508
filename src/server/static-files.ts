import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Router, type RequestHandler } from 'express';
import type { AddressLimits } from '../access/limits/address-limits.js';
import { ApiError } from '../common/errors/api-error.js';

/** A file that stays as it is while the service runs. */
export interface StaticFile {
  readonly path: string;
  readonly content: Buffer;
  /** The media type. */
  readonly type: string;
  readonly cacheControl: string;
}

/** Below this, what compressing saves is less than the headers. */
const WORTH_COMPRESSING = 1_024;
const ALLOW = 'GET, HEAD';

/** Serves files that hold nothing of anybody, to whoever the limits of addresses let in. */
export function staticFiles(limits: AddressLimits, files: Iterable<StaticFile>): Router {
  const router = Router({ caseSensitive: true });
  const limited: RequestHandler = async (request, _response, next) => {
    await limits.take(request);
    next();
  };
  for (const file of files) {
    router.get(file.path, limited, sending(file));
    router.all(file.path, () => {
      throw new ApiError('method_not_allowed', `This path answers ${ALLOW} only.`, {
        Allow: ALLOW,
      });
    });
  }
  return router;
}

/** Compressed once, for clients that take gzip. Express itself heeds HEAD and If-None-Match. */
function sending({ content, type, cacheControl }: StaticFile): RequestHandler {
  const tag = hash('sha256', content, 'base64url');
  const small = content.length < WORTH_COMPRESSING ? null : gzipSync(content, { level: 9 });
  return (request, response) => {
    const isSmall = small !== null && request.acceptsEncodings('gzip') !== false;
    response.setHeader('Content-Type', type);
    response.setHeader('Cache-Control', cacheControl);
    response.setHeader('Vary', 'Accept-Encoding');
    response.setHeader('ETag', isSmall ? `"${tag}-gzip"` : `"${tag}"`);
    if (isSmall) response.setHeader('Content-Encoding', 'gzip');
    response.send(isSmall ? small : content);
  };
}
