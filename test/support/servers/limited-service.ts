import type { Answer } from '../http/http.js';
import { user } from '../builders/ledger-records.js';
import { TestService } from './service.js';

/** Starts a service with two users and these settings, and creates a key for the first user. */
export async function limitedService(
  environment: Record<string, string>,
): Promise<{ service: TestService; key: string }> {
  const service = await TestService.start(environment);
  await service.import([user(1), user(2)]);
  return { service, key: await service.key(1) };
}

/** Sends this many requests at the same time. */
export function many(count: number, ask: (index: number) => Promise<Answer>): Promise<Answer>[] {
  return Array.from({ length: count }, (_, index) => ask(index));
}

export async function countOf(
  answers: readonly Promise<Answer>[],
  status: number,
): Promise<number> {
  return (await Promise.all(answers)).filter((answer) => answer.status === status).length;
}
