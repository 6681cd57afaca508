import type { WalkedTransactions } from '../../transactions/list/transaction-walk.model.js';
import { RenderedResults } from '../../transactions/rendered/rendered-results.model.js';

/** Yields the objects of API 3.0, one on each line. */
export async function* ndjsonOf(walk: WalkedTransactions): AsyncGenerator<Uint8Array> {
  for await (const batch of walk.listed()) yield RenderedResults.linesOf(batch);
}
