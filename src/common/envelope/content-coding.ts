import type { Request } from 'express';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** How a body may be compressed; a client that likes both the same gets the one it names first. */
const CONTENT_CODINGS = ['br', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** A shorter body fits into one packet as it is. */
const LEAST_LENGTH = 1_024;
/** Brotli's default is meant for files that are compressed once and served for years. */
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};
const GZIP_LEVEL = 4;

const COMPRESS: Readonly<Record<ContentCoding, (text: string) => Promise<Buffer>>> = {
  br: (text) => brotli(text, { params: BROTLI }),
  gzip: (text) => zip(text, { level: GZIP_LEVEL }),
};
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** How the client wants its answer: null stands for as it is, which is all that HTTP/1.0 clients get. */
export function codingFor(request: Request): ContentCoding | null {
  if (request.headers['accept-encoding'] === undefined || request.httpVersion === '1.0') {
    return null;
  }
  const wanted = request.acceptsEncodings(...CONTENT_CODINGS, 'identity');
  return CONTENT_CODINGS.find((coding) => coding === wanted) ?? null;
}

export function isWorthCoding(text: string): boolean {
  return text.length >= LEAST_LENGTH;
}

export function compress(text: string, coding: ContentCoding): Promise<Buffer> {
  return COMPRESS[coding](text);
}
