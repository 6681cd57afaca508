import type { Dialect } from '../../../../database/dialect.js';
import { comparison, type Check } from './ledger-check.js';
import { IS_REFUND } from '../counted-as.model.js';
import { AFFILIATE_DAY_SUMS, VENDOR_SUMS } from '../kept-sums.model.js';

type LedgerSum = 'amount' | 'earnings' | 'commission' | 'commissions' | 'fees';
type Money = Readonly<Record<LedgerSum, string>>;

/**
 * Defines a kind under which a transaction counts (kept-sums.model.ts), as conditions on the
 * ledger.
 */
interface CountedAs {
  readonly kind: string;
  readonly date: 'sale_date' | 'refund_date';
  readonly where: string;
  readonly money: Money;
}

const NOTHING = { amount: '0', earnings: '0', commission: '0', commissions: '0', fees: '0' };
const SOLD: Money = {
  amount: 'amount',
  earnings: 'seller_earnings',
  commission: 'affiliate_payout',
  commissions: 'affiliate_payout + agent_payout + jv_payout',
  fees: 'service_fee',
};
const RETURNED: Money = {
  amount: 'refund_amount',
  earnings: 'seller_refund_impact',
  commission: 'affiliate_refund_impact',
  commissions: 'affiliate_refund_impact + agent_refund_impact + jv_refund_impact',
  fees: 'service_fee_adjustment',
};
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

const OF_VENDORS = VENDOR_SUMS.map((sum) => `SUM(${sum})`).join(', ');
const KEPT_OF_VENDORS = `day, item_id, ${VENDOR_SUMS.join(', ')} FROM vendor_sums WHERE series =`;
const VENDOR_KEY = ['vendor_id', 'kind', 'day', 'item_id'] as const;

/**
 * Returns the checks of the kept sums of reports. They compare the sums of days with the ledger,
 * and those of months and totals with those of days, so that each transaction is read only a few
 * times.
 */
export function reportSumsChecks(dialect: Dialect): Check[] {
  const month = dialect.monthOf('day');
  const ofVendor = (of: string, series: string, actual: string) =>
    comparison({
      figures: VENDOR_SUMS,
      of: `vendor's ${of}, kind, day`,
      key: VENDOR_KEY,
      kept: `SELECT vendor_id, kind, ${KEPT_OF_VENDORS} '${series}'`,
      actual,
    });
  return [
    ofVendor('product', 'product', ledgerBy('product_id', VENDOR_SUMS)),
    comparison({
      figures: AFFILIATE_DAY_SUMS,
      of: "vendor's affiliate, product, kind, day",
      key: ['vendor_id', 'kind', 'day', 'affiliate_id', 'product_id'],
      kept: `SELECT vendor_id, kind, day, affiliate_id, product_id, ${AFFILIATE_DAY_SUMS.join(', ')}
        FROM affiliate_day_sums`,
      actual: ledgerBy('affiliate_id, product_id', AFFILIATE_DAY_SUMS, 'affiliate_id IS NOT NULL'),
    }),
    ofVendor(
      'total',
      'total',
      `SELECT vendor_id, kind, day, 0, ${OF_VENDORS} FROM vendor_sums WHERE series = 'product'
        GROUP BY vendor_id, kind, day`,
    ),
    ofVendor(
      'product in a month',
      'product_month',
      `SELECT vendor_id, kind, ${month}, item_id, ${OF_VENDORS}
        FROM vendor_sums WHERE series = 'product' GROUP BY vendor_id, kind, ${month}, item_id`,
    ),
    ofVendor(
      'affiliate in a month',
      'affiliate_month',
      `SELECT vendor_id, kind, ${month}, affiliate_id, SUM(transactions), SUM(amount),
          SUM(earnings), SUM(commission), 0
        FROM affiliate_day_sums GROUP BY vendor_id, kind, ${month}, affiliate_id`,
    ),
  ];
}

function ledgerBy(
  item: string,
  sums: readonly ('transactions' | LedgerSum)[],
  which = '1 = 1',
): string {
  return COUNTED.map(({ kind, date, where, money }) => {
    const columns = sums.map((sum) => (sum === 'transactions' ? 'COUNT(*)' : `SUM(${money[sum]})`));
    return `SELECT vendor_id, '${kind}', DATE(${date}), ${item}, ${columns.join(', ')}
      FROM transactions WHERE ${where} AND ${which}
      GROUP BY vendor_id, DATE(${date}), ${item}`;
  }).join(' UNION ALL ');
}
