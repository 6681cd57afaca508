import { expect } from '@jest/globals';
import type { Answer } from '../http/http.js';
import { until } from '../servers/running-service.js';

const SECOND = 1_000;

/** A request that was refused, by `performance.now()`. */
interface Refusal {
  readonly sent: number;
  readonly told: number;
  readonly seconds: number;
}

/**
 * Asks again and again until it is no longer refused. Whoever waits as long as Retry-After says is let
 * in, and Retry-After says no more than what is left of the window, in whole seconds.
 * @param windowMs of the limit, which is used up
 * @param begunBy when the window had begun at the latest, by `performance.now()`
 * @returns the answer to the request that was let in
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
