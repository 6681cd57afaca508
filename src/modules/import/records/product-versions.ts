import type { RecordChange, Versioned } from '../../../ledger-format/record-version.js';
import type { ProductOfSource, ProductVersion } from '../../products/product.model.js';
import type { BatchRun } from '../batch-run.js';

type RunOf = Pick<BatchRun, 'onlyVendor'>;

/** The column for the versions of a run. */
export function versionColumnOf({ onlyVendor }: RunOf): ProductVersion {
  return onlyVendor === null ? 'record_version' : 'source_version';
}

/**
 * A product with who created it and the last version of a source. It is provisional until a record of the operator
 * names it.
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
    // Another vendor's source has versions of its own.
    source_version: before?.vendor_id === product.vendor_id ? before.source_version : null,
  };
}

/**
 * A stored product with the version that records of this run are compared with: of the operator's records only that
 * of the operator, of a source's records the higher one.
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
 * A product as it is stored: the version of a source's record is kept beside that of the operator.
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
