import type {
  Attribution,
  DayRange,
  SalesFilter,
  SumPart,
  Viewer,
} from '../sums/report-sums.model.js';
import type { TransactionStatus } from '../../transactions/transaction.model.js';

/** Which transactions stand behind a figure; `all` are those of the 3.0 list, or what was sold. */
export const REPORT_KINDS = [
  'all',
  'sales',
  'pending',
  'refunds',
  'chargebacks',
] as const satisfies readonly ('all' | SumPart)[];
export type ReportKind = (typeof REPORT_KINDS)[number];

/**
 * The transactions of a range. By the day of the sale, `all` is what was sold in the range; by the
 * day of the refund it is what was sold or refunded in it, as in the list of 3.0.
 */
export interface ReportCriteria extends DayRange {
  readonly viewer: Viewer;
  readonly attribution: Attribution;
  readonly kind: ReportKind;
  readonly filter: SalesFilter;
}

/** Where a transaction stands in the order of sale and arrival. */
export interface ReportPosition {
  readonly sale_date: string;
  readonly arrival: number;
}

/** What stands after a position in a list of the newest sale first, or before it. */
export interface ReportCursor {
  readonly direction: 'after' | 'before';
  readonly position: ReportPosition;
}

/** A transaction as the affiliate who made it may see it. Money in cents. */
export interface AffiliateTransaction {
  readonly transaction_id: string;
  readonly sale_date: string;
  readonly product_name: string;
  readonly vendor_name: string;
  readonly amount: number;
  readonly status: TransactionStatus;
  /** What the affiliate got and did not give back. */
  readonly commission: number;
  readonly affiliate_commission_status: string;
}

export interface Placed<Row> extends ReportPosition {
  readonly transaction: Row;
}

export interface ReportPage<Row> {
  readonly rows: readonly Placed<Row>[];
  /** Null where nothing stands there. */
  readonly next: ReportCursor | null;
  readonly previous: ReportCursor | null;
}
