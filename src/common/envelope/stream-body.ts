import type { ServerResponse } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../errors/is-error.js';

/** Describes a body that is read while it is sent. */
export interface StreamedBody {
  readonly chunks: AsyncIterable<string | Uint8Array>;
  /** Compresses the body; null to send it unchanged. */
  readonly coder: Transform | null;
  /** Cuts the body off when it aborts. */
  readonly cutOff?: AbortSignal;
}

/**
 * Sends a body as fast as the client reads. If the chunks fail or are cut off, the connection is
 * closed before the end of the body. A client that disconnects causes no error.
 * @throws the error of the chunks; AbortError if they were cut off
 */
export async function streamBody(
  response: ServerResponse,
  { chunks, coder, cutOff }: StreamedBody,
): Promise<void> {
  const source = Readable.from(chunks, { objectMode: false });
  const options = cutOff === undefined ? {} : { signal: cutOff };
  try {
    if (coder === null) await pipeline(source, response, options);
    else await pipeline(source, coder, response, options);
  } catch (error) {
    response.destroy();
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
