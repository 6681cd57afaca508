import type { Request, Response } from 'express';
import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { versionOfPath } from '../versions/api-versions.js';
import {
  codingFor,
  compress,
  isWorthCoding,
  type ContentCoding,
  streamBody,
} from './content-coding.js';
import { countOf, envelopeInPieces, successEnvelope, type Answer, JsonPieces } from './envelope.js';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Represents a response that is ready to be sent. */
export abstract class SendableAnswer {
  /**
   * Sends the response.
   * @throws any error that ends the response before its end
   */
  abstract send(response: Response): void | Promise<void>;
}

/** Sets the headers of a successful answer, except its length. */
function setHeaders(response: Response, coding: ContentCoding | null, tag: string | null): void {
  if (tag !== null) response.setHeader('ETag', tag);
  response.setHeader('Vary', 'Accept-Encoding');
  if (coding !== null) response.setHeader('Content-Encoding', coding);
  response.setHeader('Content-Type', JSON_TYPE);
}

/** Holds a successful response with its final body. */
export class RenderedAnswer extends SendableAnswer {
  /**
   * Creates a response; `send` sends it.
   * @param body the envelope as JSON: a buffer if it is compressed, cached or of stored JSON; else
   *   a string, which Node sends in one write together with the headers
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
    setHeaders(response, this.coding, this.tag);
    response.setHeader('Content-Length', Buffer.byteLength(this.body));
    response.end(this.body);
  }

  tagged(tag: string): RenderedAnswer {
    return new RenderedAnswer(this.body, this.coding, tag, this.count);
  }
}

/**
 * Sends a successful response whose body is read while it is sent, so that its length is not known.
 */
export class PiecedAnswer extends SendableAnswer {
  /**
   * Creates a response; the body is read when it is sent.
   * @param body the envelope as JSON
   */
  constructor(
    private readonly body: AsyncGenerator<string | Buffer>,
    readonly coding: ContentCoding | null,
    readonly tag: string | null,
    readonly count: number,
  ) {
    super();
  }

  override async send(response: Response): Promise<void> {
    setHeaders(response, this.coding, this.tag);
    await streamBody(response, this.body, this.coding);
  }

  tagged(tag: string): PiecedAnswer {
    return new PiecedAnswer(this.body, this.coding, tag, this.count);
  }
}

export interface RenderableAnswer extends Answer {
  /** Allocates memory for a body of bytes, if the client accepts no compressed one. */
  readonly allocate?: (length: number) => Buffer;
  /**
   * May cache the response, add an ETag or replace it with a 304. It is called immediately after
   * `allocate`.
   */
  readonly onRendered?: (rendered: RenderedAnswer | PiecedAnswer) => SendableAnswer;
}

/** Renders the envelope, compressed if the client accepts it. */
async function renderAnswer(
  request: Request,
  status: number,
  answer: RenderableAnswer,
): Promise<SendableAnswer> {
  const rendered = await renderedOf(request, status, answer);
  return answer.onRendered?.(rendered) ?? rendered;
}

async function renderedOf(
  request: Request,
  status: number,
  answer: RenderableAnswer,
): Promise<RenderedAnswer | PiecedAnswer> {
  const sent = { version: versionOfPath(request.path), status };
  const { results, allocate } = answer;
  const count = countOf(answer);
  if (results instanceof JsonPieces) {
    const body = envelopeInPieces(sent, answer, results);
    return new PiecedAnswer(body, codingFor(request), null, count);
  }
  const text = successEnvelope(sent, { ...answer, results }, allocate);
  const coding = isWorthCoding(text) ? codingFor(request) : null;
  const body = coding === null ? text : await compress(text, coding);
  return new RenderedAnswer(body, coding, null, count);
}

type Handled = RenderableAnswer | SendableAnswer;
type Rendered = SendableAnswer | Promise<SendableAnswer>;

/** Wraps the result of a controller in the envelope of `meta` and `results`. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor<Handled, Rendered> {
  intercept(context: ExecutionContext, next: CallHandler<Handled>): Observable<Rendered> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    // Nest awaits a promise in an Observable at less cost than an RxJS operator does.
    const render = (answer: Handled): Rendered =>
      answer instanceof SendableAnswer
        ? answer
        : renderAnswer(request, response.statusCode, answer);
    return next.handle().pipe(map(render));
  }
}

export interface SentFile {
  /** Name of the file, such as `transactions-2025-06-01-to-2025-06-30.csv`. */
  readonly name: string;
  readonly type: string;
  /** False if compression would save nothing. */
  readonly isCompressible: boolean;
  readonly chunks: AsyncIterable<string | Uint8Array>;
  /** Cuts the file off when it aborts. */
  readonly expired?: AbortSignal;
  /** Number of its records; absent if it is not known yet. */
  readonly count?: number;
}

/** Sends a file that exists only while it is sent. */
export class FileAnswer extends SendableAnswer {
  /** @param withFile calls `send` once with the file, which exists until `send` has ended */
  constructor(readonly withFile: (send: (file: SentFile) => Promise<void>) => Promise<void>) {
    super();
  }

  override send(response: Response): Promise<void> {
    return this.withFile((file) => sendFile(response.req, response, file));
  }
}

/**
 * Sends a file as fast as the client reads. If the chunks fail or expire, the connection is closed
 * before the end of the body. A client that disconnects causes no error.
 * @throws the error of the chunks; AbortError if they expired
 */
export async function sendFile(
  request: Request,
  response: Response,
  { name, type, isCompressible, chunks, expired }: SentFile,
): Promise<void> {
  const coding = isCompressible ? codingFor(request, ['gzip']) : null;
  response.attachment(name).set('Content-Type', type);
  if (isCompressible) response.vary('Accept-Encoding');
  if (coding !== null) response.set('Content-Encoding', coding);
  await streamBody(response, chunks, coding, expired);
}
