import { expect } from '@jest/globals';
import { basic } from './http.js';
import { resultsOf } from './results.js';
import type { TestService } from '../servers/service.js';

/** Returns the ids of one call of a feed, from its start or after a transaction. */
export async function idsAfter(
  service: TestService,
  feed: string,
  key: string,
  paykey?: string,
): Promise<string[]> {
  const path = paykey === undefined ? feed : `${feed}/${encodeURIComponent(paykey)}`;
  const results = await resultsOf(service, path, key);
  return results.map(({ transaction_id }) => String(transaction_id));
}

/**
 * Expects a feed to respond to an unknown paykey as it does without one, and to report that with a
 * header, by GET and by HEAD. See docs/api.md#versions-21-and-20.
 * @param paykey the paykey as it is written in the path
 */
export async function expectUnknownPaykey(
  service: TestService,
  feed: string,
  key: string,
  paykey: string,
): Promise<void> {
  const path = `${feed}/${paykey}`;
  const [whole, answer] = [await service.get(feed, key), await service.get(path, key)];
  expect(answer).toMatchObject({ status: 200, text: whole.text });
  expect(answer.headers['x-paykey']).toBe('unknown');
  expect(whole.headers).not.toHaveProperty('x-paykey');
  const head = await service.send({ method: 'HEAD', path, headers: basic(key) });
  expect(head).toMatchObject({ status: 200, text: '' });
  expect({ ...head.headers, date: '', 'x-request-id': '' }).toEqual({
    ...answer.headers,
    date: '',
    'x-request-id': '',
  });
}

/**
 * Reads a feed as a client does: each call continues after the last transaction of the previous
 * one.
 * @returns the ids of each call; the last call returned none
 */
export async function walk(
  service: TestService,
  feed: string,
  key: string,
  from?: string,
): Promise<string[][]> {
  const calls: string[][] = [];
  const seen = new Set<string>();
  let after = from;
  for (;;) {
    const ids = await idsAfter(service, feed, key, after);
    calls.push(ids);
    after = ids.at(-1);
    if (after === undefined) return calls;
    expect(ids.length).toBeLessThanOrEqual(100);
    // A feed that repeats transactions would never end.
    expect(seen).not.toContain(after);
    seen.add(after);
  }
}
