import type { BatchRun } from '../batch-run.js';

/** Why a record can't refer to a user at that line, or null. */
export function missingUser(
  field: 'vendor_id' | 'affiliate_id',
  id: number,
  line: number,
  run: BatchRun,
): string | null {
  return run.hasUser(id, line) ? null : `${field}: there is no user ${id}`;
}

/** Why a record can't refer to a product at that line, or null. */
export function missingProduct(product_id: number, line: number, run: BatchRun): string | null {
  return run.vendorOf(product_id, line) === null
    ? `product_id: there is no product ${product_id}`
    : null;
}
