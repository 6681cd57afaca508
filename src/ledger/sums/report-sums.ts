import { recordOf } from '../../platform/values/record-of.js';
import { monthOf } from '../../platform/values/time.js';
import { selectByKeys } from '../../platform/database/bulk.js';
import { day, text, wholeNumber } from '../../platform/database/entities/columns.js';
import type { Session } from '../../platform/database/database.js';
import { PAYOUT_FIELDS, REFUND_AMOUNT_FIELDS } from '../columns.js';
import { KeptSum } from './kept-sum.js';
import type { TransactionRecord } from '../records/transaction.record.js';
import type { SignedRecord } from '../revisions/ledger-change.model.js';
import { IS_REFUND, occasionsOf, type Occasion } from './kept-sums.model.js';

/** Lists the groups of a vendor's kept sums. The day of a month is its first day. */
export const SUM_SERIES = ['total', 'product', 'product_month', 'affiliate_month'] as const;
export type SumSeries = (typeof SUM_SERIES)[number];

const OTHERS = ['fees', 'agent', 'jv', 'taxes'] as const;
const OF_VENDOR = ['transactions', 'amount', 'earnings', 'commissions', ...OTHERS] as const;
const OF_AFFILIATE = ['transactions', 'amount', 'earnings', 'commission', ...OTHERS] as const;

/**
 * Stores the kept sums of a vendor's days, products and affiliates: the number of transactions, and
 * money in cents. The item of a total is 0.
 *
 * For sales, the money is the amount, the vendor's earnings, the commissions of affiliate, agent
 * and partners, the service fee, the shares of agent and partners in the commissions, and the taxes.
 * For refunds and chargebacks, it is the returned amount, and the share that each party gave back,
 * which is zero or negative; taxes are those of the sale only. For pending transactions, it is the
 * amount only. The commissions of an affiliate's month are those of the affiliate only.
 */
export const VENDOR_SUMS = new KeptSum({
  table: 'vendor_sums',
  key: {
    vendor_id: wholeNumber(),
    series: text(32),
    kind: text(32),
    day: day(),
    item_id: wholeNumber(),
  },
  sums: OF_VENDOR,
  contribute({ record, sign, vendor_id }: SignedRecord, vendors) {
    const { product_id, affiliate_id } = record;
    for (const { kind, day: on, money } of occasionsOf(record)) {
      const sums = MONEY[money](record);
      const month = monthOf(on);
      const { affiliate } = sums;
      const all = { ...sums, transactions: 1, commissions: affiliate + sums.agent + sums.jv };
      vendors.add([vendor_id, 'total', kind, on, 0], all, sign);
      vendors.add([vendor_id, 'product', kind, on, product_id], all, sign);
      vendors.add([vendor_id, 'product_month', kind, month, product_id], all, sign);
      if (affiliate_id === null) continue;
      const ofMonth = { ...all, commissions: affiliate };
      vendors.add([vendor_id, 'affiliate_month', kind, month, affiliate_id], ofMonth, sign);
    }
  },
  /**
   * The sums of days are computed from the ledger, and those of months and totals from those of
   * days, so that each transaction is read only a few times.
   */
  recounts: (dialect) => {
    const month = dialect.monthOf('day');
    const sums = OF_VENDOR.map((sum) => `SUM(${sum})`).join(', ');
    return [
      {
        of: "vendor's product, kind, day",
        series: 'product',
        actual: ledgerBy('product_id', OF_VENDOR),
      },
      {
        of: "vendor's total, kind, day",
        series: 'total',
        actual: `SELECT vendor_id, kind, day, 0, ${sums} FROM vendor_sums WHERE series = 'product'
          GROUP BY vendor_id, kind, day`,
      },
      {
        of: "vendor's product in a month, kind, day",
        series: 'product_month',
        actual: `SELECT vendor_id, kind, ${month}, item_id, ${sums}
          FROM vendor_sums WHERE series = 'product' GROUP BY vendor_id, kind, ${month}, item_id`,
      },
      {
        of: "vendor's affiliate in a month, kind, day",
        series: 'affiliate_month',
        actual: `SELECT vendor_id, kind, ${month}, affiliate_id, SUM(transactions), SUM(amount),
            SUM(earnings), SUM(commission), ${OTHERS.map((sum) => `SUM(${sum})`).join(', ')}
          FROM affiliate_day_sums GROUP BY vendor_id, kind, ${month}, affiliate_id`,
      },
    ];
  },
});

