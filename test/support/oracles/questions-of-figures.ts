/** Lists questions that figures answer. */
import { CLICKS, type Sale, text } from '../builders/questioned-ledger.js';
import {
  backOf,
  best,
  between,
  byProduct,
  commissionOf,
  earnedBackOf,
  earnedOf,
  feeOf,
  firstOf,
  grouped,
  inMonth,
  measured,
  of,
  returned,
  sales,
  sold,
  sum,
  total,
  type Given,
  type Question,
} from './question.js';

const FIRST_QUARTER = { start_date: '2025-01-01', end_date: '2025-03-31' };
const SECOND_QUARTER = { start_date: '2025-04-01', end_date: '2025-06-30' };
const MARCH = { start_date: '2025-03-01', end_date: '2025-03-31' };
const YEAR = { start_date: '2025-01-01', end_date: '2025-12-31' };
const inFirstQuarter = between('2025-01-01', '2025-03-31');
const inSecondQuarter = between('2025-04-01', '2025-06-30');
const inMarch = inMonth('2025-03');
const inYear = inMonth('2025');
const lengthOf = (list: readonly Sale[]) => list.length;

function rate(part: number, all: number): string {
  return (part / all).toFixed(4);
}

export const FIGURE_QUESTIONS: readonly Question[] = [
  ['How many sales were there in 2025?', 'figures', YEAR, total('sales'), sold(inYear).length],
  ['What was the gross of 2025?', 'figures', YEAR, total('gross'), sum(sold(inYear))],
  ['What was the gross of March?', 'figures', MARCH, total('gross'), sum(sold(inMarch))],
  [
    'What did we earn in the first quarter?',
    'figures',
    FIRST_QUARTER,
    total('seller_earnings'),
    text(
      Number(sum(sold(inFirstQuarter), earnedOf)) -
        Number(sum(returned('2025-01-01', '2025-03-31'), earnedBackOf)),
    ),
  ],
  [
    'How many sales did each product have in the first quarter?',
    'figures',
    { ...FIRST_QUARTER, group_by: 'product' },
    measured('sales'),
    byProduct(sold(inFirstQuarter), lengthOf),
  ],
  [
    'What was the gross of each product in 2025?',
    'figures',
    { ...YEAR, group_by: 'product', measures: 'gross' },
    measured('gross'),
    byProduct(sold(inYear), sum),
  ],
  [
    'Which product sold best in 2025?',
    'figures',
    { ...YEAR, group_by: 'product' },
    best('gross'),
    ['Course', sum(sold(inYear, of('product', 10)))],
  ],
  [
    'Which affiliate was best in March?',
    'figures',
    { ...MARCH, group_by: 'affiliate', affiliate_id: undefined },
    best('gross'),
    ['Lena', sum(sold(inMarch, of('affiliate', 3)))],
  ],
  [
    'How many sales came without an affiliate in 2025?',
    'figures',
    { ...YEAR, group_by: 'affiliate' },
    (found) => measured('sales')(found).find(([id]) => id === null)?.[1],
    sold(inYear, of('affiliate', null)).length,
  ],
  [
    'What was the refund rate of the first quarter?',
    'figures',
    { ...FIRST_QUARTER, measures: 'refund_rate' },
    total('refund_rate'),
    rate(2, sold(inFirstQuarter).length),
  ],
  [
    'What was the refund rate of the sales of the first quarter?',
    'figures',
    { ...FIRST_QUARTER, measures: 'refund_rate', refunds_on: 'sale_date' },
    total('refund_rate'),
    rate(3, sold(inFirstQuarter).length),
  ],
  [
    'How much was refunded in the second quarter?',
    'figures',
    SECOND_QUARTER,
    total('refunded'),
    sum(returned('2025-04-01', '2025-06-30', 'refunded'), backOf),
  ],
  [
    'How many refunds were there in April?',
    'figures',
    { start_date: '2025-04-01', end_date: '2025-04-30' },
    total('refunds'),
    returned('2025-04-01', '2025-04-30').length,
  ],
  [
    'How many chargebacks were there in March?',
    'figures',
    { ...MARCH, measures: 'chargebacks' },
    total('chargebacks'),
    returned('2025-03-01', '2025-03-31', 'charged_back').length,
  ],
  [
    'How much was charged back in 2025?',
    'figures',
    { ...YEAR, measures: 'charged_back' },
    total('charged_back'),
    sum(returned('2025-01-01', '2025-12-31', 'charged_back'), backOf),
  ],
  [
    'What was the chargeback rate of 2025?',
    'figures',
    { ...YEAR, measures: 'chargeback_rate' },
    total('chargeback_rate'),
    rate(1, sold(inYear).length),
  ],
  [
    'What was the average order in March?',
    'figures',
    { ...MARCH, measures: 'average_order' },
    total('average_order'),
    text(Number(sum(sold(inMarch))) / sold(inMarch).length),
  ],
  [
    'What did the service charge in March?',
    'figures',
    { ...MARCH, measures: 'service_fees' },
    total('service_fees'),
    text(
      Number(sum(sold(inMarch), feeOf)) -
        Number(sum(returned('2025-03-01', '2025-03-31'), (each) => backOf(each) / 10)),
    ),
  ],
  [
    'Which commissions did Omar earn in the first quarter?',
    'figures',
    { ...FIRST_QUARTER, affiliate_id: 4, measures: 'affiliate_commissions' },
    total('affiliate_commissions'),
    sum(sold(inFirstQuarter, of('affiliate', 4)), commissionOf),
  ],
  [
    'Which commissions are unpaid?',
    'figures',
    { measures: 'unpaid_commissions' },
    total('unpaid_commissions'),
    sum(sold(of('isOwed', true)), commissionOf),
  ],
  [
    'Which commissions of Lena are unpaid?',
    'figures',
    { measures: 'unpaid_commissions', affiliate_id: 3 },
    total('unpaid_commissions'),
    sum(sold(of('isOwed', true), of('affiliate', 3)), commissionOf),
  ],
  [
    'How many sales are pending?',
    'figures',
    { measures: 'pending' },
    total('pending'),
    sales(of('status', 'pending')).length,
  ],
  [
    'What are the pending sales worth?',
    'figures',
    { measures: 'pending_amount' },
    total('pending_amount'),
    sum(sales(of('status', 'pending'))),
  ],
  [
    'How many clicks did affiliates bring in March?',
    'figures',
    { ...MARCH, measures: 'clicks' },
    total('clicks'),
    CLICKS.reduce((all, { all: each }) => all + each, 0),
  ],
  [
    "What was Lena's conversion rate in March?",
    'figures',
    { ...MARCH, measures: 'conversion_rate', affiliate_id: 3 },
    total('conversion_rate'),
    rate(sold(inMarch, of('affiliate', 3)).length, 20),
  ],
  [
    'What was the gross of each month of the first quarter?',
    'figures',
    { ...FIRST_QUARTER, interval: 'month', measures: 'gross' },
    measured('gross', 'interval'),
    ['2025-01', '2025-02', '2025-03'].map((month) => [`${month}-01`, sum(sold(inMonth(month)))]),
  ],
  [
    'How many sales did each quarter of 2025 have?',
    'figures',
    { ...YEAR, interval: 'quarter' },
    measured('sales', 'interval'),
    ['01', '04', '07', '10'].map((month) => [
      `2025-${month}-01`,
      sold(between(`2025-${month}-01`, `2025-${String(Number(month) + 2).padStart(2, '0')}-31`))
        .length,
    ]),
  ],
  [
    'Which sources did the sales of 2025 come from?',
    'figures',
    { ...YEAR, group_by: 'utm_source' },
    (found) => measured('gross', 'value')(found).filter(([value]) => value !== null),
    grouped(
      sold(inYear, (each) => each.source !== undefined),
      ({ source }) => source,
      sum,
    ),
  ],
  [
    'What was the gross of the tid ad-2?',
    'figures',
    { tid: 'ad-2' },
    total('gross'),
    sum(sold(of('tid', 'ad-2'))),
  ],
  [
    'How many courses did Lena sell in March?',
    'figures',
    { ...MARCH, product_id: 10, affiliate_id: 3 },
    total('sales'),
    sold(inMarch, of('product', 10), of('affiliate', 3)).length,
  ],
  [
    'How did the second quarter compare with the first?',
    'figures',
    { ...SECOND_QUARTER, compare: 'previous_period', measures: 'gross' },
    ({ first }) => [first.totals, first.compared_totals],
    [{ gross: sum(sold(inSecondQuarter)) }, { gross: sum(sold(inFirstQuarter)) }],
  ],
  [
    'Since when are there sales?',
    'figures',
    {},
    ({ first }) => (first.range as Given).start_date,
    '2024-12-31',
  ],
  [
    'How many sales of January came back until the end of February?',
    'cohorts',
    { until: '2025-01' },
    (found) => (firstOf(found).after as Given[])[1]?.transactions,
    1,
  ],
  [
    'How many sales of May came back so far?',
    'cohorts',
    { until: '2025-05', returns: 'refunds' },
    (found) => [firstOf(found).month, (firstOf(found).to_date as Given).transactions],
    ['2025-05', 1],
  ],
  [
    'Which part of the gross of February was charged back?',
    'cohorts',
    { until: '2025-02', returns: 'chargebacks' },
    (found) => (firstOf(found).to_date as Given).amount_rate,
    rate(100, Number(sum(sold(inMonth('2025-02'))))),
  ],
  [
    'What is the unit of refund_rate?',
    'figures_catalogue',
    {},
    (found) =>
      (firstOf(found).measures as Given[]).find(({ name }) => name === 'refund_rate')?.unit,
    'rate',
  ],
];
