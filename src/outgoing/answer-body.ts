import type { ClientRequest, IncomingMessage } from 'node:http';
import { OutgoingError } from './outgoing-error.js';

interface Limits {
  /** The time limit from the head of the answer to its end. */
  readonly bodyMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** The body of an answer, within limits. */
export class AnswerBody {
  /** Why its reading ended before its end. */
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
    // The response fails, too: there it says only that it ended early.
    sent.on('error', () => undefined);
    response.on('error', () => undefined);
  }

  /** Ends its reading. */
  refuse(problem: string): void {
    this.refusal ??= new OutgoingError(problem);
    this.sent.destroy();
  }

  /**
   * Its bytes as they come.
   * @param onBytes called with the number of bytes, before they are given out
   * @throws OutgoingError if it is too long, takes too long, ends early, or nobody waits any more
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

  /** Keeps the connection if the answer has ended. */
  end(): void {
    clearTimeout(this.timer);
    this.limits.signal.removeEventListener('abort', this.stop);
    if (this.response.complete) this.response.resume();
    else this.sent.destroy();
  }
}
