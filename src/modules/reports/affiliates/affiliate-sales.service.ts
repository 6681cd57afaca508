import { Injectable } from '@nestjs/common';
import { daysAfter, todayInUtc } from '../../../platform/values/time.js';
import type { ListedSale } from '../lists/report-list.model.js';
import { ReportListsService } from '../lists/report-lists.service.js';
import type { DayRange } from '../report.model.js';
import type { FiguresRequest } from './affiliate-figures.model.js';

/** Sales that the page of an affiliate shows. */
const SHOWN = 5;
/** A sale that is older than these days says little about the commission of today. */
const RECENT_DAYS = 365;

/** Describes a sale of an affiliate, with money in cents. */
export interface AffiliateSale extends Pick<
  ListedSale,
  'transaction_id' | 'sale_date' | 'product_id' | 'product_name' | 'amount' | 'status'
> {
  /** The affiliate earned this in the range, after a refund or chargeback in it. */
  readonly commission: bigint;
}

/** The affiliate whose sales are read, and optionally one of the products. */
interface Sold {
  readonly affiliate_id: number;
  readonly product_id?: number;
}

/** Says what an affiliate earned with a sale. */
export type PaidSale = Pick<AffiliateSale, 'amount' | 'commission'>;

/** Reads the sales of an affiliate, each with its commission. */
@Injectable()
export class AffiliateSalesService {
  constructor(private readonly lists: ReportListsService) {}

  /** Returns the last sales of a range, without pending ones. */
  async lastSales(request: FiguresRequest, affiliate_id: number): Promise<AffiliateSale[]> {
    const sales = await this.newest(request, { affiliate_id });
    return sales.slice(0, SHOWN);
  }

  /** Returns the newest sale of a product that was not refunded; null if there is none lately. */
  async lastPaid(vendor_id: number, sold: Required<Sold>): Promise<PaidSale | null> {
    const [last = null] = await this.paidLately(vendor_id, sold);
    return last;
  }

  /** Returns such a sale by the id of each product that has one on the first page of all sales. */
  async lastPaidByProduct(
    vendor_id: number,
    affiliate_id: number,
  ): Promise<ReadonlyMap<number, PaidSale>> {
    const paid = await this.paidLately(vendor_id, { affiliate_id });
    return new Map(paid.toReversed().map((sale) => [sale.product_id, sale]));
  }

  private async paidLately(vendor_id: number, sold: Sold): Promise<AffiliateSale[]> {
    const today = todayInUtc();
    const range = { start_date: daysAfter(today, -RECENT_DAYS), end_date: today };
    const sales = await this.newest({ vendor_id, ...range, attribution: 'sale' }, sold);
    return sales.filter(({ status }) => status === 'completed');
  }

  /** Reads one page of transactions, and returns the sales of the range that are on it. */
  private async newest(
    { vendor_id: user_id, ...asked }: FiguresRequest,
    { affiliate_id: partner_id, ...product }: Sold,
  ): Promise<AffiliateSale[]> {
    const viewer = { role: 'vendor', user_id } as const;
    const figure = 'affiliate_commissions';
    const list = { ...asked, ...product, viewer, kind: 'all', figure, partner_id } as const;
    const transactions = await this.lists.firstOf(list);
    return transactions
      .filter((row) => row.status !== 'pending' && isSoldIn(row, asked))
      .map(({ in_period, ...row }) => ({ ...row, commission: in_period }));
  }
}

/** Returns true for a sale of the range, and not only a refund in it. */
function isSoldIn({ sale_date }: Pick<ListedSale, 'sale_date'>, { start_date }: DayRange): boolean {
  return sale_date >= start_date;
}
