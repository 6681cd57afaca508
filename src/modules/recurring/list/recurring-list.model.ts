import { ApiError } from '../../../api/errors/api-error.js';
import type { RecurringStatus } from '../../../ledger/records/recurring-status.js';
import { isCalendarDay, startOfDay } from '../../../platform/values/time.js';
import type { RecurringPayment } from '../recurring-payment.model.js';

/** Names the lists of a vendor's subscriptions. */
export const RECURRING_LISTS = ['active', 'canceled', 'completed', 'other'] as const;
export type RecurringList = (typeof RECURRING_LISTS)[number];

export const STATUS_OF_LIST = {
  active: 'ACTIVE',
  canceled: 'CANCELED',
  completed: 'COMPLETED',
  other: 'OTHER',
} as const satisfies Record<RecurringList, RecurringStatus>;

/** Selects the subscriptions after or before a position in a list. */
export interface RecurringCursor {
  readonly direction: 'after' | 'before';
  /** Date-time that sorts the list; null if it is unknown. */
  readonly at: string | null;
  /** Key of the subscription at the position. */
  readonly pre_key: string;
}

/** Selects active subscriptions by their next payment: those of a day, or those before today. */
export type DueSelection = 'late' | { readonly day: string };

/** A time before all payments. */
export const EARLIEST = startOfDay('1000-01-01');

/** Selects the next payments of a time; `from` is included, `until` is not. */
export interface DueTimes {
  readonly from: string;
  readonly until: string;
}

/** Narrows a list to some of its subscriptions; null for no condition. */
export interface RecurringListFilter {
  readonly product_id: number | null;
  /**
   * E-mail address at the payment processor, of the contact or of the sender, or the beginning of the
   * customer's first or last name; in any letter case.
   */
  readonly customer: string | null;
}

/** Selects a page of a list. */
export interface ListPage {
  readonly list: RecurringList;
  /** Null for the first page. */
  readonly cursor: RecurringCursor | null;
  /** Null for all subscriptions of the list; only active ones have a next payment. */
  readonly due: DueTimes | null;
  /** Null for the subscriptions of all products. */
  readonly product_id: number | null;
}

/** Adds the name of the product to a subscription. */
export interface ListedPayment extends RecurringPayment {
  readonly product_name: string;
}

export interface RecurringPage {
  readonly payments: readonly ListedPayment[];
  /** Cursors of the next and the previous page; null if there is no such page. */
  readonly next: string | null;
  readonly previous: string | null;
  /** Number of subscriptions on all pages of a narrowed list; null if it is not known. */
  readonly total_count?: number | null;
  /** True if a narrowed list ends before its end, because too many would have to be read. */
  readonly isStopped?: boolean;
  /** Number of subscriptions that were read for a page of a narrowed list. */
  readonly read?: number;
}

/** Counts the payments that are due, and adds up their prices in cents. */
export interface Due {
  readonly agreements: number;
  readonly amount: bigint;
}

export interface DueOnDay extends Due {
  readonly day: string;
}

/** Summarizes the subscriptions of a vendor. */
export interface RecurringOverview {
  readonly upcoming: UpcomingPayments;
  readonly counts: Readonly<Record<RecurringList, number>>;
  /** Number that was created in the last 30 days, today included; at most `MAX_NEW`. */
  readonly created: number;
}

/** Maximum number of new subscriptions that are counted. */
export const MAX_NEW = 100_000;

/** Summarizes the next payments of active subscriptions. */
export interface UpcomingPayments {
  /** Payments by day. Days without any are left out. */
  readonly days: readonly DueOnDay[];
  readonly total: Due;
  /** Payments whose date lies before today. */
  readonly overdue: Due;
}

/**
 * Parses the selection of a list by due payments: `late`, or a day as YYYY-MM-DD.
 * @throws ApiError invalid_parameters for another text
 */
export function parseDueSelection(text: string): DueSelection {
  if (text === 'late') return text;
  if (isCalendarDay(text)) return { day: text };
  throw new ApiError('invalid_parameters', 'A due payment is of a day (YYYY-MM-DD), or late.');
}

const CURSOR = /^(after|before)-(?:(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})|undated)-([\w-]*)$/;

/**
 * Formats a cursor as text for a URL, with the key in base64url:
 * `after-2025-06-01T18:03:11-UFJFLTE`, or `after-undated-UFJFLTE` among the entries without a date,
 * which come last.
 */
export function formatRecurringCursor({ direction, at, pre_key }: RecurringCursor): string {
  const key = Buffer.from(pre_key).toString('base64url');
  return `${direction}-${at?.replace(' ', 'T') ?? 'undated'}-${key}`;
}

/**
 * Parses a cursor.
 * @throws ApiError invalid_parameters if the text is not a cursor
 */
export function parseRecurringCursor(text: string): RecurringCursor {
  const [, direction, day, time, key] = CURSOR.exec(text) ?? [];
  if (direction === undefined) throw new ApiError('invalid_parameters', 'Invalid page link.');
  return {
    direction: direction === 'after' ? 'after' : 'before',
    at: day === undefined ? null : `${day} ${time ?? ''}`,
    pre_key: Buffer.from(key ?? '', 'base64url').toString(),
  };
}

/**
 * Returns a page of the rows after or before a cursor, with the cursors of the next and the
 * previous page.
 * @param found the rows in the order of the list, with one more than the page holds if there are
 *   more
 */
export function recurringPageOf<Row>(
  found: readonly Row[],
  positionOf: (row: Row) => Omit<RecurringCursor, 'direction'>,
  cursor: RecurringCursor | null,
  size: number,
) {
  const isBackwards = cursor?.direction === 'before';
  const rows = isBackwards ? found.slice(-size) : found.slice(0, size);
  const hasMore = found.length > size;
  const hasNext = isBackwards || hasMore;
  const hasPrevious = isBackwards ? hasMore : cursor !== null;
  const [first, last] = [rows[0], rows.at(-1)];
  const link = (row: Row | undefined, direction: RecurringCursor['direction'], isThere: boolean) =>
    row === undefined || !isThere ? null : formatRecurringCursor({ direction, ...positionOf(row) });
  return { rows, next: link(last, 'after', hasNext), previous: link(first, 'before', hasPrevious) };
}
