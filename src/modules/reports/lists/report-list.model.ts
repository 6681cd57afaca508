import { columnsWith } from '../../../ledger/columns.js';
import type {
  LedgerPosition,
  StoredTransaction,
  Transaction,
  TransactionStatus,
} from '../../../ledger/reads/transaction.model.js';
import { dayOf } from '../../../platform/values/time.js';
import type { Attribution, DayRange, Viewer } from '../report.model.js';
import type { SumPart, SumsCriteria } from '../sums/report-sums.model.js';

/**
 * Figures that have a list of transactions. `all` stands for the transactions of the API 3.0 list,
 * or for all sales.
 */
export const REPORT_KINDS = [
  'all',
  'sales',
  'pending',
  'refunds',
  'chargebacks',
] as const satisfies readonly ('all' | SumPart)[];
export type ReportKind = (typeof REPORT_KINDS)[number];

/** Conditions of a list that the kept sums do not cover. Each is optional. */
export interface RowFilter {
  readonly status?: TransactionStatus;
  /** In cents; both bounds are included. */
  readonly least_amount?: number;
  readonly most_amount?: number;
  /** Tracking id `tid`, compared byte for byte. */
  readonly tid?: string;
}

/**
 * A request for the transactions behind a figure, optionally of one product, and of one affiliate
 * or vendor.
 */
export interface ListRequest extends DayRange {
  readonly viewer: Viewer;
  readonly attribution: Attribution;
  readonly kind: ReportKind;
  readonly product_id?: number;
  /** One of the vendor's affiliates; for an affiliate, one of their vendors. */
  readonly partner_id?: number;
  readonly rows?: RowFilter;
}

/**
 * The transactions of a range. By sale, `all` covers those sold in the range; by refund, those sold
 * or refunded in it, as in the API 3.0 list.
 */
export type ReportCriteria = Required<SumsCriteria> & Required<Pick<ListRequest, 'kind' | 'rows'>>;

/** Selects the transactions after or before a position in a list, newest sale first. */
export interface ReportCursor {
  readonly direction: 'after' | 'before';
  readonly position: LedgerPosition;
}

export const AFFILIATE_LIST_COLUMNS = [
  'vendor_id',
  'arrival',
  ...columnsWith({ affiliate: true }),
] as const;

/** Columns of a page; a download has all columns. */
export const VENDOR_LIST_COLUMNS = [
  'vendor_id',
  'arrival',
  ...columnsWith({ page: true }),
] as const;

/** A transaction as its vendor sees it. Money is in cents. */
export type VendorTransaction = Pick<
  Transaction,
  (typeof VENDOR_LIST_COLUMNS)[number] | 'affiliate_name'
>;

/** A transaction as its affiliate may see it. Money is in cents. */
export interface AffiliateTransaction extends Pick<
  StoredTransaction,
  (typeof AFFILIATE_LIST_COLUMNS)[number]
> {
  readonly vendor_name: string;
  /** The affiliate's payout less the part that a refund took back. */
  readonly commission: number;
}

export interface ReportPage<Row> {
  readonly rows: readonly Row[];
  /** Null if there is no such page. */
  readonly next: ReportCursor | null;
  readonly previous: ReportCursor | null;
  /**
   * Position where a page ended early, because it reached the limit of transactions that are read;
   * otherwise null.
   */
  readonly stopped_at: LedgerPosition | null;
}

/** One page, newest sale first, with the cursors of the next and the previous page. */
export interface ListPage<Role, Row> {
  readonly role: Role;
  readonly transactions: readonly Row[];
  /**
   * Number of transactions on all pages; null if the kept sums do not have it and the first page is
   * not the only one.
   */
  readonly total_count: number | null;
  /**
   * Day on which the page ended early, so that more transactions beyond it may match; otherwise
   * null.
   */
  readonly searched_to: string | null;
  readonly next: string | null;
  readonly previous: string | null;
}
export type TransactionsPage =
  | ListPage<'vendor', VendorTransaction>
  | ListPage<'affiliate', AffiliateTransaction>;

/** Returns the part of a range that begins at the cursor's day, in the direction of the cursor. */
export function daysFromCursor(
  { start_date, end_date }: DayRange,
  cursor: ReportCursor | null,
): DayRange {
  if (cursor === null) return { start_date, end_date };
  const day = dayOf(cursor.position.sale_date);
  return cursor.direction === 'after'
    ? { start_date, end_date: day < end_date ? day : end_date }
    : { start_date: day > start_date ? day : start_date, end_date };
}
