import type { BatchRun, References } from '../batch-run.js';
import type { LineOfVendor, Permission } from '../record-kind.js';

interface Relationship {
  readonly affiliate_id: number;
  readonly product_id: number;
}

export function addRelationship(record: Relationship, references: References): void {
  references.users.add(record.affiliate_id);
  references.products.add(record.product_id);
}

/**
 * Returns the reason why a record cannot refer to its affiliate or product at that line, or null.
 */
export function missingRelationship(
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
