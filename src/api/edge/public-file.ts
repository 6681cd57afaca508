import { hash } from 'node:crypto';
import { type Request, type Response, Router, type RequestHandler } from 'express';
import {
  codingFor,
  compress,
  isWorthCoding,
  type ContentCoding,
} from '../envelope/content-coding.js';
import type { AddressLimits } from '../../platform/limits/limiter.js';
import { ApiError } from '../errors/api-error.js';
import { ANY_PATH } from '../versions/operations.js';

const HASH_LENGTH = 16;

/** Serves a file that is the same for everybody, and changes only with the code. */
export class PublicFile {
  readonly hash: string;
  /** Bytes of the file. All responses share them, so that slow readers use no extra memory. */
  private readonly bytes: Buffer;
  private readonly isText: boolean;
  private readonly type: string;
  private readonly coded = new Map<ContentCoding, Promise<Buffer>>();

  /**
   * Prepares the file, including its ETag.
   * @param content a text, or the bytes of a file that is compressed already
   * @param type the media type, without its charset
   * @param headers headers in addition to those of every file
   */
  constructor(
    content: string | Buffer,
    type: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {
    this.isText = typeof content === 'string';
    this.bytes = Buffer.from(content);
    this.type = this.isText ? `${type}; charset=utf-8` : type;
    this.hash = hash('sha256', this.bytes, 'hex').slice(0, HASH_LENGTH);
  }

  /** Answers GET and HEAD, and 304 for a matching ETag. */
  async send(request: Request, response: Response): Promise<void> {
    const coding = this.isText && isWorthCoding(this.bytes) ? codingFor(request) : null;
    const body = coding === null ? this.bytes : await this.encoded(coding);
    response.set(this.headers);
    response.setHeader('Content-Type', this.type);
    response.setHeader('ETag', `"${this.hash}${coding === null ? '' : `-${coding}`}"`);
    response.vary('Accept-Encoding');
    if (coding !== null) response.setHeader('Content-Encoding', coding);
    // Express handles If-None-Match and HEAD.
    response.send(body);
  }

  /** Returns the compressed file. It is compressed once, on the first request. */
  private encoded(coding: ContentCoding): Promise<Buffer> {
    const known = this.coded.get(coding) ?? compress(this.bytes, coding);
    this.coded.set(coding, known);
    return known;
  }
}

const METHODS = ['GET', 'HEAD'];

/**
 * Serves public files, within the rate limits of addresses.
 * @param files files by path, relative to the path of the router
 * @param before handlers that run before each file
 */
export function publicFiles(
  limits: AddressLimits,
  files: ReadonlyMap<string, Pick<PublicFile, 'send'>>,
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

/**
 * Adds the last routes of a router: 405 with `Allow` for another method of a known path, 404 for
 * any other path. They also keep Express from answering OPTIONS.
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
      const detail = `This ${what} supports only ${allow}.`;
      throw new ApiError('method_not_allowed', detail, { Allow: allow });
    });
  }
  router.all(`/${ANY_PATH}`, () => {
    throw new ApiError('not_found', `This ${what} does not exist.`);
  });
}
