import { setTimeout as wait } from 'node:timers/promises';
import type { TestService } from '../servers/service.js';
import { basic, type Answer, type Request } from './http.js';

/** Sends a notification, and repeats it after Retry-After if it exceeds the rate limit. */
export async function notify(service: TestService, request: Request): Promise<Answer> {
  for (;;) {
    const answer = await service.send({ method: 'POST', ...request });
    if (answer.status !== 429) return answer;
    await wait(Number(answer.headers['retry-after']) * 1_000);
  }
}

/** Sends a notification with these fields as JSON. */
export function notifyOf(service: TestService, path: string, fields: object): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' };
  return notify(service, { path, headers, body: JSON.stringify(fields) });
}

/** Returns headers with every kind of Authorization, each with a description. */
export function authorizations(key: string): readonly (readonly [string, Request['headers']])[] {
  return [
    ['a wrong key', basic('wrong')],
    ['a right key', basic(key)],
    ['a right key with a wrong password', basic(key, 'y')],
    ['two keys', { Authorization: [basic(key).Authorization, basic('b').Authorization] }],
    ['another scheme', { Authorization: 'Bearer a' }],
    ['an empty one', { Authorization: '' }],
  ];
}
