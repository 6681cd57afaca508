/** The feed of changes shows records of these kinds. */
export const LEDGER_KINDS = [
  'transaction',
  'recurring_payment',
  'relationship',
  'product',
  'affiliate',
] as const;

export type LedgerKind = (typeof LEDGER_KINDS)[number];

/**
 * The feed of changes has items of these kinds. A record that left the ledger is one item of the
 * kind `removed`.
 */
export const CHANGE_KINDS = [...LEDGER_KINDS, 'removed'] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/**
 * The latest changes of these kinds are in `changed_records`; transactions have theirs in their own
 * rows.
 */
export type RecordedKind = Exclude<LedgerKind, 'transaction'>;

const REMOVED = 'removed_';
/**
 * The kind of a row of `changed_records`: that of a record, or of a record that left the ledger.
 */
export type StoredKind = RecordedKind | `${typeof REMOVED}${LedgerKind}`;

export function isRecorded(kind: LedgerKind): kind is RecordedKind {
  return kind !== 'transaction';
}

export const REMOVED_KINDS = LEDGER_KINDS.map((kind) => removedKind(kind));

/** Returns the kind of the rows for records of a kind that left the ledger. */
export function removedKind(kind: LedgerKind): StoredKind {
  return `${REMOVED}${kind}`;
}

/**
 * Returns the kind of a record that left the ledger, or undefined for the row of an existing
 * record.
 */
export function kindOfRemoved(kind: StoredKind | 'transaction'): LedgerKind | undefined {
  return LEDGER_KINDS.find((candidate) => removedKind(candidate) === kind);
}

/** Identifies a record that left a vendor's ledger. The key of a transaction is its id. */
export interface RemovedRecord {
  readonly vendor_id: number;
  readonly kind: LedgerKind;
  /** Key among the records of its kind and vendor, at most 255 characters. */
  readonly record_key: string;
}

/** Identifies a record of a vendor's ledger that changed. */
export interface ChangedRecord extends RemovedRecord {
  readonly kind: RecordedKind;
}

/** Locates a record in a vendor's feed, at its latest change. */
export interface FeedPosition {
  readonly kind: StoredKind | 'transaction';
  readonly record_key: string;
  /** Number from 1 that rises with each change of the vendor's ledger. */
  readonly sequence: number;
  /** Time of the change in UTC (src/platform/values/time.ts). */
  readonly changed_at: string;
}

/** Returns the key of affiliate terms. */
export function relationshipKey(affiliate_id: number, product_id: number): string {
  return `${affiliate_id}/${product_id}`;
}
