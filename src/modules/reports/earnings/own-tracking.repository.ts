import { Injectable } from '@nestjs/common';
import { occasionsOf } from '../../../ledger/sums/kept-sums.model.js';
import { MONEY_OF_LEDGER } from '../../../ledger/sums/report-sums.js';
import { type Attribution, kindsOf, listed } from '../../../ledger/sums/sum-parts.js';
import type { TransactionStatus } from '../../../ledger/reads/transaction.model.js';
import type { Reader } from '../../../platform/database/database.js';
import { endOfDay, startOfDay } from '../../../platform/values/time.js';
import type { FigureRow } from '../figures/figure-row.model.js';
import type { DayRange } from '../report.model.js';
import { allDays } from '../sums/kept-sources.js';
import { TRACKED_PARTS } from '../tracking/tracking-report.model.js';
import type { OwnSales, OwnTrackingRequest } from './own-tracking.model.js';

/** A day of sale and its number of transactions. */
export interface SoldDay {
  readonly day: string;
  readonly transactions: number;
}

/** Sums of transactions that count alike. Money is in cents. */
interface OwnRow {
  readonly tid: string | null;
  readonly status: TransactionStatus;
  readonly is_dated: number;
  /** 1 if the refund or chargeback counts in the range by its date. */
  readonly is_returned: number;
  readonly transactions: number;
  readonly sold_amount: string;
  readonly sold_affiliate: string;
  readonly returned_amount: string;
  readonly returned_affiliate: string;
}

/** Kinds of kept sums that have each transaction once, on its day of sale. */
const SOLD_KINDS = listed(kindsOf(['sales', 'pending'], 'sale'));
const SUMS = (['sold', 'returned'] as const).flatMap((of) =>
  (['amount', 'affiliate'] as const).map((sum) => {
    return `CAST(COALESCE(SUM(${MONEY_OF_LEDGER[of][sum]}), 0) AS CHAR) AS ${of}_${sum}`;
  }),
);
/** The occasions of a row need some day, because only their kinds are used. */
const SOME_DAY = '2000-01-01';
const IS_RETURNED = 'refund_date BETWEEN ? AND ?';

/**
 * Adds up the sales that an affiliate referred by their tracking id with hand-written SQL, because
 * up to FigureBounds.salesOfPage of them are read.
 */
@Injectable()
export class OwnTrackingRepository {
  /** Returns the days of a range on which the affiliate referred sales, newest first. */
  days(reader: Reader, own: OwnSales, { start_date, end_date }: DayRange): Promise<SoldDay[]> {
    const { table, where, values } = allDays({ role: 'affiliate', user_id: own.affiliate_id });
    const vendor = vendorCondition(own);
    return reader.select<SoldDay>(
      `SELECT day, CAST(SUM(transactions) AS SIGNED) AS transactions FROM ${table}
        WHERE ${where}${vendor.sql} AND day BETWEEN ? AND ? AND kind IN (${SOLD_KINDS})
        GROUP BY day ORDER BY day DESC`,
      [...values, ...vendor.values, start_date, end_date],
    );
  }

  /** Returns the sums of the sales that were made on some days and count in the range. */
  async rows(reader: Reader, request: OwnTrackingRequest, days: DayRange): Promise<FigureRow[]> {
    const vendor = vendorCondition(request);
    const returned = secondsOf(returnsIn(request));
    const isSold = days.start_date >= request.start_date;
    const rows = await reader.select<OwnRow>(
      `SELECT NULLIF(tid, '') AS tid, status, CASE WHEN refund_date IS NULL THEN 0 ELSE 1 END AS is_dated,
          CASE WHEN ${IS_RETURNED} THEN 1 ELSE 0 END AS is_returned,
          CAST(COUNT(*) AS SIGNED) AS transactions, ${SUMS.join(', ')}
        FROM transactions /*! FORCE INDEX (transactions_by_affiliate) */
        WHERE affiliate_id = ? AND sale_date BETWEEN ? AND ?${vendor.sql}
          ${isSold ? '' : `AND ${IS_RETURNED}`}
        GROUP BY 1, 2, 3, 4`,
      [
        ...returned,
        request.affiliate_id,
        ...secondsOf(days),
        ...vendor.values,
        ...(isSold ? [] : returned),
      ],
    );
    return rows.flatMap((row) => figureRowsOf(row, request.attribution, isSold));
  }
}

/** The `+` keeps SQLite from using an index by vendor. */
function vendorCondition({ vendor_id }: OwnSales) {
  return vendor_id === undefined
    ? { sql: '', values: [] }
    : { sql: ' AND +vendor_id = ?', values: [vendor_id] };
}

/** Returns the days of refunds that count: by the sale, those of a sale count on any day. */
function returnsIn({ attribution, start_date, end_date }: OwnTrackingRequest): DayRange {
  if (attribution === 'refund') return { start_date, end_date };
  return { start_date: '1000-01-01', end_date: '9999-12-31' };
}

function secondsOf({ start_date, end_date }: DayRange): [first: string, last: string] {
  return [startOfDay(start_date), endOfDay(end_date)];
}

/**
 * Returns the sums of each kind under which the transactions of a row count.
 * @param isSold true if they were sold in the range
 */
function figureRowsOf(row: OwnRow, attribution: Attribution, isSold: boolean): FigureRow[] {
  const { tid: item, status, transactions } = row;
  const kinds = kindsOf(TRACKED_PARTS, attribution);
  const refund_date = row.is_dated === 1 ? SOME_DAY : null;
  return occasionsOf({ sale_date: SOME_DAY, status, refund_date }).flatMap(({ kind, money }) => {
    const isReturn = money === 'returned';
    if (!kinds.includes(kind) || !(isReturn ? row.is_returned === 1 : isSold)) return [];
    const sums = {
      none: {},
      pending: {},
      sold: { amount: row.sold_amount, affiliate: row.sold_affiliate },
      returned: { amount: row.returned_amount, affiliate: row.returned_affiliate },
    }[money];
    return [{ ...sums, item, bucket: '', kind, transactions }];
  });
}
