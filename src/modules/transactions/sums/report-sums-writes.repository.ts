import { Injectable } from '@nestjs/common';
import { monthOf } from '../../../common/time.js';
import { selectByKeys } from '../../../database/bulk.js';
import type { Session } from '../../../database/database.js';
import type { TransactionRecord } from '../../../ledger-format/transaction.record.js';
import {
  AFFILIATE_DAY_SUMS,
  VENDOR_SUMS,
  type AffiliateDaySum,
  type SumSeries,
  type VendorSum,
} from './kept-sums.model.js';
import type { ProductCount } from '../../products/product.model.js';
import type { LedgerChange } from '../writes/transaction-writes.model.js';
import { occasionsOf, type Occasion } from './counted-as.model.js';
import { signedRecords, type SignedRecord } from './ledger-changes.js';
import { SumChanges } from '../../../database/sum-changes.js';

const VENDOR = {
  table: 'vendor_sums',
  key: ['vendor_id', 'series', 'kind', 'day', 'item_id'],
  sums: VENDOR_SUMS,
} as const;
const AFFILIATE = {
  table: 'affiliate_day_sums',
  key: ['vendor_id', 'kind', 'day', 'affiliate_id', 'product_id'],
  sums: AFFILIATE_DAY_SUMS,
} as const;

/** Counts the transactions of a product or an affiliate. */
interface ItemSales {
  readonly item_id: number;
  readonly sales: number;
}

export interface ReportSumChanges {
  readonly ofVendors: SumChanges<VendorSum>;
  readonly ofAffiliates: SumChanges<AffiliateDaySum>;
}

/** Maintains the kept sums of reports. */
@Injectable()
export class ReportSumsWritesRepository {
  /** Computes how the changes of the ledger change the kept sums. */
  changesBy(changes: readonly LedgerChange[]): ReportSumChanges {
    const sums = { ofVendors: new SumChanges(VENDOR), ofAffiliates: new SumChanges(AFFILIATE) };
    for (const change of signedRecords(changes)) add(sums, change);
    return sums;
  }

  /** Counts the transactions of each of these products of a vendor, including pending ones. */
  async salesOfProducts(
    session: Session,
    vendor_id: number,
    product_ids: readonly number[],
  ): Promise<ProductCount[]> {
    const found = await this.salesOf(session, vendor_id, 'product_month', product_ids);
    return found.map(({ item_id, sales }) => ({ product_id: item_id, found: sales }));
  }

  /**
   * Returns those of these affiliates who have a transaction of a vendor, including pending ones.
   */
  async affiliatesOf(
    session: Session,
    vendor_id: number,
    affiliate_ids: readonly number[],
  ): Promise<number[]> {
    const found = await this.salesOf(session, vendor_id, 'affiliate_month', affiliate_ids);
    return found.map(({ item_id }) => item_id);
  }

  /**
   * Counts transactions from the kept sums of months, which have far fewer rows than the ledger has
   * transactions.
   */
  private salesOf(
    session: Session,
    vendor_id: number,
    series: SumSeries,
    ids: readonly number[],
  ): Promise<ItemSales[]> {
    return selectByKeys<ItemSales>(
      session,
      'SELECT item_id, CAST(SUM(transactions) AS SIGNED) AS sales FROM vendor_sums',
      ['item_id'],
      ids.map((id) => [id]),
      "AND vendor_id = ? AND series = ? AND kind IN ('sale', 'pending') GROUP BY item_id",
      [vendor_id, series],
    );
  }

  async apply(session: Session, { ofVendors, ofAffiliates }: ReportSumChanges): Promise<void> {
    await ofVendors.save(session);
    await ofAffiliates.save(session);
  }
}

/** Contains amounts in cents. */
interface Money {
  readonly amount: number;
  readonly earnings: number;
  readonly affiliate: number;
  readonly others: number;
  readonly fees: number;
}

function add(
  { ofVendors, ofAffiliates }: ReportSumChanges,
  { record, sign, vendor_id }: SignedRecord,
): void {
  const { product_id, affiliate_id } = record;
  for (const { kind, day, money } of occasionsOf(record)) {
    const { amount, earnings, affiliate, others, fees } = MONEY[money](record);
    const month = monthOf(day);
    const base = { transactions: 1, amount, earnings };
    const all = { ...base, commissions: affiliate + others, fees };
    ofVendors.add([vendor_id, 'total', kind, day, 0], all, sign);
    ofVendors.add([vendor_id, 'product', kind, day, product_id], all, sign);
    ofVendors.add([vendor_id, 'product_month', kind, month, product_id], all, sign);
    if (affiliate_id === null) continue;
    const ofMonth = { ...base, commissions: affiliate };
    ofVendors.add([vendor_id, 'affiliate_month', kind, month, affiliate_id], ofMonth, sign);
    const ofDay = { ...base, commission: affiliate };
    ofAffiliates.add([vendor_id, kind, day, affiliate_id, product_id], ofDay, sign);
  }
}

const NO_MONEY: Money = { amount: 0, earnings: 0, affiliate: 0, others: 0, fees: 0 };

const MONEY: Readonly<Record<Occasion['money'], (record: TransactionRecord) => Money>> = {
  none: () => NO_MONEY,
  pending: ({ amount }) => ({ ...NO_MONEY, amount }),
  sold: (record) => ({
    amount: record.amount,
    earnings: record.seller_earnings,
    affiliate: record.affiliate_payout,
    others: record.agent_payout + record.jv_payout,
    fees: record.service_fee,
  }),
  returned: (record) => ({
    amount: record.refund_amount ?? 0,
    earnings: record.seller_refund_impact ?? 0,
    affiliate: record.affiliate_refund_impact ?? 0,
    others: (record.agent_refund_impact ?? 0) + (record.jv_refund_impact ?? 0),
    fees: record.service_fee_adjustment ?? 0,
  }),
};
