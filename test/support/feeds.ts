import { expect } from '@jest/globals';
import { resultsOf } from './results.js';
import type { TestService } from './service.js';

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
