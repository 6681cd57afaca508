import type { ListedTransaction } from '../../../ledger/reads/rendered-transaction.model.js';

/** Maximum memory for the names of one vendor's affiliates, in bytes. */
const MAX_BYTES = 1_048_576;
const BYTES_OF_A_NAME = 100;
/**
 * Number of successive pages without a new name after which pages are read without names. A page
 * that turns out to need another name is read again.
 */
const SURE_PAGES = 3;

/** Describes a transaction of a list without its affiliate's name. */
export type UnnamedTransaction = Omit<ListedTransaction, 'affiliate_display_name'> & {
  readonly affiliate_id: number | null;
};

/**
 * Collects the display names of affiliates as one vendor sees them, at one revision of the ledger.
 * Each change of a name that the ledger shows has a new revision.
 */
export class ShownNames {
  private readonly names = new Map<number, string | null>();
  private pagesWithoutNew = 0;
  /** Approximate memory in use, in bytes. */
  bytes = 0;

  constructor(private readonly revision: number) {}

  /** True if the next page probably needs no other names. */
  get areKnown(): boolean {
    return this.pagesWithoutNew >= SURE_PAGES;
  }

  /** Adds the names of a page. */
  note(rows: readonly (UnnamedTransaction & ListedTransaction)[]): void {
    if (rows[0]?.revision !== this.revision) return;
    this.pagesWithoutNew += 1;
    for (const { affiliate_id, affiliate_display_name } of rows) {
      if (affiliate_id === null || this.names.has(affiliate_id)) continue;
      this.pagesWithoutNew = 0;
      if (this.bytes >= MAX_BYTES) return;
      this.names.set(affiliate_id, affiliate_display_name);
      this.bytes += BYTES_OF_A_NAME + 2 * (affiliate_display_name?.length ?? 0);
    }
  }

  /**
   * Adds the names to rows of a page.
   * @returns null if a name is unknown, or the rows have another revision
   */
  named(rows: readonly UnnamedTransaction[]): ListedTransaction[] | null {
    if (rows[0]?.revision !== this.revision) return null;
    const named: ListedTransaction[] = [];
    for (const { revision, arrival, rendered, affiliate_id } of rows) {
      const name = affiliate_id === null ? null : this.names.get(affiliate_id);
      if (name === undefined) {
        this.pagesWithoutNew = 0;
        return null;
      }
      named.push({ revision, arrival, rendered, affiliate_display_name: name });
    }
    return named;
  }
}
