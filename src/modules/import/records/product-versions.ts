import type { RecordChange, Versioned } from '../../../ledger-format/record-version.js';
import type { ProductOfSource, ProductVersion } from '../../products/product.model.js';
import type { BatchRun } from '../batch-run.js';

type RunOf = Pick<BatchRun, 'onlyVendor'>;

/** Returns the column that stores the versions of this run's records. */
export function versionColumnOf({ onlyVendor }: RunOf): ProductVersion {
  return onlyVendor === null ? 'record_version' : 'source_version';
}

/**
 * Adds the source and the last version of a source to a product. A product is provisional until a
 * record of the operator names it.
 */
export function productWithSource(
  product: ProductOfSource,
  before: ProductOfSource | undefined,
  { onlyVendor }: RunOf,
): ProductOfSource {
  const source = before === undefined ? onlyVendor : before.source_vendor_id;
  return {
    ...product,
    source_vendor_id: onlyVendor === null ? null : source,
    // The source of another vendor has its own versions.
    source_version: before?.vendor_id === product.vendor_id ? before.source_version : null,
  };
}

/**
 * Returns a stored product with the version that records of this run are compared with. A record of
 * the operator is compared with the operator's version only, a record of a source with the higher
 * of both.
 */
export function comparedWith(
  stored: Versioned<ProductOfSource>,
  { onlyVendor }: RunOf,
): Versioned<ProductOfSource> {
  const { source_version } = stored.content;
  if (onlyVendor === null || source_version === null) return stored;
  return { ...stored, record_version: Math.max(stored.record_version ?? 0, source_version) };
}

/**
 * Returns the product to store. The version of a source's record is stored beside the operator's.
 * @param operatorsVersion the stored version of the operator's last record
 */
export function storedProduct(
  change: RecordChange<ProductOfSource>,
  operatorsVersion: number | null,
  { onlyVendor }: RunOf,
): RecordChange<ProductOfSource> {
  if (onlyVendor === null) return change;
  const content = { ...change.content, source_version: change.record_version };
  return { ...change, content, record_version: operatorsVersion };
}
