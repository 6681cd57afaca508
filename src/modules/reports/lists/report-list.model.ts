import { ApiError } from '../../../api/errors/api-error.js';
import type { Counted } from '../../../ledger/reads/counted-transaction.model.js';
import type { ListFigure } from '../../../ledger/sums/list-figures.js';
import { columnsWith } from '../../../ledger/columns.js';
import type {
  StoredTransaction,
  Transaction,
  TransactionStatus,
} from '../../../ledger/reads/transaction.model.js';
import type { QueryCursor } from '../../transactions/index.js';
import type { Attribution, DayRange, Viewer } from '../report.model.js';
import type { FigureFilter, ValueField } from '../figures/figure.model.js';
import type { SumPart } from '../../../ledger/sums/sum-parts.js';

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
  /** Status of the affiliate's commission. */
  readonly commission?: StoredTransaction['affiliate_commission_status'];
  /** In cents; both bounds are included. */
  readonly least_amount?: number;
  readonly most_amount?: number;
  /** E-mail address of the customer, as a whole. Only a vendor may filter by it. */
  readonly email?: string;
  /** Values of tracking fields, compared byte for byte. */
  readonly tracking?: Readonly<Partial<Record<ValueField, string>>>;
}

/**
 * A request for the transactions behind a figure, optionally of one product, and of one affiliate
 * or vendor.
 */
export interface ListRequest extends DayRange {
  readonly viewer: Viewer;
  readonly attribution: Attribution;
  readonly kind: ReportKind;
  /** Figure that a list of all kinds adds up to; by default what the viewer keeps. */
  readonly figure?: ListFigure;
  readonly product_id?: number;
  /** One of the vendor's affiliates; for an affiliate, one of their vendors. */
  readonly partner_id?: number;
  readonly rows?: RowFilter;
}

/** Figures of lists of all kinds. The first is the default. */
export const FIGURES_OF_ALL = {
  vendor: [
    'seller_earnings',
    'service_fees',
    'commissions',
    'affiliate_commissions',
    'agent_commissions',
    'jv_commissions',
    'other',
  ],
  affiliate: ['affiliate_commissions'],
} as const satisfies Readonly<Record<Viewer['role'], readonly ListFigure[]>>;

/** Figures of all other lists: their amounts. */
const FIGURES_OF_KIND = {
  sales: 'gross',
  pending: 'pending_amount',
  refunds: 'refunded',
  chargebacks: 'charged_back',
} as const satisfies Readonly<Record<Exclude<ReportKind, 'all'>, ListFigure>>;

/**
 * Returns the figure that the transactions of a list add up to. Sales whose refunds count by the sale
 * can add up to their commissions, too.
 */
export function figureOf(
  request: Pick<ListRequest, 'kind' | 'figure' | 'viewer' | 'attribution'>,
): ListFigure {
  const { kind, figure, viewer, attribution } = request;
  if (kind === 'sales' && attribution === 'sale' && figure === 'affiliate_commissions')
    return figure;
  if (kind !== 'all') return FIGURES_OF_KIND[kind];
  const [usual, ...others] = FIGURES_OF_ALL[viewer.role];
  return others.find((each) => each === figure) ?? usual;
}

/**
 * The transactions of a range. By sale, `all` covers those sold in the range; by refund, those sold
 * or refunded in it, as in the API 3.0 list.
 */
export type ReportCriteria = Omit<ListRequest, 'product_id' | 'partner_id' | 'figure'> &
  Required<Pick<ListRequest, 'rows'>> & {
    readonly figure: ListFigure;
    readonly filter: Pick<FigureFilter, 'product_id' | 'affiliate_id' | 'vendor_id'>;
  };

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

/** A transaction of a list, with what its figure counts of it. */
export type ListedSale = VendorTransaction & Counted;
export type ListedReferral = AffiliateTransaction & Pick<Counted, 'in_period'>;

/** A transaction as its affiliate may see it. Money is in cents. */
export interface AffiliateTransaction extends Pick<
  StoredTransaction,
  (typeof AFFILIATE_LIST_COLUMNS)[number]
> {
  readonly vendor_name: string;
  /** The affiliate's payout less the part that a refund took back. */
  readonly commission: number;
}

/** Numbers of transactions that a list of all kinds consists of. */
export interface ListParts {
  readonly sales: number;
  readonly pending: number;
  /** Sales before the range that were refunded or charged back in it. */
  readonly returned: number;
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
  /** Parts of a list of all kinds; null for other lists, and if they are unknown. */
  readonly parts: ListParts | null;
  /** Figure that the transactions of all pages add up to. */
  readonly figure: ListFigure;
  /** The figure in cents, with null as in `total_count`. */
  readonly total: bigint | null;
  /**
   * Day on which the page ended early, so that more transactions beyond it may match; otherwise
   * null.
   */
  readonly searched_to: string | null;
  readonly next: string | null;
  readonly previous: string | null;
}
export type TransactionsPage =
  | ListPage<'vendor', ListedSale>
  | ListPage<'affiliate', ListedReferral>;

const CURSOR = /^(after|before)-(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})-(\d{1,15})-(\d{1,15})$/;

/**
 * Formats a cursor as text for a URL, with the vendor before the arrival:
 * `after-2025-06-01T18:03:11-7-48213`.
 */
export function formatCursor({ direction, position }: QueryCursor): string {
  const { sale_date, vendor_id, arrival } = position;
  return `${direction}-${sale_date.replace(' ', 'T')}-${vendor_id}-${arrival}`;
}

/** @throws ApiError invalid_parameters if the text is not a cursor */
export function parseCursor(text: string): QueryCursor {
  const [, direction, day, time, vendor_id, arrival] = CURSOR.exec(text) ?? [];
  if (direction === undefined) {
    throw new ApiError('invalid_parameters', 'Invalid page link.');
  }
  return {
    direction: direction === 'after' ? 'after' : 'before',
    position: {
      sale_date: `${day ?? ''} ${time ?? ''}`,
      vendor_id: Number(vendor_id),
      arrival: Number(arrival),
    },
  };
}
