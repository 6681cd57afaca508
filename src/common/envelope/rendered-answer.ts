import type { Request, Response } from 'express';
import { versionOfPath } from '../api-versions.js';
import { codingFor, compress, isWorthCoding, type ContentCoding } from './content-coding.js';
import { successEnvelope, type Answer } from './envelope.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A success, ready to be sent. */
export class RenderedAnswer {
  /**
   * @param body the envelope as JSON, in bytes where there is a coding; text goes out in one write
   *   together with the headers
   * @param tag the value of ETag, or null where nothing names what the answer tells
   */
  constructor(
    readonly body: string | Buffer,
    readonly coding: ContentCoding | null,
    readonly tag: string | null,
  ) {}

  send(response: Response): void {
    if (response.statusCode === 204) {
      // HTTP allows no body there; what there is to tell is in the headers.
      response.end();
      return;
    }
    if (this.tag !== null) response.setHeader('ETag', this.tag);
    response.setHeader('Vary', 'Accept-Encoding');
    if (this.coding !== null) response.setHeader('Content-Encoding', this.coding);
    response.setHeader('Content-Type', JSON_TYPE);
    response.setHeader('Content-Length', Buffer.byteLength(this.body));
    response.end(this.body);
  }
}

/** Tells a caller that what it holds is what would be sent (RFC 9110, 15.4.5). */
export class NotModified {
  constructor(private readonly tag: string) {}

  send(response: Response): void {
    response.statusCode = 304;
    response.setHeader('ETag', this.tag);
    response.setHeader('Vary', 'Accept-Encoding');
    response.end();
  }
}

/**
 * Puts an answer into its envelope, compressed if the caller wants it so.
 * @param tagFor the value of ETag for that coding
 */
export async function renderAnswer(
  request: Request,
  answer: Answer,
  tagFor: (coding: ContentCoding | null) => string | null = () => null,
): Promise<RenderedAnswer> {
  const text = successEnvelope(versionOfPath(request.path), answer);
  const coding = isWorthCoding(text) ? codingFor(request) : null;
  const body = coding === null ? text : await compress(text, coding);
  return new RenderedAnswer(body, coding, tagFor(coding));
}
