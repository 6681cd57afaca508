import type { Reader } from '../../database/database.js';
import type { FeedPosition, LedgerKind } from './change.model.js';

/** Which things of a vendor to read, and how. */
export interface ContentCriteria {
  readonly reader: Reader;
  readonly vendor_id: number;
  readonly record_keys: readonly string[];
  /** True if personal data is left out. */
  readonly isMasked: boolean;
}

/** Which things of a vendor to measure. */
export type SizeCriteria = Omit<ContentCriteria, 'isMasked'>;

/** Up to `limit` changes of a vendor's ledger after a sequence. */
export interface ChangesRange {
  readonly reader: Reader;
  readonly vendor_id: number;
  readonly after: number;
  readonly limit: number;
}

/** A module that owns things of one kind shows them in the feed of changes. */
export abstract class ChangeSource {
  abstract readonly kind: LedgerKind;

  /**
   * What the interface shows of these, as JSON objects, by key. What is gone, or has come to another
   * vendor, is left out.
   */
  abstract contentsOf(criteria: ContentCriteria): Promise<ReadonlyMap<string, string>>;

  /** About how many bytes each of these has as JSON, by key; absent if all are small. */
  sizesOf?(criteria: SizeCriteria): Promise<ReadonlyMap<string, number>>;

  /** For things whose latest changes are not in `changed_records`: where the next ones stand. */
  positionsAfter?(range: ChangesRange): Promise<readonly Omit<FeedPosition, 'kind'>[]>;
}
