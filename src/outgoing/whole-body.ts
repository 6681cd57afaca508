import type { ClientRequest, IncomingMessage } from 'node:http';
import { OutgoingError } from './outgoing-error.js';

interface Limits {
  readonly bodyMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * The body of an answer.
 * @throws OutgoingError if it is too long, takes too long, ends early, or nobody waits any more
 */
export async function readWhole(
  sent: ClientRequest,
  response: IncomingMessage,
  { bodyMs, maxBytes, signal }: Limits,
): Promise<Buffer> {
  const refuse = (problem: string) => sent.destroy(new OutgoingError(problem));
  const stop = () => refuse('the service stops');
  const timer = setTimeout(() => {
    refuse(`the answer did not end within ${Math.round(bodyMs / 1_000)} s`);
  }, bodyMs);
  signal.addEventListener('abort', stop, { once: true });
  // An error of the response is that of the request, or that it ended early.
  let refusal: Error | null = null;
  sent.on('error', (error) => {
    refusal = error;
  });
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw new OutgoingError('the answer is too long');
      chunks.push(chunk);
    }
    if (!response.complete) throw new OutgoingError('the answer ended early');
    return Buffer.concat(chunks, length);
  } catch (error) {
    sent.destroy();
    if (error instanceof OutgoingError) throw error;
    throw isOutgoing(refusal) ? refusal : new OutgoingError('the answer ended early');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

function isOutgoing(error: Error | null): error is OutgoingError {
  return error instanceof OutgoingError;
}
