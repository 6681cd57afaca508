import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Request } from 'express';
import { ApiError } from '../../api/errors/api-error.js';
import { codeOf } from '../../platform/errors/is-error.js';
import { BODY_SECONDS, type IncomingBody } from './incoming/incoming.model.js';

const LINES = 'application/x-ndjson';
const JSON_TYPE = 'application/json';
/**
 * Milliseconds for which the rest of a rejected body is read, so that the client can read the
 * answer.
 */
const REST_MS = 5_000;
const CHUNK_BYTES = 64 * 1024;

/**
 * Returns the body of a request that sends records.
 * @throws ApiError `bad_request` if the type, the character set or the coding is not supported
 */
export function bodyOf(request: Request): IncomingBody {
  const format = formatOf(request);
  const chunks = inTime(request, BODY_SECONDS * 1_000);
  return { format, bytes: isPacked(request) ? unpacked(chunks) : chunks };
}

/** Reads and discards the rest of an unread body, for a limited time. */
export function discardRest(request: Request): void {
  if (request.complete || request.destroyed) return;
  // The body flows as soon as its previous reader releases it.
  request.on('data', () => undefined);
  const timer = setTimeout(() => request.destroy(), REST_MS).unref();
  for (const event of ['end', 'close']) {
    request.once(event, () => {
      clearTimeout(timer);
    });
  }
}

function formatOf(request: Request): IncomingBody['format'] {
  // The type does not matter without a body.
  const type = hasNoBody(request) ? null : request.is([LINES, JSON_TYPE]);
  if (type === false) {
    throw new ApiError('bad_request', `Send the records as ${LINES} or as ${JSON_TYPE}.`);
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.get('Content-Type') ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new ApiError('bad_request', 'Send the records in UTF-8.');
  }
  return type === JSON_TYPE ? 'json' : 'lines';
}

function hasNoBody(request: Request): boolean {
  return request.get('Content-Length') === '0';
}

function isPacked(request: Request): boolean {
  const coding = request.get('Content-Encoding')?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'gzip' && coding !== 'identity' && coding !== '') {
    throw new ApiError('bad_request', 'Send the body as it is, or with Content-Encoding: gzip.');
  }
  return coding === 'gzip';
}

/**
 * Yields the chunks of a request. The request stays open for the answer even if the chunks are not
 * read to the end.
 * @throws ApiError `bad_request` if they take too long or end early
 */
export async function* inTime(
  request: Pick<Readable, 'iterator'>,
  ms: number,
): AsyncGenerator<Buffer> {
  // The request is a stream of bytes, so its chunks are buffers.
  const chunks: AsyncIterator<Buffer, unknown> = request.iterator({ destroyOnReturn: false });
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(unreadable(`did not arrive within ${ms / 1_000} seconds`));
    }, ms).unref();
  });
  tooLate.catch(() => undefined);
  let isWaiting = false;
  try {
    for (;;) {
      isWaiting = true;
      const next = await Promise.race([chunks.next(), tooLate]);
      isWaiting = false;
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    // The client has disconnected and may no longer read this error.
    throw codeOf(error) === 'ECONNRESET' ? unreadable('ended early') : error;
  } finally {
    clearTimeout(timer);
    // `return` would wait for the chunk that did not arrive.
    if (!isWaiting) await chunks.return?.();
  }
}

async function* unpacked(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const packed = Readable.from(chunks, { objectMode: false });
  const bytes = pipeline(packed, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
  try {
    yield* bytes as AsyncIterable<Buffer>;
  } catch (error) {
    throw codeOf(error)?.startsWith('Z_') === true ? unreadable('is not valid gzip') : error;
  }
}

function unreadable(problem: string): ApiError {
  return new ApiError('bad_request', `The body ${problem}. Nothing was written.`);
}
