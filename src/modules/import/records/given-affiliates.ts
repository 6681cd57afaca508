import type { SeenUsersService } from '../../accounts/seen/seen-users.service.js';
import type { TransactionWritesService } from '../../transactions/writes/transaction-writes.service.js';
import type { BatchRun } from '../batch-run.js';

/** Describes a record of a product that may name an affiliate. */
interface NamingRecord {
  readonly product_id: number;
  readonly affiliate_id: number | null;
}

/**
 * Notes that an accepted record of the operator shows an affiliate to the vendor of its product.
 * The records of a vendor's own source show nobody. See
 * docs/records.md#what-vendors-see-of-affiliates.
 */
export function noteGivenAffiliate(
  { product_id, affiliate_id }: NamingRecord,
  { onlyVendor, products, givenAffiliates }: BatchRun,
): void {
  const vendor_id = products.get(product_id)?.vendor_id;
  if (onlyVendor !== null || affiliate_id === null || vendor_id === undefined) return;
  givenAffiliates.set(`${vendor_id}/${affiliate_id}`, { vendor_id, affiliate_id });
}

/** Shows vendors the operator's data of the affiliates that records of the operator name. */
export class GivenAffiliates {
  constructor(
    private readonly seen: SeenUsersService,
    private readonly transactions: TransactionWritesService,
  ) {}

  /**
   * Runs before the records are saved, so that an affiliate counts as changed for a vendor only if
   * the vendor's ledger showed the affiliate before.
   */
  async save({ session, givenAffiliates }: BatchRun): Promise<void> {
    if (givenAffiliates.size === 0) return;
    const fresh = await this.seen.give(session, [...givenAffiliates.values()]);
    givenAffiliates.clear();
    await this.transactions.recordSeen(session, fresh);
  }
}
