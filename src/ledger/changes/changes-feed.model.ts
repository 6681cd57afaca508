import type { ChangeKind, LedgerKind } from './change.model.js';
import { formatDateTime } from '../../platform/values/time.js';

export const FEED_LIMIT = { min: 1, max: 1_000, default: 100 } as const;
/** An answer may wait for a change for this many seconds. */
export const FEED_WAIT = { min: 0, max: 20, default: 0 } as const;

/** A page ends early after about this many bytes of JSON. */
export const FEED_BYTES = 2 * 1_048_576;

/** Selects the changes of a vendor's ledger after a cursor. */
export interface FeedCriteria {
  readonly vendor_id: number;
  /** Sequence of the cursor; 0 is before all changes. */
  readonly after: number;
  readonly limit: number;
  /** A page ends early after about this many bytes of JSON, but has at least one change. */
  readonly max_bytes: number;
  /** Kinds of records to show. Records that left the ledger are always shown. */
  readonly kinds: readonly LedgerKind[];
  /** True to leave personal data out. */
  readonly isMasked: boolean;
}

/** Defines the wait for a change if there is none. */
export interface FeedWait {
  readonly ms: number;
  /** Aborts when the caller disconnects. */
  readonly isGone: AbortSignal;
  readonly onWait: () => void;
}

/** Holds a record in its current state, at the position of its latest change. */
export interface FeedItem {
  readonly sequence: number;
  readonly kind: ChangeKind;
  /** Time of the change in UTC (common/time.ts). */
  readonly changed_at: string;
  /** The record in the form of the API, as a JSON object. */
  readonly json: string;
}

export interface FeedPage {
  /** Items in the order of their sequences. */
  readonly items: readonly FeedItem[];
  /** Sequence up to which this page and those before it contain all changes. */
  readonly cursor: number;
  /** True if there are more changes after the cursor. */
  readonly has_more: boolean;
}

/** Returns a change as JSON, with its object in a field named after its kind. */
export function feedItemJson({ sequence, kind, changed_at, json }: FeedItem): string {
  const head = JSON.stringify({ sequence, kind, changed_at: formatDateTime(changed_at) });
  return `${head.slice(0, -1)},"${kind}":${json}}`;
}
