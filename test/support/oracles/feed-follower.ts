import { expect } from '@jest/globals';
import { envelopeOf } from '../http/http.js';
import type { TestService } from '../servers/service.js';
import { byTransactionId } from './ledger-copy.js';

export type Shown = Readonly<Record<string, unknown>>;
interface Change {
  readonly sequence: number;
  readonly kind: string;
  readonly [content: string]: unknown;
}

/**
 * Keeps the latest state of each record in the feed of changes, as a client that copies a ledger
 * does.
 */
export class FeedFollower {
  private readonly things = new Map<string, Map<string, Shown>>();
  private cursor = '0';
  private last = 0;

  constructor(
    private readonly key: string,
    private readonly limit: number,
  ) {}

  /**
   * Reads one page of the feed. A response with Retry-After changes nothing.
   * @returns whether there is more to read
   */
  async step(service: TestService): Promise<boolean> {
    const path = `/ledger/v1/changes?after=${this.cursor}&limit=${this.limit}`;
    const answer = await service.get(path, this.key);
    if (answer.headers['retry-after'] !== undefined) return true;
    expect(answer.status).toBe(200);
    const { meta, results } = envelopeOf(answer);
    const { cursor, has_more } = meta as unknown as { cursor: string; has_more: boolean };
    for (const change of results as unknown as Change[]) {
      expect(change.sequence).toBeGreaterThan(this.last);
      this.last = change.sequence;
      const content = change[change.kind] as Shown;
      if (change.kind === 'removed') this.remove(content);
      const known = this.things.get(change.kind) ?? new Map<string, Shown>();
      this.things.set(change.kind, known.set(keyOf(change.kind, content), content));
    }
    this.cursor = cursor;
    return has_more;
  }

  private remove({ removed_kind, key }: Shown): void {
    const kind = String(removed_kind);
    const [affiliate_id, product_id] = String(key).split('/');
    const name =
      kind === 'relationship' ? relationshipPath({ affiliate_id, product_id }) : String(key);
    this.things.get(kind)?.delete(name);
  }

  of(kind: string): ReadonlyMap<string, Shown> {
    return this.things.get(kind) ?? new Map();
  }

  /** Returns the transactions as lines, with the current names of the affiliates. */
  transactions(): string[] {
    const shown = [...this.of('transaction').values()].map((one) => {
      const affiliate = one.affiliate as { readonly id: number } | null;
      if (affiliate === null) return one;
      return { ...one, affiliate: this.of('affiliate').get(String(affiliate.id)) };
    });
    return byTransactionId(shown.map((one) => JSON.stringify(one)).join('\n'));
  }

  /**
   * Compares the transactions with an export at the same cursor.
   * @returns false if the ledger has changed since
   */
  async isExport(service: TestService): Promise<boolean> {
    const { text, headers } = await service.get('/ledger/v1/transactions.ndjson', this.key);
    if (headers['x-ledger-cursor'] !== this.cursor) return false;
    expect(this.transactions()).toEqual(byTransactionId(text));
    return true;
  }
}

function keyOf(kind: string, content: Shown): string {
  if (kind === 'relationship') return relationshipPath(content);
  return String(content.transaction_id ?? content.preKey ?? content.product_id ?? content.id);
}

function relationshipPath({ affiliate_id, product_id }: Shown): string {
  return `/v2.1/affiliates/${Number(affiliate_id)}/products/${Number(product_id)}`;
}
