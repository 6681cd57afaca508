import type { RecurringStatus } from '../../../ledger/records/recurring-status.js';
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

/**
 * Describes a position in a list: the date-time that sorts it (null if it is unknown) and the key
 * of the subscription there.
 */
export interface RecurringPosition {
  readonly at: string | null;
  readonly pre_key: string;
}

/** Selects the subscriptions after or before a position in a list. */
export interface RecurringCursor extends RecurringPosition {
  readonly direction: 'after' | 'before';
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
}

/** Counts the payments that are due, and adds up their prices in cents. */
export interface Due {
  readonly agreements: number;
  readonly amount: bigint;
}

export interface DueOnDay extends Due {
  readonly day: string;
}

/** Summarizes the next payments of active subscriptions. */
export interface UpcomingPayments {
  /** Payments by day. Days without any are left out. */
  readonly days: readonly DueOnDay[];
  readonly total: Due;
  /** Payments whose date lies before today. */
  readonly overdue: Due;
}
