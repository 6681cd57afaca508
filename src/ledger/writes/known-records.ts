import type { LockedLedgers } from '../revisions/ledger-change.model.js';

/** Lists what an import remembers of the affiliates of a vendor. */
const KINDS = [
  /** Affiliates whom the feed of changes has shown. */
  'fed',
  /** Affiliates whom records of the operator have given to the vendor. */
  'given',
  /** Affiliates with a product that they have sold, as `affiliate/product`. */
  'seller',
] as const;
type Kind = (typeof KINDS)[number];

/**
 * Maximum number of remembered entries. Each takes about 100 bytes. An import with more looks them
 * up again.
 */
const MAX_ENTRIES = 200_000;

/**
 * Remembers what earlier batches of an import have found or written, so that later batches need not
 * look it up. It trusts an entry as long as no other writer has raised the revision of the vendor's
 * ledger, since everything that removes one of these rows raises it.
 */
export class KnownRecords {
  private entries = 0;
  private readonly vendors = new Map<number, Record<Kind, Set<string>>>();
  /** The revisions at the end of the last step. */
  private readonly revisions = new Map<number, number>();

  /** Forgets the vendors whose ledgers others have changed since the last step. */
  check(ledgers: LockedLedgers): void {
    for (const [vendor_id, { revision }] of ledgers) {
      if (this.revisions.get(vendor_id) !== revision) this.forget(vendor_id);
    }
  }

  /** Trusts the entries of these vendors in later steps, while the revisions stay the same. */
  trust(ledgers: LockedLedgers): void {
    for (const [vendor_id, { revision }] of ledgers) this.revisions.set(vendor_id, revision);
    if (this.entries > MAX_ENTRIES) this.clear();
  }

  has(kind: Kind, vendor_id: number, key: string): boolean {
    return this.vendors.get(vendor_id)?.[kind].has(key) === true;
  }

  add(kind: Kind, vendor_id: number, key: string): void {
    let known = this.vendors.get(vendor_id);
    if (known === undefined) {
      known = { fed: new Set(), given: new Set(), seller: new Set() };
      this.vendors.set(vendor_id, known);
    }
    known[kind].add(key);
    this.entries += 1;
  }

  /** Forgets the products that affiliates of a vendor have sold, because a sale was replaced. */
  forgetSellers(vendor_id: number): void {
    this.vendors.get(vendor_id)?.seller.clear();
  }

  /** Forgets everything, because a step was rolled back. */
  clear(): void {
    this.vendors.clear();
    this.revisions.clear();
    this.entries = 0;
  }

  private forget(vendor_id: number): void {
    this.vendors.delete(vendor_id);
    this.revisions.delete(vendor_id);
  }
}
