import type { Request, Response } from 'express';
import { coderFor, codingFor, streamBody } from './content-coding.js';
import { SendableAnswer } from './rendered-answer.js';

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
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  await streamBody(response, {
    chunks,
    coder: coding === null ? null : coderFor(coding),
    ...(expired === undefined ? {} : { cutOff: expired }),
  });
}
