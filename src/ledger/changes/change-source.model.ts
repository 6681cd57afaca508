import type { Reader } from '../../platform/database/database.js';
import type { FeedPosition } from './change.model.js';

/** Selects the records of a vendor to read, with or without personal data. */
export interface ContentCriteria {
  readonly reader: Reader;
  readonly vendor_id: number;
  readonly record_keys: readonly string[];
  /** True to leave personal data out. */
  readonly isMasked: boolean;
}

/** Selects the records of a vendor to measure, or whose products to read. */
export type SizeCriteria = Omit<ContentCriteria, 'isMasked'>;

/** Selects up to `limit` changes of a vendor's ledger after a sequence. */
export interface ChangesRange {
  readonly reader: Reader;
  readonly vendor_id: number;
  readonly after: number;
  readonly limit: number;
}

/**
 * Reads the records of one kind for the feed of changes. The module that owns the kind implements
 * it.
 */
export abstract class ChangeSource {
  /** A kind of the service, or one that begins with the name of the extension. */
  abstract readonly kind: string;

  /**
   * Returns the records as JSON objects in the form of the API, by key. Records that were removed,
   * or belong to another vendor now, are left out.
   */
  abstract contentsOf(criteria: ContentCriteria): Promise<ReadonlyMap<string, string>>;

  /**
   * Returns the approximate size of each record as JSON in bytes, by key. A source whose records
   * are all small, of up to about 1 KiB, does not define it.
   */
  sizesOf?(criteria: SizeCriteria): Promise<ReadonlyMap<string, number>>;

  /**
   * Returns the product of each record, by key. A kind whose records belong to no product, or whose
   * positions have their product, does not define it.
   * @internal
   */
  productsOf?(criteria: SizeCriteria): Promise<ReadonlyMap<string, number>>;

  /**
   * Returns the positions of the next changes. Only a kind whose latest changes are not in
   * `changed_records` defines it.
   * @internal
   */
  positionsAfter?(range: ChangesRange): Promise<readonly Omit<FeedPosition, 'kind'>[]>;
}
