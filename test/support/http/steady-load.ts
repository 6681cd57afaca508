import { setTimeout as wait } from 'node:timers/promises';
import { send, type Answer, type Request } from './http.js';
import { stopwatch } from '../processes/stopwatch.js';

export interface Timed {
  readonly answer: Answer;
  /** Duration in milliseconds, measured by `stopwatch`. */
  readonly ms: number;
  /** Start of the request, by `performance.now()`. */
  readonly begun: number;
}

/**
 * Clients that send one request after another until they are stopped, regardless of the responses.
 */
export class SteadyLoad {
  readonly answers: Timed[] = [];
  /** Errors of requests that got no response. */
  readonly failures: Error[] = [];
  /** Pause of a client after each response, in milliseconds. */
  pauseMs = 5;
  private over = false;
  private readonly clients: Promise<void>[];

  /**
   * @param next returns the request for a number that is unique in this load
   * @param heed receives each response with the number of its request
   */
  constructor(
    private readonly port: number,
    clients: number,
    private readonly next: (number: number) => Request,
    private readonly heed: (answer: Answer, number: number) => void = () => undefined,
  ) {
    this.clients = Array.from({ length: clients }, (_, client) => this.client(client, clients));
  }

  async end(): Promise<void> {
    this.over = true;
    await Promise.all(this.clients);
  }

  private async client(first: number, step: number): Promise<void> {
    for (let number = first; !this.over; number += step) {
      const begun = performance.now();
      const ms = stopwatch();
      try {
        const answer = await send(this.port, this.next(number));
        this.answers.push({ answer, ms: ms(), begun });
        this.heed(answer, number);
      } catch (error) {
        this.failures.push(error instanceof Error ? error : new Error(String(error)));
      }
      await wait(this.pauseMs);
    }
  }
}

/** Returns the number of responses by status. */
export function statusesOf(answers: readonly Timed[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { answer } of answers) counts[answer.status] = (counts[answer.status] ?? 0) + 1;
  return counts;
}
