import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, Request } from './http.js';
import { send } from './http.js';
import { stopwatch } from '../processes/stopwatch.js';

export interface Timed {
  readonly answer: Answer;
  /** As a stopwatch tells it. */
  readonly ms: number;
  /** By `performance.now()`. */
  readonly begun: number;
}

/** Clients that ask one after another until told to stop, whatever they are answered. */
export class SteadyLoad {
  readonly answers: Timed[] = [];
  /** Requests that were not answered at all. */
  readonly failures: Error[] = [];
  /** Milliseconds that a client rests after each answer. */
  pauseMs = 5;
  private over = false;
  private readonly clients: Promise<void>[];

  /** @param next what a client asks, given a number that no other request of the load has */
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

/** How often each status was answered. */
export function statusesOf(answers: readonly Timed[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { answer } of answers) counts[answer.status] = (counts[answer.status] ?? 0) + 1;
  return counts;
}
