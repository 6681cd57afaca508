import type { Request, Response } from 'express';
import { versionOfPath } from '../api-versions.js';
import { codingFor, compress, isWorthCoding, type ContentCoding } from './content-coding.js';
import { countOf, successEnvelope, type Answer } from './envelope.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A response that is ready to be sent. */
export abstract class SendableAnswer {
  abstract send(response: Response): void;
}

/** A response that was sent while it was made. */
export class SentAnswer extends SendableAnswer {
  override send(): void {
    // There is nothing left to send.
  }
}

/** A successful response with its final body. */
export class RenderedAnswer extends SendableAnswer {
  /**
   * @param body the envelope as JSON: a buffer if it is compressed, cached or of stored JSON; else a
   *   string, which Node sends in one write together with the headers
   * @param tag the value of ETag; null for none
   * @param count the number of results
   */
  constructor(
    readonly body: string | Buffer,
    readonly coding: ContentCoding | null,
    readonly tag: string | null,
    readonly count: number,
  ) {
    super();
  }

  override send(response: Response): void {
    if (response.statusCode === 204) {
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

export interface RenderableAnswer extends Answer {
  /** Memory for a body of bytes, for a client that accepts no compressed one. */
  readonly allocate?: (length: number) => Buffer;
  /** May cache the response, add an ETag or replace it with a 304. Called at once after `allocate`. */
  readonly onRendered?: (rendered: RenderedAnswer) => SendableAnswer;
}

/** Renders the envelope, compressed if the client accepts it. */
export async function renderAnswer(
  request: Request,
  answer: RenderableAnswer,
): Promise<SendableAnswer> {
  const text = successEnvelope(versionOfPath(request.path), answer, answer.allocate);
  const coding = isWorthCoding(text) ? codingFor(request) : null;
  const body = coding === null ? text : await compress(text, coding);
  const rendered = new RenderedAnswer(body, coding, null, countOf(answer));
  return answer.onRendered?.(rendered) ?? rendered;
}
