import { TRACKING_FIELDS } from '../../../ledger/columns.js';
import type { TransactionStatus } from '../../../ledger/reads/transaction.model.js';
import { IS_REFUND, type SumKind } from '../../../ledger/sums/kept-sums.model.js';
import { isOneOf } from '../../../platform/database/bulk.js';
import type { SqlValue } from '../../../platform/database/database.js';
import { emailLookups, spelledAlike } from '../../../platform/database/entities/spellings.js';
import { daysAfter, endOfDay, startOfDay } from '../../../platform/values/time.js';
import type { DayRange, TransactionFilter, TransactionsQuery } from './query.model.js';

/** A part of a WHERE clause, and its values. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A range of an index that contains rows of a query, and the conditions for those rows. */
export interface IndexRange {
  /** `refunded_sale_date` is the sale date of refunded transactions only. */
  readonly column: 'sale_date' | 'refunded_sale_date';
  /** Days on which the sales were made. */
  readonly range: DayRange;
  /** Condition on the columns of the index that precede the date. */
  readonly owner: Condition;
  /** The SQL of the same condition for whole days. */
  readonly daysOf: string;
  /** Columns that sort the rows of a second; each is a number. */
  readonly ties: readonly ('vendor_id' | 'arrival')[];
  readonly index: string;
  /** True if the database may choose another index for the days, by its statistics. */
  readonly isChoice: boolean;
  readonly condition: Condition;
  /** Kinds of kept sums that show which days have rows; null if nearly every row matches. */
  readonly kinds: readonly SumKind[] | null;
}

/** The leading columns of an index, and the fields of the filter that they cover. */
interface IndexPath extends Pick<IndexRange, 'owner' | 'daysOf' | 'index' | 'isChoice'> {
  readonly covers: readonly (keyof TransactionFilter)[];
}

/** All rows that a vendor is shown are its own. */
const VENDOR_TIES = ['arrival'] as const;
const AFFILIATE_TIES = ['vendor_id', 'arrival'] as const;
/** A day before every possible transaction. */
const FIRST_DAY = '1000-01-01';
const ANY: Condition = { sql: '1 = 1', values: [] };
const NONE: Condition = { sql: '1 = 0', values: [] };
const ALL_STATUSES = ['pending', 'completed', 'refunded', 'charged_back'] as const;

/** Kinds of kept sums by day of sale that have a row for each transaction of a status. */
const KINDS_OF_STATUS: Readonly<Record<TransactionStatus, readonly SumKind[]>> = {
  pending: ['pending'],
  completed: ['sale'],
  refunded: ['refund_by_sale', 'undated_refund'],
  charged_back: ['chargeback_by_sale', 'undated_chargeback'],
};
/** Kinds of the transactions of a status that were returned without a date. */
const UNDATED_OF_STATUS: Readonly<Partial<Record<TransactionStatus, SumKind>>> = {
  refunded: 'undated_refund',
  charged_back: 'undated_chargeback',
};
const UNDATED = "refund_date IS NULL AND status IN ('refunded', 'charged_back')";

/** Fields of a filter that an index covers, one at a time. */
const SERVED: readonly string[] = ['affiliate_ids', 'email', 'pre_key'];

/** Returns the disjoint index ranges with the transactions of a query. */
export function indexRangesOf(query: TransactionsQuery): IndexRange[] {
  if (statusesOf(query.filter).length === 0) return [];
  switch (query.date) {
    case 'sale':
      return soldIn(query, query);
    case 'either':
      return [...soldIn(query, query), ...refundedIn(query, daysAfter(query.start_date, -1))];
    case 'refund':
      return [...refundedIn(query, query.end_date), ...undatedIn(query)];
  }
}

/**
 * Returns true if nearly each row of the index ranges matches, so that a page reads about as many
 * rows as it shows (docs/queries.md#which-filters-are-fast).
 */
