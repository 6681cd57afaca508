import { dayOf, daysAfter, endOfDay, startOfDay } from '../../../platform/values/time.js';
import type { SqlValue } from '../../../platform/database/database.js';
import type { TransactionStatus } from '../../../ledger/reads/transaction.model.js';
import { IS_REFUND } from '../../../ledger/sums/kept-sums.model.js';
import type { SumKind } from '../../../ledger/sums/kept-sums.model.js';
import type { DayRange } from '../report.model.js';
import { kindsOf } from '../sums/report-sums.model.js';
import type { ReportCriteria, ReportCursor } from './report-list.model.js';

/** A range of an index that contains rows of a list, and the condition for those rows. */
export interface IndexRange {
  /** `refunded_sale_date` is the sale date of refunded transactions only. */
  readonly column: 'sale_date' | 'refunded_sale_date';
  /** Days on which the sales were made. */
  readonly range: DayRange;
  readonly condition: string;
  readonly values: readonly SqlValue[];
  /** Kinds of kept sums that show which days have rows; null if nearly every row matches. */
  readonly kinds: readonly SumKind[] | null;
}

/** A day before every possible transaction. */
const FIRST_DAY = '1000-01-01';
const STATUSES = {
  refunds: {
    all: IS_REFUND,
    dated: "status IN ('refunded', 'completed')",
    undated: "status = 'refunded' AND refund_date IS NULL",
  },
  chargebacks: {
    all: "status = 'charged_back'",
    dated: "status = 'charged_back'",
    undated: "status = 'charged_back' AND refund_date IS NULL",
  },
} as const;
const UNDATED = {
  refunds: ['undated_refund'],
  chargebacks: ['undated_chargeback'],
} as const;

/** Kinds of kept sums whose days of sale can have transactions of a status. */
const KINDS_OF_STATUS: Readonly<Partial<Record<TransactionStatus, readonly SumKind[]>>> = {
  pending: ['pending'],
  refunded: kindsOf(['refunds'], 'sale'),
  charged_back: kindsOf(['chargebacks'], 'sale'),
};

/** Returns the disjoint index ranges with the transactions of a list. */
export function indexRangesOf(criteria: ReportCriteria): IndexRange[] {
  const { kind, attribution } = criteria;
  switch (kind) {
    case 'all': {
      const sold = soldOn(criteria, '1 = 1', kindsFor(criteria, ['sale', 'pending']));
      return attribution === 'sale' ? [sold] : [sold, refundedOn(criteria, 'of earlier sales')];
    }
    case 'sales':
      return [soldOn(criteria, "status <> 'pending'", kindsFor(criteria, ['sale']))];
    case 'pending':
      return [soldOn(criteria, "status = 'pending'", ['pending'])];
    case 'refunds':
    case 'chargebacks': {
      const statuses = STATUSES[kind];
      if (attribution === 'sale') {
        return [soldOn(criteria, statuses.all, kindsOf([kind], attribution))];
      }
      return [
        refundedOn(criteria, 'of all sales', statuses.dated),
        soldOn(criteria, statuses.undated, UNDATED[kind]),
      ];
    }
  }
}

/** @param all the kinds of kept sums that cover all sales of the list */
function kindsFor({ filter, rows }: ReportCriteria, all: readonly SumKind[]): IndexRange['kinds'] {
  const ofStatus = rows.status === undefined ? undefined : KINDS_OF_STATUS[rows.status];
  return ofStatus ?? (Object.keys(filter).length > 0 ? all : null);
}

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

/** Merges consecutive days into ranges. */
export function rangesOf(days: readonly string[]): DayRange[] {
  const ranges: { start_date: string; end_date: string }[] = [];
  for (const day of [...days].sort()) {
    const last = ranges.at(-1);
    if (last !== undefined && daysAfter(last.end_date, 1) === day) last.end_date = day;
    else ranges.push({ start_date: day, end_date: day });
  }
  return ranges;
}

function soldOn(
  { start_date, end_date }: DayRange,
  condition: string,
  kinds: IndexRange['kinds'],
): IndexRange {
  const range = { start_date, end_date };
  return { column: 'sale_date', range, condition, values: [], kinds };
}

function refundedOn(
  { viewer, start_date, end_date }: ReportCriteria,
  sales: 'of earlier sales' | 'of all sales',
  status = '1 = 1',
): IndexRange {
  const lastSale = sales === 'of all sales' ? end_date : daysAfter(start_date, -1);
  return {
    // No index has an affiliate's refunds, since an affiliate has few sales compared with a vendor.
    column: viewer.role === 'vendor' ? 'refunded_sale_date' : 'sale_date',
    range: { start_date: FIRST_DAY, end_date: lastSale },
    condition: `refund_date BETWEEN ? AND ? AND ${status}`,
    values: [startOfDay(start_date), endOfDay(end_date)],
    kinds: null,
  };
}
