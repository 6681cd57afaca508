import type { ClientRequest, IncomingMessage } from 'node:http';
import { OutgoingError } from './outgoing-error.js';

interface Limits {
  /** Time limit from the head of the answer to its end. */
  readonly bodyMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Reads the body of an answer within limits. */
export class AnswerBody {
  /** Reason why reading stopped before the end of the body; null if it did not. */
  private refusal: OutgoingError | null = null;
  private readonly timer: NodeJS.Timeout;
  private readonly stop = () => {
    this.refuse('the service stops');
  };

  constructor(
    private readonly sent: ClientRequest,
    private readonly response: IncomingMessage,
    private readonly limits: Limits,
  ) {
    const { bodyMs, signal } = limits;
    this.timer = setTimeout(() => {
      this.refuse(`the answer did not end within ${Math.round(bodyMs / 1_000)} s`);
    }, bodyMs);
    signal.addEventListener('abort', this.stop, { once: true });
    if (signal.aborted) this.stop();
    // The response fails as well, but reports only that it ended early.
    sent.on('error', () => undefined);
    response.on('error', () => undefined);
  }

  /** Stops reading. */
  refuse(problem: string): void {
    this.refusal ??= new OutgoingError(problem);
    this.sent.destroy();
  }

  /**
   * Yields the bytes of the body as they arrive.
   * @param onBytes called with the number of bytes, before they are yielded
   * @throws OutgoingError if the body is too long, takes too long, ends early, or the service stops
   */
  async *bytes(onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
    const { maxBytes } = this.limits;
    let length = 0;
    try {
      for await (const chunk of this.response as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > maxBytes) this.refuse('the answer is too long');
        else onBytes(chunk.length);
        if (this.refusal !== null) break;
        yield chunk;
      }
    } catch {
      this.refuse('the answer ended early');
    }
    if (!this.response.complete) this.refuse('the answer ended early');
    if (this.refusal !== null) throw this.refusal;
  }

  /** Keeps the connection for further calls if the whole answer has arrived. */
  end(): void {
    clearTimeout(this.timer);
    this.limits.signal.removeEventListener('abort', this.stop);
    if (this.response.complete) this.response.resume();
    else this.sent.destroy();
  }
}
