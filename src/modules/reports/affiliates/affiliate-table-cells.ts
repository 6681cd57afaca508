import type { Cell } from '../../../common/csv.js';
import { formatCents, formatDecimal, RATE_PLACES } from '../../../common/money.js';
import { UNPAID_AGES, type AffiliateRow } from './affiliate-figures.model.js';

export const AFFILIATE_TABLE_COLUMNS = [
  ...['affiliate_id', 'affiliate_name', 'sales', 'gross', 'commission'],
  ...['refunds', 'refund_rate', 'chargebacks', 'chargeback_rate'],
  ...['clicks', 'unique_clicks', 'conversion_rate'],
  ...['unpaid_0_30', 'unpaid_31_60', 'unpaid_61_90', 'unpaid_over_90'],
] as const;

/** In the order of `AFFILIATE_TABLE_COLUMNS`; rates as in the statistics of 2.1, empty if not known. */
export function affiliateTableCells({ id, name, figures }: AffiliateRow): Cell[] {
  return [
    ...[{ value: id }, { text: name }, { value: figures.sales }],
    ...[{ value: formatCents(figures.gross) }, { value: formatCents(figures.commission) }],
    ...[{ value: figures.refunds }, rateCell(figures.refund_rate)],
    ...[{ value: figures.chargebacks }, rateCell(figures.chargeback_rate)],
    ...[{ value: figures.clicks ?? '' }, { value: figures.unique_clicks ?? '' }],
    rateCell(figures.conversion),
    ...UNPAID_AGES.map((age) => ({ value: formatCents(figures.unpaid[age]) })),
  ];
}

function rateCell(rate: bigint | null): Cell {
  return { value: rate === null ? '' : formatDecimal(rate, RATE_PLACES) };
}
