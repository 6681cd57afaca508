/** The things of a ledger that the feed of changes shows. */
export const LEDGER_KINDS = [
  ...(['transaction', 'recurring_payment', 'relationship', 'product', 'affiliate'] as const),
] as const;

export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** The kinds of items in the feed of changes. A thing that left the ledger is one item of the kind `removed`. */
export const CHANGE_KINDS = [...LEDGER_KINDS, 'removed'] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Transactions keep their latest change in their own rows, the others in `changed_records`. */
export type RecordedKind = Exclude<LedgerKind, 'transaction'>;

const REMOVED = 'removed_';
/** The kind of a row of `changed_records`: a thing, or one that left the ledger. */
export type StoredKind = RecordedKind | `${typeof REMOVED}${LedgerKind}`;

export function isRecorded(kind: LedgerKind): kind is RecordedKind {
  return kind !== 'transaction';
}

export const REMOVED_KINDS = LEDGER_KINDS.map((kind) => removedKind(kind));

/** The kind of the rows for things of a kind that left the ledger. */
export function removedKind(kind: LedgerKind): StoredKind {
  return `${REMOVED}${kind}`;
}

/** The kind of a thing that left the ledger; undefined for the row of a thing that is there. */
export function kindOfRemoved(kind: StoredKind | 'transaction'): LedgerKind | undefined {
  return LEDGER_KINDS.find((candidate) => removedKind(candidate) === kind);
}

/** Something of a vendor's ledger that changed. */
export interface ChangedRecord {
  readonly vendor_id: number;
  readonly kind: RecordedKind;
  /** Names it among those of its kind and vendor, at most 255 characters. */
  readonly record_key: string;
}

/** Something that left a vendor's ledger. Its key is that of the thing, and of a transaction its id. */
export interface RemovedRecord {
  readonly vendor_id: number;
  readonly kind: LedgerKind;
  readonly record_key: string;
}

/** Where something stands in a vendor's feed: at its latest change. */
export interface FeedPosition {
  readonly kind: StoredKind | 'transaction';
  readonly record_key: string;
  /** From 1, rising with each change of the vendor's ledger. */
  readonly sequence: number;
  /** In UTC (common/time.ts). */
  readonly changed_at: string;
}

/** The key of a relationship. */
export function relationshipKey(affiliate_id: number, product_id: number): string {
  return `${affiliate_id}/${product_id}`;
}
