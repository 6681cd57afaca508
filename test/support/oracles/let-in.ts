import { expect } from '@jest/globals';
import type { Answer } from '../http/http.js';
import { until } from '../servers/running-service.js';

const SECOND = 1_000;

/** A rejected request. Times are those of `performance.now()`. */
interface Refusal {
  readonly sent: number;
  readonly told: number;
  readonly seconds: number;
}

/**
 * Repeats a request until it is no longer rejected. Expects a request to succeed after the time in
 * Retry-After, and Retry-After not to exceed the rest of the window, in whole seconds.
 * @param windowMs duration of the limit's window; the limit is used up
 * @param begunBy the latest time at which the window began, by `performance.now()`
 * @returns the response to the request that succeeded
 */
export async function letIn(
  ask: () => Promise<Answer>,
  windowMs: number,
  begunBy: number,
): Promise<Answer> {
  const refusals: Refusal[] = [];
  let answer: Answer | undefined;
  await until('an answer that is no refusal', async () => {
    const sent = performance.now();
    answer = await ask();
    if (answer.status !== 429) return true;
    const seconds = Number(answer.headers['retry-after']);
    expect(seconds).toBeLessThanOrEqual(Math.ceil((windowMs - (sent - begunBy)) / SECOND));
    const isLate = refusals.some((earlier) => sent >= earlier.told + earlier.seconds * SECOND);
    expect(isLate).toBe(false);
    refusals.push({ sent, told: performance.now(), seconds });
    return false;
  });
  if (answer === undefined) throw new Error('nobody was answered');
  return answer;
}
