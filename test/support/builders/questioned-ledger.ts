/**
 * A small ledger whose answers can be checked by hand. The fee of a sale is 10 % of its amount, the
 * commission of its affiliate 30 %, and the vendor earns the rest.
 */
import {
  affiliation,
  clicks,
  product,
  recurringPayment,
  transaction,
  user,
} from './ledger-records.js';

/** Describes a sale. Amounts are whole units of the currency. */
export interface Sale {
  readonly id: string;
  readonly day: string;
  readonly product: 10 | 20 | 30;
  readonly affiliate: 3 | 4 | null;
  readonly amount: number;
  readonly status: 'completed' | 'pending' | 'refunded' | 'charged_back';
  readonly buyer: string;
  /** Day and amount of the refund or chargeback. */
  readonly back?: readonly [string, number];
  readonly source?: string;
  readonly tid?: string;
  readonly agreement?: string;
  /** True if the commission has not been paid yet. */
  readonly isOwed?: true;
}

export const SALES: readonly Sale[] = [
  sale('S01', '2025-01-05', 10, 3, 100, 'ada', { source: 'google', tid: 'ad-1' }),
  sale('S02', '2025-01-17', 10, null, 100, 'bob', {
    status: 'refunded',
    back: ['2025-02-02', 100],
    source: 'google',
  }),
  sale('S03', '2025-01-31', 20, 4, 20, 'cleo', { source: 'mail', isOwed: true }),
  sale('S04', '2025-02-01', 20, null, 20, 'ada'),
  sale('S05', '2025-02-14', 10, 3, 100, 'dan', {
    status: 'charged_back',
    back: ['2025-03-20', 100],
  }),
  sale('S06', '2025-02-28', 30, 4, 50, 'ada', { agreement: 'PRE-ADA', isOwed: true }),
  sale('S07', '2025-03-01', 10, 3, 100, 'eve', { tid: 'ad-2', isOwed: true }),
  sale('S08', '2025-03-03', 10, 4, 100, 'fay', { isOwed: true }),
  sale('S09', '2025-03-15', 20, 4, 20, 'gus', { status: 'refunded', back: ['2025-04-01', 20] }),
  sale('S10', '2025-03-28', 30, 4, 50, 'ada', { agreement: 'PRE-ADA' }),
  sale('S11', '2025-03-31', 10, 3, 120, 'ada', { back: ['2025-03-31', 30] }),
  sale('S12', '2025-04-02', 10, null, 100, 'hal', { status: 'pending' }),
  sale('S13', '2025-04-10', 20, 3, 20, 'ivy', { isOwed: true }),
  sale('S14', '2025-04-28', 30, 4, 50, 'ada', { agreement: 'PRE-ADA' }),
  sale('S15', '2025-05-05', 10, null, 100, 'bob'),
  sale('S16', '2025-05-20', 30, 3, 50, 'jon', {
    status: 'refunded',
    back: ['2025-06-10', 50],
    agreement: 'PRE-JON',
  }),
  sale('S17', '2025-06-01', 10, 4, 100, 'kim', { source: 'google', isOwed: true }),
  sale('S18', '2025-06-30', 20, null, 20, 'lea', { status: 'pending' }),
  sale('S19', '2025-07-01', 10, 3, 100, 'ada', { source: 'mail' }),
  sale('S20', '2024-12-31', 10, 3, 90, 'bob'),
];

/** Describes a recurring payment. */
export interface Agreement {
  readonly key: string;
  readonly buyer: string;
  readonly status: 'ACTIVE' | 'CANCELED' | 'COMPLETED';
  readonly due: string;
}

export const AGREEMENTS: readonly Agreement[] = [
  { key: 'PRE-ADA', buyer: 'ada', status: 'ACTIVE', due: '2031-03-03' },
  { key: 'PRE-BOB', buyer: 'bob', status: 'ACTIVE', due: '2031-03-09' },
  { key: 'PRE-CLEO', buyer: 'cleo', status: 'ACTIVE', due: '2031-03-10' },
  { key: 'PRE-DAN', buyer: 'dan', status: 'COMPLETED', due: '2031-03-04' },
  { key: 'PRE-JON', buyer: 'jon', status: 'CANCELED', due: '2031-03-05' },
];