export function isServed({ viewer, date, filter }: TransactionsQuery): boolean {
  const [name, ...others] = Object.keys(filter);
  if (viewer.role === 'affiliate') {
    return others.length === 0 && (name === undefined || name === 'vendor_id');
  }
  if (name === undefined) return date !== 'refund';
  if (others.length > 0 || !SERVED.includes(name) || date !== 'sale') return false;
  return filter.affiliate_ids === undefined || filter.affiliate_ids.length === 1;
}

/** Returns the statuses that a filter leaves. */
function statusesOf({ statuses = ALL_STATUSES, refunded }: TransactionFilter) {
  return refunded === true
    ? statuses.filter((status) => status === 'completed' || status === 'refunded')
    : statuses;
}

function soldIn(query: TransactionsQuery, { start_date, end_date }: DayRange): IndexRange[] {
  const range = { start_date, end_date };
  return rangesOn(query, 'sale_date', { range, condition: ANY, kinds: kindsOf(query) });
}

/** Returns the ranges of transactions that were sold by a day and refunded in the range. */
function refundedIn(query: TransactionsQuery, lastSale: string): IndexRange[] {
  const { viewer, filter, start_date, end_date } = query;
  // No other index has the refunds apart, since its rows are few compared with those of a vendor.
  const isOfAll = viewer.role === 'vendor' && (filter.email ?? filter.pre_key) === undefined;
  const condition = {
    sql: 'refund_date BETWEEN ? AND ?',
    values: [startOfDay(start_date), endOfDay(end_date)],
  };
  const range = { start_date: FIRST_DAY, end_date: lastSale };
  return rangesOn(query, isOfAll ? 'refunded_sale_date' : 'sale_date', {
    range,
    condition,
    kinds: null,
  });
}

function undatedIn(query: TransactionsQuery): IndexRange[] {
  const { start_date, end_date, filter } = query;
  const kinds = statusesOf(filter).flatMap((status) => UNDATED_OF_STATUS[status] ?? []);
  if (kinds.length === 0) return [];
  const range = { start_date, end_date };
  const condition = { sql: UNDATED, values: [] };
  return rangesOn(query, 'sale_date', { range, condition, kinds });
}

function rangesOn(
  query: TransactionsQuery,
  column: IndexRange['column'],
  { condition, kinds, range }: Pick<IndexRange, 'range' | 'condition' | 'kinds'>,
): IndexRange[] {
  const ties = query.viewer.role === 'vendor' ? VENDOR_TIES : AFFILIATE_TIES;
  return pathsOf(query, column).map(({ covers, ...path }) => ({
    ...path,
    column,
    range,
    ties,
    condition: both(condition, rowConditionOf(query.filter, covers)),
    // The sums of days are those of all customers.
    kinds: path.isChoice ? kinds : null,
  }));
}

/** Returns the paths to the rows of a query. Each row is on one of them. */
function pathsOf(
  { viewer, filter }: TransactionsQuery,
  column: IndexRange['column'],
): readonly IndexPath[] {
  const { user_id, role } = viewer;
  const { pre_key, email, affiliate_ids } = filter;
  if (role === 'affiliate') {
    return [chosen('transactions_by_affiliate', 'affiliate_id = ?', [user_id])];
  }
  if (pre_key !== undefined) {
    const owner = { sql: 'vendor_id = ? AND pre_key = ?', values: [user_id, pre_key] };
    const index = 'transactions_by_agreement';
    return [{ owner, daysOf: owner.sql, index, isChoice: false, covers: ['pre_key'] }];
  }
  if (email !== undefined) {
    const lookups = emailLookups(['customer_email'], { vendor_id: user_id, email });
    const indexes = ['transactions_by_customer', 'transactions_by_customer_email_folded'];
    return lookups.map((owner, at) => {
      const index = indexes[at] ?? '';
      return { owner, daysOf: owner.sql, index, isChoice: false, covers: ['email'] };
    });
  }
  if (affiliate_ids?.length === 1 && column === 'sale_date') {
    const values = [user_id, ...affiliate_ids];
    const path = chosen('transactions_by_affiliate', 'vendor_id = ? AND affiliate_id = ?', values);
    // The `+` keeps SQLite from using the index of all of a vendor's sales if an affiliate has few
    // of them; MariaDB and MySQL ignore it and choose an index by their statistics.
    return [{ ...path, daysOf: `+${path.owner.sql}`, covers: ['affiliate_ids'] }];
  }
  const isOfAll = column === 'sale_date';
  const index = isOfAll ? 'transactions_by_sale' : 'transactions_by_refunded_sale';
  return [chosen(index, 'vendor_id = ?', [user_id])];
}

