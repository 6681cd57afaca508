import type { Request, Response } from 'express';
import { hash } from 'node:crypto';
import {
  codingFor,
  compress,
  isWorthCoding,
  type ContentCoding,
} from '../../common/envelope/content-coding.js';

const HASH_LENGTH = 16;

/** Text that is the same for everybody, as long as the code is the same. */
export class PublicFile {
  /** Names the text: another text has another. */
  readonly hash: string;
  /** The same for every answer: many that are not read take no more memory than one. */
  private readonly bytes: Buffer;
  private readonly coded = new Map<ContentCoding, Promise<Buffer>>();

  /**
   * @param type the media type, without its charset
   * @param headers beside those of every file
   */
  constructor(
    private readonly text: string,
    private readonly type: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {
    this.bytes = Buffer.from(text);
    this.hash = hash('sha256', text, 'hex').slice(0, HASH_LENGTH);
  }

  /** Answers GET and HEAD, and with 304 who has it already. */
  async send(request: Request, response: Response): Promise<void> {
    const coding = isWorthCoding(this.text) ? codingFor(request) : null;
    const body = coding === null ? this.bytes : await this.inCoding(coding);
    response.set(this.headers);
    response.setHeader('Content-Type', `${this.type}; charset=utf-8`);
    response.setHeader('ETag', `"${this.hash}${coding === null ? '' : `-${coding}`}"`);
    response.setHeader('Vary', 'Accept-Encoding');
    if (coding !== null) response.setHeader('Content-Encoding', coding);
    // Express itself heeds If-None-Match, and HEAD.
    response.send(body);
  }

  /** Compressed once, when the first asks for it. */
  private inCoding(coding: ContentCoding): Promise<Buffer> {
    const known = this.coded.get(coding) ?? compress(this.text, coding);
    this.coded.set(coding, known);
    return known;
  }
}
