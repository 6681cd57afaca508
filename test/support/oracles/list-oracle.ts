/**
 * Computes the expected list of version 3.0 in memory by filtering, sorting and slicing, as
 * docs/api.md#the-list-of-30 describes it. It shares no code with the service.
 */
import type { MoneyText, SaleRecord } from '../random/random-ledgers.js';
import { TRACKING_NAMES } from './shape.js';

export interface ListQuery {
  readonly start_date: string;
  readonly end_date: string;
  /** The request leaves out an absent field, so that the default applies. */
  readonly page_size?: number;
  readonly page_index?: number;
}

/** Returns the query string of the request. */
export function queryText(query: ListQuery): string {
  return Object.entries(query)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('&');
}

const STATUS: Readonly<Record<string, string>> = {
  pending: 'pending',
  completed: 'settled',
  refunded: 'refunded',
  charged_back: 'chargeback',
};

/**
 * One vendor's ledger. Each transaction has its latest version, at the place of its first arrival.
 */
export class ListOracle {
  private constructor(
    private readonly sales: ReadonlyMap<string, SaleRecord>,
    private readonly displayNames: ReadonlyMap<number, string | null>,
  ) {}

  static empty(): ListOracle {
    return new ListOracle(new Map(), new Map());
  }

  /** Returns the ledger with more transactions. The map keeps the places of existing ones. */
  withSales(records: readonly SaleRecord[]): ListOracle {
    const sales = new Map(this.sales);
    for (const record of records) sales.set(record.transaction_id, record);
    return new ListOracle(sales, this.displayNames);
  }

  withDisplayName(affiliate_id: number, display_name: string | null): ListOracle {
    return new ListOracle(
      this.sales,
      new Map([...this.displayNames, [affiliate_id, display_name]]),
    );
  }

  /** Returns all sales in a range, in the order of the list. */
  matching(start_date: string, end_date: string): readonly SaleRecord[] {
    const isInside = (moment: string | undefined) => {
      const day = moment?.slice(0, 10) ?? '';
      return day >= start_date && day <= end_date;
    };
    return [...this.sales.values()]
      .map((record, arrival) => ({ record, arrival, ...momentsOf(record) }))
      .filter(({ sold, refunded }) => isInside(sold) || isInside(refunded))
      .sort((left, right) =>
        left.sold === right.sold ? right.arrival - left.arrival : left.sold < right.sold ? 1 : -1,
      )
      .map(({ record }) => record);
  }

  /** Returns all sales in a range as the list shows them. */
  shown(start_date: string, end_date: string): object[] {
    return this.matching(start_date, end_date).map((record) => this.presented(record));
  }

  /** Returns the whole body of the response. */
  answer(query: ListQuery): object {
    const { start_date, end_date, page_size = 50, page_index = 0 } = query;
    const all = this.matching(start_date, end_date);
    const page = all.slice(page_index * page_size, (page_index + 1) * page_size);
    return {
      meta: {
        status: { http_status_code: 200, code: 2000, message: 'Success', detail: null },
        results_count: page.length,
        api_version: '3.0',
        total_count: all.length,
        pagination: { page_size, page_index, has_more: (page_index + 1) * page_size < all.length },
      },
      results: page.map((record) => this.presented(record)),
    };
  }

  private presented(record: SaleRecord): object {
    const { affiliate_id, customer, refund } = record;
    const tracking: Readonly<Record<string, string | null>> = record.tracking ?? {};
    return {
      transaction_id: record.transaction_id,
      sale_date: utc(record.sale_date),
      product_id: record.product_id,
      product_name: record.product_name,
      amount: money(record.amount),
      status: STATUS[record.status],
      customer: {
        email: customer.email,
        first_name: customer.first_name,
        last_name: customer.last_name,
      },
      affiliate:
        affiliate_id === null
          ? null
          : { id: affiliate_id, display_name: this.displayNames.get(affiliate_id) ?? null },
      tracking: Object.fromEntries(TRACKING_NAMES.map((field) => [field, tracking[field] ?? null])),
      payouts: allMoney(record.payouts),
      refund:
        refund === null
          ? null
          : { ...allMoney(refund.amounts), refund_date: utc(refund.refund_date) },
    };
  }
}

interface Moments {
  readonly sold: string;
  readonly refunded: string | undefined;
}

/** Caches the moments of each record, because many pages of a ledger are computed. */
const moments = new WeakMap<SaleRecord, Moments>();

function momentsOf(record: SaleRecord): Moments {
  const known = moments.get(record);
  if (known !== undefined) return known;
  const { sale_date, refund } = record;
  const found = {
    sold: utc(sale_date),
    refunded: refund === null ? undefined : utc(refund.refund_date),
  };
  moments.set(record, found);
  return found;
}

/** Returns `2025-06-01T14:03:11.5-04:00` as `2025-06-01T18:03:11+00:00`. */
function utc(text: string): string {
  return `${new Date(text).toISOString().slice(0, 19)}+00:00`;
}

/** Returns `-7.5` as `-7.50`. */
function money(text: MoneyText): string {
  const [whole = '', fraction = ''] = text.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

function allMoney(texts: Readonly<Record<string, MoneyText>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, money(text)]));
}
