import type { ChangeReason, NotedReasons } from './reasons/change-reasons.js';

/**
 * Kinds of the service's own records in the feed of changes. Extensions add kinds
 * (src/ledger/changes/change-sources.ts).
 */
export const LEDGER_KINDS = [
  'transaction',
  'recurring_payment',
  'relationship',
  'product',
  'affiliate',
] as const;

export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** The kind of the item of a record that left the ledger. */
export const REMOVED_KIND = 'removed';

/** Kinds of the items in the feed of changes of a service without extensions. */
export const CHANGE_KINDS = [...LEDGER_KINDS, REMOVED_KIND] as const;

/**
 * The latest changes of these kinds are in `changed_records`; transactions have theirs in their own
 * rows.
 */
export type RecordedKind = Exclude<LedgerKind, 'transaction'>;

const REMOVED = `${REMOVED_KIND}_`;

export function isRecorded(kind: string): boolean {
  return kind !== 'transaction';
}

export function isLedgerKind(kind: string): kind is LedgerKind {
  return LEDGER_KINDS.some((own) => own === kind);
}

/** Returns the kind of the rows of `changed_records` for records of a kind that left the ledger. */
export function removedKind(kind: string): string {
  return `${REMOVED}${kind}`;
}

/**
 * Returns the kind of a record that left the ledger, or undefined for the row of an existing
 * record.
 */
export function kindOfRemoved(stored: string): string | undefined {
  return stored.startsWith(REMOVED) ? stored.slice(REMOVED.length) : undefined;
}

/** Identifies a record of a vendor's ledger. */
export interface NamedRecord {
  readonly vendor_id: number;
  readonly kind: string;
  /** Key among the records of its kind and vendor, 1 to 255 characters. */
  readonly record_key: string;
}

/** Identifies a record that left a vendor's ledger. The key of a transaction is its id. */
export interface RemovedRecord extends NamedRecord {
  readonly kind: LedgerKind;
}

/** Identifies a record of a vendor's ledger that changed. */
export interface ChangedRecord extends RemovedRecord {
  readonly kind: RecordedKind;
}

/** Identifies a record of a vendor's ledger that changed, of a kind whose changes may have reasons. */
export interface ReasonedRecord extends NamedRecord {
  /** Reasons of the change. Absent for kinds without reasons. */
  readonly reasons?: readonly ChangeReason[];
  /** True if the record is new in the ledger, so that earlier reasons do not matter. */
  readonly isNew?: boolean;
}

/** Places the latest change of a record in its vendor's feed. */
export interface PlacedRecordChange extends ReasonedRecord {
  readonly sequence: number;
}

/** Locates a record in a vendor's feed, at its latest change. */
export interface FeedPosition {
  /** The kind of the record, or that of `removedKind`. */
  readonly kind: string;
  readonly record_key: string;
  /** Number from 1 that rises with each change of the vendor's ledger. */
  readonly sequence: number;
  /** Time of the change in UTC (src/platform/values/time.ts). */
  readonly changed_at: string;
  /** Reasons of its changes, if its kind has reasons. */
  readonly reasons?: NotedReasons;
  /** Its product, if it was read with the position. */
  readonly product_id?: number;
}

/** Returns text that identifies the record of a position in its vendor's feed. */
export function positionName({ kind, record_key }: Pick<FeedPosition, 'kind' | 'record_key'>) {
  return `${kind} ${record_key}`;
}

/** Returns the key of affiliate terms. */
export function relationshipKey(affiliate_id: number, product_id: number): string {
  return `${affiliate_id}/${product_id}`;
}
