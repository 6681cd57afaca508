import type { Request } from 'express';
import { type Transform, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../../platform/errors/is-error.js';

/**
 * Supported encodings. If a client accepts both equally, the response uses the one that the client
 * names first.
 */
const CONTENT_CODINGS = ['br', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** Minimum length in characters. A shorter body fits into one packet uncompressed. */
const MIN_LENGTH = 1_024;
/** Brotli's default level is meant for static files, and too slow for responses made on request. */
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};
const GZIP_LEVEL = 4;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * Returns the encoding that the client prefers, or null for none, which HTTP/1.0 clients always
 * get.
 */
export function codingFor(
  request: Request,
  codings: readonly ContentCoding[] = CONTENT_CODINGS,
): ContentCoding | null {
  if (request.headers['accept-encoding'] === undefined || request.httpVersion === '1.0') {
    return null;
  }
  const wanted = request.acceptsEncodings(...codings, 'identity');
  return codings.find((coding) => coding === wanted) ?? null;
}

export function isWorthCoding(body: string | Buffer): boolean {
  return body.length >= MIN_LENGTH;
}

export function compress(body: string | Buffer, coding: ContentCoding): Promise<Buffer> {
  return coding === 'br' ? brotli(body, { params: BROTLI }) : zip(body, { level: GZIP_LEVEL });
}

/** Returns a stream that compresses a body that is not in memory as a whole. */
function coderFor(coding: ContentCoding): Transform {
  return coding === 'br'
    ? createBrotliCompress({ params: BROTLI })
    : createGzip({ level: GZIP_LEVEL });
}

/**
 * Sends a body, except for HEAD, as fast as the client reads. If the chunks fail or are cut off,
 * the connection is closed before the end of the body. A client that disconnects causes no error.
 * @param coding compresses the body; null to send it unchanged
 * @param cutOff cuts the body off when it aborts
 * @throws the error of the chunks; AbortError if they were cut off
 */
export async function streamBody(
  response: ServerResponse,
  chunks: AsyncIterable<string | Uint8Array>,
  coding: ContentCoding | null,
  cutOff?: AbortSignal,
): Promise<void> {
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  const source = Readable.from(chunks, { objectMode: false });
  const coders = coding === null ? [] : [coderFor(coding)];
  const options = cutOff === undefined ? {} : { signal: cutOff };
  try {
    await pipeline([source, ...coders, response], options);
  } catch (error) {
    response.destroy();
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
