import type { Tables } from './create-table.js';
import { DAY, INTEGER, TEXT, WORD } from './column-types.js';

/** The kept sums of each ledger. */
export const SUM_TABLES: Tables = {
  sale_counts: {
    columns: { vendor_id: INTEGER, sale_day: DAY, sales: INTEGER },
    primaryKey: ['vendor_id', 'sale_day'],
  },
  refund_counts: {
    columns: { vendor_id: INTEGER, refund_day: DAY, sale_day: DAY, refunds: INTEGER },
    primaryKey: ['vendor_id', 'refund_day', 'sale_day'],
  },
  affiliate_sales: {
    columns: {
      affiliate_id: INTEGER,
      product_id: INTEGER,
      sales: INTEGER,
      refunds: INTEGER,
      chargebacks: INTEGER,
      revenue: INTEGER,
      refund_amount: INTEGER,
      commission_earned: INTEGER,
      commission_paid: INTEGER,
    },
    primaryKey: ['affiliate_id', 'product_id'],
  },
  vendor_sums: {
    columns: {
      vendor_id: INTEGER,
      series: WORD,
      kind: WORD,
      day: DAY,
      item_id: INTEGER,
      transactions: INTEGER,
      amount: INTEGER,
      earnings: INTEGER,
      commissions: INTEGER,
      fees: INTEGER,
    },
    primaryKey: ['vendor_id', 'series', 'kind', 'day', 'item_id'],
  },
  affiliate_day_sums: {
    columns: {
      vendor_id: INTEGER,
      kind: WORD,
      day: DAY,
      affiliate_id: INTEGER,
      product_id: INTEGER,
      transactions: INTEGER,
      amount: INTEGER,
      earnings: INTEGER,
      commission: INTEGER,
    },
    primaryKey: ['vendor_id', 'kind', 'day', 'affiliate_id', 'product_id'],
    indexes: { affiliate_day_sums_by_affiliate: ['affiliate_id', 'day'] },
  },
  refund_cohorts: {
    columns: {
      vendor_id: INTEGER,
      series: WORD,
      item_id: INTEGER,
      sale_month: DAY,
      refund_month: DAY,
      kind: WORD,
      transactions: INTEGER,
      amount: INTEGER,
    },
    primaryKey: ['vendor_id', 'series', 'item_id', 'sale_month', 'refund_month', 'kind'],
  },
  unpaid_commissions: {
    columns: {
      vendor_id: INTEGER,
      series: WORD,
      day: DAY,
      affiliate_id: INTEGER,
      sales: INTEGER,
      commission: INTEGER,
    },
    primaryKey: ['vendor_id', 'series', 'day', 'affiliate_id'],
  },
  recurring_sums: {
    columns: { vendor_id: INTEGER, status: WORD, day: DAY, agreements: INTEGER, amount: INTEGER },
    primaryKey: ['vendor_id', 'status', 'day'],
  },
  tracking_values: {
    columns: { vendor_id: INTEGER, field: WORD, id: INTEGER, value: TEXT },
    primaryKey: ['vendor_id', 'field', 'id'],
    unique: { tracking_values_by_value: ['vendor_id', 'field', 'value'] },
  },
  tracking_sums: {
    columns: {
      vendor_id: INTEGER,
      series: WORD,
      kind: WORD,
      day: DAY,
      value_id: INTEGER,
      transactions: INTEGER,
      amount: INTEGER,
      earnings: INTEGER,
    },
    primaryKey: ['vendor_id', 'series', 'kind', 'day', 'value_id'],
  },
};
