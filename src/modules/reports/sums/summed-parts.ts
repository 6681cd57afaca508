import type { SumKind } from '../../transactions/sums/kept-sums.model.js';
import type { Attribution, DayRange } from '../report.model.js';
import { kindsOf, PART_OF, SUM_PARTS, type PartSums } from './report-sums.model.js';
import type { SumsSource } from './sums-source.js';

/** A row of sums. Money is text, because a JavaScript number may not hold a sum exactly. */
export interface SumsRow {
  readonly kind: SumKind;
  readonly transactions: number;
  readonly amount: string;
  readonly earnings: string;
  readonly commissions: string;
  readonly fees: string;
}

/** Returns a SELECT of sums; the caller adds further conditions and GROUP BY. */
export function summed(
  key: string,
  { table, where, values, earnings, commissions, fees }: SumsSource,
  { start_date, end_date }: DayRange,
  attribution: Attribution,
) {
  const kinds = kindsOf(SUM_PARTS, attribution);
  const text = (sum: string) => `CAST(SUM(${sum}) AS CHAR)`;
  const sql = `SELECT ${key}, kind, CAST(SUM(transactions) AS SIGNED) AS transactions,
      ${text('amount')} AS amount, ${text(earnings)} AS earnings,
      ${text(commissions)} AS commissions, ${text(fees)} AS fees
    FROM ${table} WHERE ${where} AND kind IN (${listed(kinds)}) AND day BETWEEN ? AND ?`;
  return { sql, values: [...values, start_date, end_date] };
}

export function listed(kinds: readonly SumKind[]): string {
  return kinds.map((kind) => `'${kind}'`).join(', ');
}

export function partSums(row: SumsRow, sign: 1 | -1): PartSums {
  return {
    part: PART_OF[row.kind],
    transactions: sign * row.transactions,
    amount: signed(row.amount, sign),
    earnings: signed(row.earnings, sign),
    commissions: signed(row.commissions, sign),
    fees: signed(row.fees, sign),
  };
}

/** Returns a kept sum with the sign with which it is added up. */
export function signed(text: string, sign: 1 | -1): bigint {
  return sign === 1 ? BigInt(text) : -BigInt(text);
}
