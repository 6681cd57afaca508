import type { VendorAffiliate } from '../../../ledger/reads/seen-user.model.js';
import type { BatchRun, References } from '../batches/batch-run.js';
import type { LineOfVendor, Permission } from '../batches/typed-batch.js';
import type { RecordServices } from './record-services.js';

interface Relationship {
  readonly affiliate_id: number;
  readonly product_id: number;
}

/** Returns what applies to all records of an affiliate and a product. */
export function ofRelationship(services: RecordServices) {
  return {
    addReferences: addRelationship,
    problem: missingRelationship,
    forVendor: ofOwnProduct,
    accepted: noteGivenAffiliate,
    prepare: async (run: BatchRun) => {
      await giveAffiliates(run, services);
    },
  };
}

function addRelationship(record: Relationship, references: References): void {
  references.users.add(record.affiliate_id);
  references.products.add(record.product_id);
}

/**
 * Returns the reason why a record cannot refer to its affiliate or product at that line, or null.
 */
function missingRelationship(
  { affiliate_id, product_id }: Relationship,
  line: number,
  run: BatchRun,
): string | null {
  const missing = missingUser('affiliate_id', affiliate_id, line, run);
  return missing ?? missingProduct(product_id, line, run);
}

/** Returns the reason why a record cannot refer to a user at that line, or null. */
export function missingUser(
  field: 'vendor_id' | 'affiliate_id',
  id: number,
  line: number,
  run: BatchRun,
): string | null {
  return run.hasUser(id, line) ? null : `${field}: there is no user ${id}`;
}

/**
 * Returns the reason why a sale cannot refer to its affiliate at that line, or null. If a source
 * may create no more users, the sale is stored with the id alone.
 */
export function missingAffiliate(id: number, line: number, run: BatchRun): string | null {
  return run.createdUsers?.isFull === true ? null : missingUser('affiliate_id', id, line, run);
}

/** Returns the reason why a record cannot refer to a product at that line, or null. */
export function missingProduct(product_id: number, line: number, run: BatchRun): string | null {
  return run.vendorOf(product_id, line) === null
    ? `product_id: there is no product ${product_id}`
    : null;
}

/** Permits a record only if its product belongs to the vendor of the source. */
export function ofOwnProduct<Content extends { readonly product_id: number }>(
  content: Content,
  { line, vendor_id }: LineOfVendor,
  run: BatchRun,
): Permission<Content> {
  const { product_id } = content;
  return run.vendorOf(product_id, line) === vendor_id
    ? { apply: content }
    : { reject: `product_id: product ${product_id} is another vendor's` };
}

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

/**
 * Shows vendors the operator's data of the affiliates that records of the operator name. This runs
 * before the records are saved, so that an affiliate counts as changed for a vendor only if the
 * vendor's ledger showed the affiliate before.
 * @returns true if ledgers have changed by it
 */
export async function giveAffiliates(
  { session, givenAffiliates, step }: BatchRun,
  { seen, transactions }: RecordServices,
): Promise<boolean> {
  // An entry is only reliable while the step has locked the ledger of its vendor.
  const isKnown = ({ vendor_id, affiliate_id }: VendorAffiliate) =>
    step?.lockedVendors.has(vendor_id) === true &&
    step.known.has('given', vendor_id, String(affiliate_id));
  const given = [...givenAffiliates.values()].filter((affiliate) => !isKnown(affiliate));
  givenAffiliates.clear();
  if (given.length === 0) return false;
  const fresh = await seen.give(session, given);
  for (const { vendor_id, affiliate_id } of given) {
    step?.known.add('given', vendor_id, String(affiliate_id));
  }
  return transactions.recordSeen(session, fresh, step);
}
