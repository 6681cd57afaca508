import type {
  LedgerPosition,
  Transaction,
  TransactionStatus,
} from '../../transactions/transaction.model.js';
import type { Attribution, DayRange, Viewer } from '../report.model.js';
import type { SumPart, SumsCriteria } from '../sums/report-sums.model.js';

/** Which transactions stand behind a figure; `all` are those of the 3.0 list, or what was sold. */
export const REPORT_KINDS = [
  'all',
  'sales',
  'pending',
  'refunds',
  'chargebacks',
] as const satisfies readonly ('all' | SumPart)[];
export type ReportKind = (typeof REPORT_KINDS)[number];

/** The transactions behind a figure: of a product alone, or of one affiliate or vendor alone. */
export interface ListRequest extends DayRange {
  readonly viewer: Viewer;
  readonly attribution: Attribution;
  readonly kind: ReportKind;
  readonly product_id?: number;
  /** A vendor's affiliate; for an affiliate, the vendor. */
  readonly partner_id?: number;
}

/**
 * The transactions of a range. By the day of the sale, `all` is what was sold in the range; by the
 * day of the refund it is what was sold or refunded in it, as in the list of 3.0.
 */
export type ReportCriteria = Required<SumsCriteria> & Pick<ListRequest, 'kind'>;

/** What stands after a position in a list of the newest sale first, or before it. */
export interface ReportCursor {
  readonly direction: 'after' | 'before';
  readonly position: LedgerPosition;
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

export interface Placed<Row> extends LedgerPosition {
  readonly transaction: Row;
}

export interface ReportPage<Row> {
  readonly rows: readonly Placed<Row>[];
  /** Null where nothing stands there. */
  readonly next: ReportCursor | null;
  readonly previous: ReportCursor | null;
}

/** One page, newest sale first. The cursors are texts to ask with for the page after and before it. */
interface ListPage<Role, Row> {
  readonly role: Role;
  readonly transactions: readonly Row[];
  /** Of all pages; null where the kept sums can't tell. */
  readonly total_count: number | null;
  readonly next: string | null;
  readonly previous: string | null;
}
export type TransactionsPage =
  ListPage<'vendor', Transaction> | ListPage<'affiliate', AffiliateTransaction>;