export const PRODUCT_NAMES = new Map([
  [10, 'Course'],
  [20, 'Book'],
  [30, 'Membership'],
]);

export const CLICKS = [
  { affiliate: 3, product: 10, day: '2025-03-01', all: 40, unique: 20 },
  { affiliate: 4, product: 10, day: '2025-03-02', all: 10, unique: 8 },
] as const;

export function linesOfQuestionedLedger(): object[] {
  return [
    user(1),
    user(2),
    user(3, { name: 'Lena' }),
    user(4, { name: 'Omar' }),
    user(5, { name: 'Pia' }),
    ...Array.from(PRODUCT_NAMES, ([id, name]) => product(id, 1, { name })),
    product(90, 2),
    affiliation(3, 10, { custom_commission: 30 }),
    affiliation(5, 20, { status: 'DENIED' }),
    ...AGREEMENTS.map(lineOfAgreement),
    ...SALES.map(lineOf),
    transaction('OTHERS', 90, { customer: buyer('ada') }),
    ...CLICKS.map(({ affiliate, product: of, day, all, unique }) =>
      clicks(affiliate, of, { date: day, clicks: all, unique_clicks: unique }),
    ),
  ];
}

export function lineOfAgreement({ key, buyer: who, status, due }: Agreement): object {
  return recurringPayment(key, 30, {
    status,
    next_date: `${due}T12:00:00Z`,
    processor_email: emailOf(who),
    contact_email: emailOf(who),
    sender_email: emailOf(who),
  });
}

export function lineOf({ id, day, amount, affiliate, back, isOwed, ...sold }: Sale): object {
  const [refund_date = '', refunded = 0] = back ?? [];
  const shares = sharesOf(amount, affiliate);
  const impacts = sharesOf(refunded, affiliate);
  return transaction(id, sold.product, {
    product_name: PRODUCT_NAMES.get(sold.product),
    sale_date: `${day}T12:00:00Z`,
    amount: text(amount),
    status: sold.status,
    affiliate_id: affiliate,
    affiliate_commission_status: isOwed === true ? 'UNPAID' : 'PAID',
    customer: buyer(sold.buyer),
    pre_key: sold.agreement ?? null,
    tracking: { utm_source: sold.source ?? null, tid: sold.tid ?? null },
    payouts: {
      seller_earnings: text(shares.vendor),
      affiliate_payout: text(shares.affiliate),
      agent_payout: '0.00',
      jv_payout: '0.00',
      service_fee: text(shares.fee),
    },
    refund:
      back === undefined
        ? null
        : {
            refund_date: `${refund_date}T12:00:00Z`,
            refund_amount: text(refunded),
            seller_refund_impact: text(-impacts.vendor),
            affiliate_refund_impact: text(-impacts.affiliate),
            agent_refund_impact: '0.00',
            jv_refund_impact: '0.00',
            service_fee_adjustment: text(-impacts.fee),
          },
  });
}

export function sharesOf(amount: number, of: Sale['affiliate']) {
  const fee = amount / 10;
  const affiliate = of === null ? 0 : (amount * 3) / 10;
  return { fee, affiliate, vendor: amount - fee - affiliate };
}

/** Returns whole units of the currency as the API shows them. */
export function text(amount: number): string {
  return amount.toFixed(2);
}

export function emailOf(name: string): string {
  return `${name}@customers.example`;
}

function buyer(name: string) {
  return { email: emailOf(name), first_name: name, last_name: 'Buyer' };
}

function sale(
  id: string,
  day: string,
  sold: Sale['product'],
  affiliate: Sale['affiliate'],
  amount: number,
  who: string,
  more: Partial<Sale> = {},
): Sale {
  return { id, day, product: sold, affiliate, amount, buyer: who, status: 'completed', ...more };
}