/**
 * Stores the kept sums of an affiliate's sales of a vendor's product on a day, with money as in
 * `VENDOR_SUMS`. The commission is that of the affiliate only.
 */
export const AFFILIATE_DAY_SUMS = new KeptSum({
  table: 'affiliate_day_sums',
  key: {
    vendor_id: wholeNumber(),
    kind: text(32),
    day: day(),
    affiliate_id: wholeNumber(),
    product_id: wholeNumber(),
  },
  sums: OF_AFFILIATE,
  indices: [
    { name: 'affiliate_day_sums_by_affiliate', columns: ['affiliate_id', 'day'] },
    {
      name: 'affiliate_day_sums_by_product',
      columns: ['vendor_id', 'product_id', 'kind', 'day', 'affiliate_id', 'amount'],
    },
  ],
  contribute({ record, sign, vendor_id }: SignedRecord, affiliates) {
    const { product_id, affiliate_id } = record;
    if (affiliate_id === null) return;
    for (const { kind, day: on, money } of occasionsOf(record)) {
      const paid = MONEY[money](record);
      const sums = { ...paid, transactions: 1, commission: paid.affiliate };
      affiliates.add([vendor_id, kind, on, affiliate_id, product_id], sums, sign);
    }
  },
  recounts: () => [
    {
      of: "vendor's affiliate, product, kind, day",
      actual: ledgerBy('affiliate_id, product_id', OF_AFFILIATE, 'affiliate_id IS NOT NULL'),
    },
  ],
});

/** Money of a transaction that figures add up. */
export const MONEY_SUMS = [
  'amount',
  'earnings',
  'fees',
  'affiliate',
  'agent',
  'jv',
  'taxes',
] as const;
export type MoneySum = (typeof MONEY_SUMS)[number];

/** Amounts in cents. */
type Money = Readonly<Record<MoneySum, number>>;
const NO_MONEY: Money = recordOf(MONEY_SUMS, () => 0);

/** Columns with the amounts from which sums are made, without taxes. */
export const SUMMED_COLUMNS = [
  'amount',
  ...PAYOUT_FIELDS,
  ...REFUND_AMOUNT_FIELDS,
] as const satisfies readonly (keyof TransactionRecord)[];
type SummedRow = Pick<TransactionRecord, (typeof SUMMED_COLUMNS)[number]> &
  Partial<Pick<TransactionRecord, 'tax_total'>>;

/** The money of a transaction that counts on an occasion. */
export const MONEY: Readonly<Record<Occasion['money'], (record: SummedRow) => Money>> = {
  none: () => NO_MONEY,
  pending: ({ amount }) => ({ ...NO_MONEY, amount }),
  sold: (record) => ({
    amount: record.amount,
    earnings: record.seller_earnings,
    fees: record.service_fee,
    affiliate: record.affiliate_payout,
    agent: record.agent_payout,
    jv: record.jv_payout,
    taxes: record.tax_total ?? 0,
  }),
  returned: (record) => ({
    amount: record.refund_amount ?? 0,
    earnings: record.seller_refund_impact ?? 0,
    fees: record.service_fee_adjustment ?? 0,
    affiliate: record.affiliate_refund_impact ?? 0,
    agent: record.agent_refund_impact ?? 0,
    jv: record.jv_refund_impact ?? 0,
    taxes: 0,
  }),
};

/** Defines a kind under which a transaction counts, as conditions on the ledger. */
interface CountedAs {
  readonly kind: string;
  readonly date: 'sale_date' | 'refund_date';
  readonly where: string;
  readonly money: LedgerMoney;
}

