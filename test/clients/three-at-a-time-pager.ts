import { setTimeout as wait } from 'node:timers/promises';
import { basic, envelopeOf, send, type Answer } from '../support/http/http.js';

const CALLS = 3;
const TRIES = 3;
const PAUSE_MS = 400;

/** The result of a walk. The walk silently ends at a page that it gives up. */
export interface Walk {
  readonly transactionIds: readonly string[];
  readonly pages: number;
  readonly refused: number;
}

/**
 * Reads a whole list of API 3.0 as real clients do: with three open calls, up to two retries after
 * 400 ms for an answer other than 200, and without transactions that it already has.
 * @param path the path of the list with its parameters, but without the page
 */
export async function walkThreeAtATime(
  port: number,
  key: string,
  path: string,
  pages: number,
): Promise<Walk> {
  const found = new Set<string>();
  let [next, read, refused] = [0, 0, 0];
  const ask = async (page: number): Promise<Answer | null> => {
    for (let tried = 0; tried < TRIES; tried += 1) {
      if (tried > 0) await wait(PAUSE_MS);
      const answer = await send(port, { path: `${path}&page_index=${page}`, headers: basic(key) });
      if (answer.status === 200) return answer;
      refused += 1;
    }
    return null;
  };
  const call = async (): Promise<void> => {
    while (next < pages) {
      next += 1;
      const answer = await ask(next - 1);
      if (answer === null) {
        next = pages;
        return;
      }
      read += 1;
      for (const { transaction_id } of envelopeOf(answer).results)
        found.add(String(transaction_id));
    }
  };
  await Promise.all(Array.from({ length: CALLS }, call));
  return { transactionIds: [...found], pages: read, refused };
}
