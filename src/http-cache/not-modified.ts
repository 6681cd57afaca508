import type { Response } from 'express';
import { SendableAnswer } from '../common/envelope/rendered-answer.js';

/** Sends a 304 response (RFC 9110, 15.4.5). */
export class NotModified extends SendableAnswer {
  constructor(private readonly tag: string) {
    super();
  }

  override send(response: Response): void {
    response.statusCode = 304;
    response.setHeader('ETag', this.tag);
    response.setHeader('Vary', 'Accept-Encoding');
    response.end();
  }
}
