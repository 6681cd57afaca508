import { expect } from '@jest/globals';
import { basic } from './http.js';
import { resultsOf } from './results.js';
import type { TestService } from '../servers/service.js';

/** The ids of one call of a feed, from its beginning or after a transaction. */
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
 * Expects a feed to answer a paykey that it does not have as it answers without one, and to say so
 * (decisions: Latest feeds), by GET and by HEAD.
 * @param paykey as it stands in the address
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
 * Walks a feed as a client does, each call from the last transaction of the one before.
 * @returns the ids of each call, the last of which answered none
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
    // A feed that goes round in a circle would never end.
    expect(seen).not.toContain(after);
    seen.add(after);
  }
}
