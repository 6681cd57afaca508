import type { Column } from '../../../common/columns.js';
import { formatDecimal, RATE_PLACES } from '../../../common/money.js';
import {
  UNPAID_AGES,
  type AffiliateFigures,
  type AffiliateRow,
} from './affiliate-figures.model.js';

/**
 * Columns of the affiliates' CSV file. Rates have the format of the statistics of API 2.1, and are
 * empty if unknown.
 */
export const AFFILIATE_TABLE_COLUMNS: readonly Column<AffiliateRow>[] = [
  { name: 'affiliate_id', kind: 'number', valueOf: ({ id }) => id },
  { name: 'affiliate_name', kind: 'text', valueOf: ({ name }) => name },
  { name: 'sales', kind: 'number', valueOf: ({ figures }) => figures.sales },
  { name: 'gross', kind: 'money', valueOf: ({ figures }) => figures.gross },
  { name: 'commission', kind: 'money', valueOf: ({ figures }) => figures.commission },
  { name: 'refunds', kind: 'number', valueOf: ({ figures }) => figures.refunds },
  rateColumn('refund_rate', (figures) => figures.refund_rate),
  { name: 'chargebacks', kind: 'number', valueOf: ({ figures }) => figures.chargebacks },
  rateColumn('chargeback_rate', (figures) => figures.chargeback_rate),
  { name: 'clicks', kind: 'number', valueOf: ({ figures }) => figures.clicks },
  { name: 'unique_clicks', kind: 'number', valueOf: ({ figures }) => figures.unique_clicks },
  rateColumn('conversion_rate', (figures) => figures.conversion),
  ...UNPAID_AGES.map((age): Column<AffiliateRow> => ({
    name: `unpaid_${age.replace('-', '_')}`,
    kind: 'money',
    valueOf: ({ figures }) => figures.unpaid[age],
  })),
];

function rateColumn(
  name: string,
  rateOf: (figures: AffiliateFigures) => bigint | null,
): Column<AffiliateRow> {
  return {
    name,
    kind: 'word',
    valueOf: ({ figures }) => {
      const rate = rateOf(figures);
      return rate === null ? null : formatDecimal(rate, RATE_PLACES);
    },
  };
}
