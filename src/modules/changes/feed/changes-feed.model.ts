import type { ChangeKind, LedgerKind } from '../change.model.js';

export const FEED_LIMIT = { min: 1, max: 1_000, default: 100 } as const;
/** How long an answer may wait for a change, in seconds. */
export const FEED_WAIT = { min: 0, max: 20, default: 0 } as const;

/** A page ends early after about so many bytes of JSON. */
export const FEED_BYTES = 2 * 1_048_576;

/** The changes of a vendor's ledger after a cursor. */
export interface FeedCriteria {
  readonly vendor_id: number;
  /** The sequence of the cursor; 0 is before everything. */
  readonly after: number;
  readonly limit: number;
  /** A page ends early after about so many bytes of JSON, but has one change at least. */
  readonly max_bytes: number;
  /** The feed shows things that left the ledger beside these. */
  readonly kinds: readonly LedgerKind[];
  /** True if personal data is left out. */
  readonly isMasked: boolean;
}

/** How to wait for a change if there is none. */
export interface FeedWait {
  readonly ms: number;
  /** The caller is gone. */
  readonly isGone: AbortSignal;
  readonly onWait: () => void;
}

/** Something as it is now, at the place of its latest change. */
export interface FeedItem {
  readonly sequence: number;
  readonly kind: ChangeKind;
  /** In UTC (common/time.ts). */
  readonly changed_at: string;
  /** What the interface shows of it: a JSON object. */
  readonly json: string;
}

export interface FeedPage {
  /** In the order of their sequences. */
  readonly items: readonly FeedItem[];
  /** The sequence up to which the page has everything. */
  readonly cursor: number;
  /** True if more has changed since. */
  readonly has_more: boolean;
}
