/** Sums over all sales of a customer, with money in cents. Pending transactions are no sales. */
export interface CustomerSums {
  /** Number of transactions, pending ones included. */
  readonly transactions: number;
  readonly sales: number;
  /** Date-times are in UTC and null without sales. */
  readonly first_sale_date: string | null;
  readonly last_sale_date: string | null;
  /** Amounts of the sales, before refunds and chargebacks. */
  readonly gross: bigint;
  /** Amounts of the refunds. Chargebacks are no refunds. */
  readonly refunded: bigint;
  /** Earnings of the vendor, after what refunds and chargebacks took back. */
  readonly seller_earnings: bigint;
}

/** A customer as a sale names them. */
export interface CustomerName {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** The name is that of the latest sale; empty without sales. */
export interface Customer extends CustomerName, CustomerSums {
  readonly active_recurring_payments: number;
}

export const NO_SUMS: CustomerSums = {
  transactions: 0,
  sales: 0,
  first_sale_date: null,
  last_sale_date: null,
  gross: 0n,
  refunded: 0n,
  seller_earnings: 0n,
};

export function addedSums(left: CustomerSums, right: CustomerSums): CustomerSums {
  const firsts = [left.first_sale_date, right.first_sale_date].filter((date) => date !== null);
  const lasts = [left.last_sale_date, right.last_sale_date].filter((date) => date !== null);
  return {
    transactions: left.transactions + right.transactions,
    sales: left.sales + right.sales,
    first_sale_date: firsts.toSorted()[0] ?? null,
    last_sale_date: lasts.toSorted().at(-1) ?? null,
    gross: left.gross + right.gross,
    refunded: left.refunded + right.refunded,
    seller_earnings: left.seller_earnings + right.seller_earnings,
  };
}
