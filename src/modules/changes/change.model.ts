/** What the feed of changes shows (ledger interface, Changes out). */
export const CHANGE_KINDS = [
  ...(['transaction', 'recurring_payment', 'relationship', 'product', 'affiliate'] as const),
] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Transactions keep their latest change in their own rows, the others in `changed_records`. */
export type RecordedKind = Exclude<ChangeKind, 'transaction'>;

export function isRecorded(kind: ChangeKind): kind is RecordedKind {
  return kind !== 'transaction';
}

/** Something of a vendor's ledger that changed. */
export interface ChangedRecord {
  readonly vendor_id: number;
  readonly kind: RecordedKind;
  /** Names it among those of its kind and vendor, at most 255 characters. */
  readonly record_key: string;
}

/** Where something stands in a vendor's feed: at its latest change. */
export interface FeedPosition {
  readonly kind: ChangeKind;
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
