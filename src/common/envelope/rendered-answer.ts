import type { Request, Response } from 'express';
import { versionOfPath } from '../api-versions.js';
import { codingFor, compress, isWorthCoding, type ContentCoding } from './content-coding.js';
import { successEnvelope, type Answer } from './envelope.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer that is ready to be sent. */
export abstract class SendableAnswer {
  abstract send(response: Response): void;
}

/** A success, as bytes. */
export class RenderedAnswer extends SendableAnswer {
  /**
   * @param body the envelope as JSON, in bytes where there is a coding; text goes out in one write
   *   together with the headers
   * @param tag the value of ETag, or null where nothing names what the answer tells
   */
  constructor(
    readonly body: string | Buffer,
    readonly coding: ContentCoding | null,
    readonly tag: string | null,
  ) {
    super();
  }

  override send(response: Response): void {
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

/** An answer that may be named, kept or replaced once its bytes are known. */
export interface RenderableAnswer extends Answer {
  readonly onRendered?: (rendered: RenderedAnswer) => SendableAnswer;
}

/** Puts an answer into its envelope, compressed if the caller wants it so. */
export async function renderAnswer(
  request: Request,
  answer: RenderableAnswer,
): Promise<SendableAnswer> {
  const text = successEnvelope(versionOfPath(request.path), answer);
  const coding = isWorthCoding(text) ? codingFor(request) : null;
  const body = coding === null ? text : await compress(text, coding);
  const rendered = new RenderedAnswer(body, coding, null);
  return answer.onRendered?.(rendered) ?? rendered;
}