/** The columns of the ledger with the money of a sale, and of its refund or chargeback. */
export const MONEY_OF_LEDGER: Readonly<Record<'sold' | 'returned', Record<MoneySum, string>>> = {
  sold: {
    amount: 'amount',
    earnings: 'seller_earnings',
    fees: 'service_fee',
    affiliate: 'affiliate_payout',
    agent: 'agent_payout',
    jv: 'jv_payout',
    taxes: 'COALESCE(tax_total, 0)',
  },
  returned: {
    amount: 'refund_amount',
    earnings: 'seller_refund_impact',
    fees: 'service_fee_adjustment',
    affiliate: 'affiliate_refund_impact',
    agent: 'agent_refund_impact',
    jv: 'jv_refund_impact',
    taxes: '0',
  },
};

type LedgerMoney = Readonly<
  Record<Exclude<(typeof OF_VENDOR | typeof OF_AFFILIATE)[number], 'transactions'>, string>
>;
const NOTHING: LedgerMoney = {
  ...recordOf(MONEY_SUMS, () => '0'),
  commission: '0',
  commissions: '0',
};
const SOLD = ledgerMoney('sold');
const RETURNED = ledgerMoney('returned');

function ledgerMoney(of: 'sold' | 'returned'): LedgerMoney {
  const { affiliate, ...money } = MONEY_OF_LEDGER[of];
  const commissions = `${affiliate} + ${money.agent} + ${money.jv}`;
  return { ...money, commission: affiliate, commissions };
}

const RETURNS = [
  { word: 'refund', is: IS_REFUND, undated: 'refunded' },
  { word: 'chargeback', is: "status = 'charged_back'", undated: 'charged_back' },
].flatMap(({ word, is, undated }): CountedAs[] => {
  const dated = { where: `${is} AND refund_date IS NOT NULL`, money: RETURNED };
  const without = `status = '${undated}' AND refund_date IS NULL`;
  return [
    { ...dated, kind: `${word}_by_sale`, date: 'sale_date' },
    { ...dated, kind: `${word}_by_refund`, date: 'refund_date' },
    { kind: `undated_${word}`, date: 'sale_date', where: without, money: NOTHING },
  ];
});
const COUNTED: readonly CountedAs[] = [
  { kind: 'sale', date: 'sale_date', where: "status <> 'pending'", money: SOLD },
  {
    kind: 'pending',
    date: 'sale_date',
    where: "status = 'pending'",
    money: { ...NOTHING, amount: 'amount' },
  },
  ...RETURNS,
];

function ledgerBy(
  item: string,
  sums: readonly ('transactions' | keyof LedgerMoney)[],
  which = '1 = 1',
): string {
  return COUNTED.map(({ kind, date, where, money }) => {
    const columns = sums.map((sum) => (sum === 'transactions' ? 'COUNT(*)' : `SUM(${money[sum]})`));
    return `SELECT vendor_id, '${kind}', DATE(${date}), ${item}, ${columns.join(', ')}
      FROM transactions WHERE ${where} AND ${which}
      GROUP BY vendor_id, DATE(${date}), ${item}`;
  }).join(' UNION ALL ');
}

/**
 * Counts a vendor's transactions of each of these products or affiliates, including pending ones.
 * The kept sums of months have far fewer rows than the ledger has transactions.
 */
export function salesOfItems(
  session: Session,
  vendor_id: number,
  series: 'product_month' | 'affiliate_month',
  ids: readonly number[],
): Promise<{ readonly item_id: number; readonly sales: number }[]> {
  return selectByKeys(
    session,
    'SELECT item_id, CAST(SUM(transactions) AS SIGNED) AS sales FROM vendor_sums',
    ['item_id'],
    ids,
    "AND vendor_id = ? AND series = ? AND kind IN ('sale', 'pending') GROUP BY item_id",
    [vendor_id, series],
  );
}
