import { recordOf } from '../../platform/values/record-of.js';
import type { TransactionRecord } from '../records/transaction.record.js';
import { occasionsOf } from './kept-sums.model.js';
import { MONEY, SUMMED_COLUMNS } from './report-sums.js';
import { AMOUNT_OF, type Attribution, kindsOf, PART_OF, SUM_PARTS } from './sum-parts.js';

/** Sums of money that count for all kinds but pending transactions, after refunds. */
const NET_SUMS = ['earnings', 'fees', 'affiliate', 'agent', 'jv'] as const;
const MONEY_COUNTS = [...Object.values(AMOUNT_OF), ...NET_SUMS] as const;

/** Amounts in cents of transactions, from which the figures of a list follow. */
type MoneyCounts = Record<(typeof MONEY_COUNTS)[number], bigint>;

/**
 * Figures that the transactions of a list add up to, by name. Each is a sum of counts, so the
 * figures of the transactions add up to that of the list.
 */
export const LIST_FIGURES = {
  gross: ({ gross }) => gross,
  seller_earnings: ({ earnings }) => earnings,
  service_fees: ({ fees }) => fees,
  commissions: commissionsOf,
  affiliate_commissions: ({ affiliate }) => affiliate,
  agent_commissions: ({ agent }) => agent,
  jv_commissions: ({ jv }) => jv,
  refunded: ({ refunded }) => refunded,
  charged_back: ({ charged_back }) => charged_back,
  pending_amount: ({ pending_amount }) => pending_amount,
  other: (counts) => {
    const { gross, refunded, charged_back, fees, earnings } = counts;
    return earnings + fees + commissionsOf(counts) + refunded + charged_back - gross;
  },
} as const satisfies Readonly<Record<string, (counts: Readonly<MoneyCounts>) => bigint>>;
export type ListFigure = keyof typeof LIST_FIGURES;
export const LIST_FIGURE_NAMES = Object.keys(LIST_FIGURES).filter(isListFigure);

function isListFigure(name: string): name is ListFigure {
  return Object.hasOwn(LIST_FIGURES, name);
}

function commissionsOf({ affiliate, agent, jv }: Readonly<MoneyCounts>): bigint {
  return affiliate + agent + jv;
}

/** The figure that a list adds up to, and the days whose sales, refunds and chargebacks count. */
export interface CountedFigure {
  readonly figure: ListFigure;
  readonly start_date: string;
  readonly end_date: string;
  readonly attribution: Attribution;
}

/** Columns of a transaction that decide how much of it a figure counts. */
export const COUNTED_COLUMNS = ['sale_date', 'status', 'refund_date', ...SUMMED_COLUMNS] as const;
export type CountedRow = Pick<TransactionRecord, (typeof COUNTED_COLUMNS)[number]>;

const KINDS = {
  sale: new Set(kindsOf(SUM_PARTS, 'sale')),
  refund: new Set(kindsOf(SUM_PARTS, 'refund')),
} as const;

/**
 * Returns how much of a transaction a figure counts, in cents: of a sale in the range its share,
 * and of a refund or chargeback in the range what it took back.
 */
export function countedOf(row: CountedRow, counted: CountedFigure): bigint {
  const { figure, start_date, end_date, attribution } = counted;
  const counts: MoneyCounts = recordOf(MONEY_COUNTS, () => 0n);
  for (const { kind, day, money } of occasionsOf(row)) {
    if (day < start_date || day > end_date || !KINDS[attribution].has(kind)) continue;
    const sums = MONEY[money](row);
    counts[AMOUNT_OF[PART_OF[kind]]] += BigInt(sums.amount);
    for (const sum of NET_SUMS) counts[sum] += BigInt(sums[sum]);
  }
  return LIST_FIGURES[figure](counts);
}