function chosen(index: string, sql: string, values: readonly SqlValue[]): IndexPath {
  return { owner: { sql, values }, daysOf: sql, index, isChoice: true, covers: [] };
}

/** Returns the kinds of kept sums that show the days of sale on which a query can have rows. */
function kindsOf({ filter }: TransactionsQuery): IndexRange['kinds'] {
  const { product_ids, affiliate_ids, vendor_id, refunded } = filter;
  const kinds =
    refunded === true
      ? KINDS_OF_STATUS.refunded
      : statusesOf(filter).flatMap((status) => KINDS_OF_STATUS[status]);
  const hasItems = (product_ids ?? affiliate_ids ?? vendor_id) !== undefined;
  return hasItems || !kinds.includes('sale') ? kinds : null;
}

/** Returns the condition on rows for the fields of a filter that the index does not cover. */
function rowConditionOf(
  filter: TransactionFilter,
  covered: readonly (keyof TransactionFilter)[],
): Condition {
  const isLeft = (name: keyof TransactionFilter) => !covered.includes(name);
  return [
    ...(isLeft('statuses') ? [oneOf('status', filter.statuses)] : []),
    oneOf('product_id', filter.product_ids),
    ...(isLeft('affiliate_ids') ? [oneOf('affiliate_id', filter.affiliate_ids)] : []),
    compared('vendor_id = ?', filter.vendor_id),
    refundedCondition(filter.refunded),
    ...(isLeft('email') ? [emailCondition(filter.email)] : []),
    ...(isLeft('pre_key') ? [compared('pre_key = ?', filter.pre_key)] : []),
    commissionCondition(filter.commission_statuses),
    compared('amount >= ?', filter.least_amount),
    compared('amount <= ?', filter.most_amount),
    ...TRACKING_FIELDS.map((field) => compared(`${field} = ?`, filter.tracking?.[field])),
  ].reduce(both, ANY);
}

function oneOf(column: string, wanted: readonly SqlValue[] | undefined): Condition {
  if (wanted === undefined) return ANY;
  return wanted.length === 0 ? NONE : isOneOf(column, wanted);
}

function compared(sql: string, value: SqlValue | undefined): Condition {
  return value === undefined ? ANY : { sql, values: [value] };
}

function refundedCondition(refunded: boolean | undefined): Condition {
  if (refunded === undefined) return ANY;
  return { sql: refunded ? IS_REFUND : `NOT ${IS_REFUND}`, values: [] };
}

/** Sales without an affiliate have a status as well, but no commission. */
function commissionCondition(statuses: TransactionFilter['commission_statuses']): Condition {
  if (statuses === undefined) return ANY;
  return both(
    { sql: 'affiliate_id IS NOT NULL', values: [] },
    oneOf('affiliate_commission_status', statuses),
  );
}

function emailCondition(email: string | undefined): Condition {
  if (email === undefined) return ANY;
  const folded = spelledAlike(email);
  return { sql: '(customer_email = ? OR customer_email_folded = ?)', values: [folded, folded] };
}

function both(one: Condition, other: Condition): Condition {
  if (one === ANY) return other;
  if (other === ANY) return one;
  return { sql: `${one.sql} AND ${other.sql}`, values: [...one.values, ...other.values] };
}
