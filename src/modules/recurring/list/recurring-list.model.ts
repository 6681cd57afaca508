import type { RecurringStatus } from '../../../ledger-format/recurring-status.js';
import type { RecurringPayment } from '../recurring-payment.model.js';

/** The lists of a vendor's recurring payments. */
export const RECURRING_LISTS = ['active', 'canceled', 'completed', 'other'] as const;
export type RecurringList = (typeof RECURRING_LISTS)[number];

export const STATUS_OF_LIST = {
  active: 'ACTIVE',
  canceled: 'CANCELED',
  completed: 'COMPLETED',
  other: 'OTHER',
} as const satisfies Record<RecurringList, RecurringStatus>;

/** A place in a list: the date-time that sorts it, null if it is unknown, and the key of the payment there. */
export interface RecurringPosition {
  readonly at: string | null;
  readonly pre_key: string;
}

/** The payments after or before a position in a list. */
export interface RecurringCursor extends RecurringPosition {
  readonly direction: 'after' | 'before';
}

/** A recurring payment with the name of its product. */
export interface ListedPayment extends RecurringPayment {
  readonly product_name: string;
}

export interface RecurringPage {
  readonly payments: readonly ListedPayment[];
  /** Cursors of the next and the previous page; null if there is no such page. */
  readonly next: string | null;
  readonly previous: string | null;
}

/** How many payments are due, and the total of their prices in cents. */
export interface Due {
  readonly agreements: number;
  readonly amount: bigint;
}

export interface DueOnDay extends Due {
  readonly day: string;
}

/** The next payments of active recurring payments. */
export interface UpcomingPayments {
  /** By day; days without any are left out. */
  readonly days: readonly DueOnDay[];
  readonly total: Due;
  /** Those whose next payment lies before today. */
  readonly overdue: Due;
}
