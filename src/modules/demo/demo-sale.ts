import { formatCents } from '../../platform/values/money.js';
import { recordOf } from '../../platform/values/record-of.js';
import { dateTimeOf, DAY_MS, formatDateTime } from '../../platform/values/time.js';
import type { SeededRandom } from './seeded-random.js';

export const FIRST_NAMES = words(`
  Ada Amir Anna Ben Carla Chen Dmitri Elena Emma Femi Grace Hugo Ines Ivan Jonas José Kai Lena
  Liam Lucía Maria Mei Noah Olga Omar Priya Rosa Sofia Søren Tom Yuki Zoë
`);
export const LAST_NAMES = words(`
  Andersen Bauer Brown Costa Dubois Eriksson Fischer García Haddad Ito Jensen Kim Kovač Lee
  Lopez Martin Meyer Müller Nguyen Novák Okafor O’Brien Patel Rossi Sato Silva Smith Taylor
  Tran Wagner Wang Yılmaz
`);
const CITIES = words('Austin Berlin Lisboa Łódź Lyon Oslo Toronto Zürich');

const CAMPAIGNS = words('spring-sale launch retarget newsletter review');
export const SOURCES = words('google facebook newsletter youtube blog');
const OWN_SOURCES = words('newsletter shop blog');
const MEDIUMS = words('cpc email social referral');

const BRUSHWORK = { id: 1001, name: 'Brushwork Academy' };
const LONGRUN = { id: 1002, name: 'Longrun Labs' };
const TIDY = { id: 1003, name: 'Tidy Ledger Co.' };

export const DEMO_VENDORS = [BRUSHWORK, LONGRUN, TIDY] as const;

/** The key of this vendor is shown on the first start. */
export const DEMO_VENDOR_ID = BRUSHWORK.id;

export const FIRST_AFFILIATE_ID = 2001;
export const AFFILIATES = 40;
/** The affiliate of the refund wave. */
export const WAVE_AFFILIATE_ID = FIRST_AFFILIATE_ID + 6;

interface DemoProduct {
  readonly id: number;
  readonly vendor: typeof BRUSHWORK;
  readonly name: string;
  /** Price in cents. */
  readonly price: number;
  /** Number of days between two payments, or 0 for a single payment. */
  readonly period: number;
  /** Number of payments that a customer agrees to. */
  readonly payments: number;
}

const ONCE = { period: 0, payments: 1 } as const;

export const DEMO_PRODUCTS: readonly DemoProduct[] = [
  { id: 101, vendor: BRUSHWORK, name: 'Watercolour in 30 Days', price: 4700, ...ONCE },
  { id: 102, vendor: BRUSHWORK, name: 'Portrait Masterclass', price: 19700, ...ONCE },
  { id: 103, vendor: BRUSHWORK, name: 'Studio Membership', price: 2700, period: 30, payments: 24 },
  { id: 201, vendor: LONGRUN, name: 'Trail Running Plan', price: 3700, ...ONCE },
  { id: 202, vendor: LONGRUN, name: 'Marathon Coaching', price: 9700, period: 30, payments: 6 },
  { id: 203, vendor: LONGRUN, name: 'Recovery Cookbook', price: 1995, ...ONCE },
  { id: 301, vendor: TIDY, name: 'Spreadsheet Templates', price: 2900, ...ONCE },
  { id: 302, vendor: TIDY, name: 'Bookkeeping for One', price: 14900, ...ONCE },
];

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Share of customers who make all payments of a subscription. The others stop earlier. */
const CHANCE_OF_ALL_PAYMENTS = 0.5;
/** Probabilities of a chargeback and a refund, for sales of the refund wave and for other sales. */
const CHANCES = {
  wave: { chargeback: 0.06, refund: 0.55 },
  usual: { chargeback: 0.01, refund: 0.07 },
} as const;
const COMMISSION_DAYS = 30;
/** Some commissions are paid late. */
const LATE_COMMISSION_DAYS = 120;
/** The agent and the joint-venture partner have no accounts. */
const [AGENT, PARTNER] = [
  { id: 91, name: 'Harbor Agency' },
  { id: 92, name: 'Northwind Partners' },
];

export type LedgerRecord = Readonly<Record<string, unknown>>;

export type Sale = ReturnType<typeof saleWithRenewals>[number];

interface SaleOptions {
  /** Time of the sale, in milliseconds since 1970. */
  readonly at: number;
  readonly today: number;
  /** Product of the sale. A random one if absent. */
  readonly product?: DemoProduct | undefined;
  /** Customer who has bought before. A new customer if absent. */
  readonly customer?: LedgerRecord | undefined;
}

/** Returns a first sale and, for a subscription, its renewals up to today. */
export function saleWithRenewals(random: SeededRandom, options: SaleOptions) {
  const { at, today } = options;
  const product = options.product ?? random.oneOf(DEMO_PRODUCTS);
  const customer = options.customer ?? customerOf(random);
  const affiliate_id = random.chance(0.6)
    ? FIRST_AFFILIATE_ID + random.integer(0, AFFILIATES - 1)
    : null;
  const isRecurring = product.period > 0;
  const pre_key = isRecurring ? `PRE-${random.text(16).toUpperCase()}` : null;
  const payments = paymentsOf(random, product);
  return Array.from({ length: payments }, (_, index) => ({
    transaction_id: `PA-${random.text(20).toUpperCase()}`,
    /** Time of the sale, in milliseconds since 1970. */
    at: at + index * product.period * DAY_MS,
    product,
    affiliate_id,
    pre_key,
    customer,
    /** True for a sale of the refund wave. */
    isOfWave: false,
  })).filter((payment) => payment.at < today);
}

function paymentsOf(random: SeededRandom, { payments }: DemoProduct): number {
  if (payments === 1 || random.chance(CHANCE_OF_ALL_PAYMENTS)) return payments;
  return random.integer(1, payments);
}

/** @param names names of the affiliates, by id */
export function transaction(
  random: SeededRandom,
  sale: Sale,
  today: number,
  names: ReadonlyMap<number, string>,
): LedgerRecord {
  const { product, affiliate_id, at } = sale;
  const amount = random.chance(0.1) ? Math.round(product.price * 0.8) : product.price;
  const payouts = payoutsOf(random, amount, affiliate_id !== null);
  const chances = sale.isOfWave ? CHANCES.wave : CHANCES.usual;
  const isChargeback = random.chance(chances.chargeback);
  const refundAt = at + random.integer(1, 45) * DAY_MS + random.integer(0, 86_399) * 1_000;
  const isBack = (isChargeback || random.chance(chances.refund)) && refundAt < today;
  const isPending = at > today - 2 * DAY_MS && random.chance(0.3);
  const settled = isPending ? 'pending' : 'completed';
  return {
    type: 'transaction',
    transaction_id: sale.transaction_id,
    product_id: product.id,
    product_name: product.name,
    sale_date: dateTime(at),
    amount: formatCents(amount),
    status: isBack ? (isChargeback ? 'charged_back' : 'refunded') : settled,
    pre_key: sale.pre_key,
    customer: sale.customer,
    affiliate_id,
    affiliate_commission_status: isBack ? 'REFUNDED' : commissionStatus(random, today - at),
    tracking: trackingOf(random, affiliate_id !== null),
    payouts: formatted(payouts),
    payout_items: payoutItems(payouts, sale, names, isPending ? 'PENDING' : 'COMPLETED'),
    refund: isBack ? refundOf(random, refundAt, amount, payouts) : null,
    taxes: random.chance(0.3) ? { tax_total: '1.90', vat_tax: '1.90' } : null,
    delivery: random.chance(0.1)
      ? { name: sale.customer.first_name, city: random.oneOf(CITIES), country: 'DE' }
      : null,
  };
}

function commissionStatus(random: SeededRandom, age: number): 'PAID' | 'UNPAID' {
  const days = random.chance(0.1) ? LATE_COMMISSION_DAYS : COMMISSION_DAYS;
  return age > days * DAY_MS ? 'PAID' : 'UNPAID';
}

/** The shares of a sale are in cents. */
export type Shares = Readonly<ReturnType<typeof payoutsOf>>;

/** Returns shares that add up to the amount. */
function payoutsOf(random: SeededRandom, amount: number, hasAffiliate: boolean) {
  const service_fee = Math.round(amount * 0.075) + 50;
  const rest = amount - service_fee;
  const affiliate_payout = hasAffiliate ? Math.round(rest / 2) : 0;
  const agent_payout = random.chance(0.05) ? Math.round(rest / 20) : 0;
  const jv_payout = random.chance(0.1) ? Math.round(rest / 10) : 0;
  const seller_earnings = rest - affiliate_payout - agent_payout - jv_payout;
  return { seller_earnings, affiliate_payout, agent_payout, jv_payout, service_fee };
}

/** Returns the payout items. The service fee has none. */
function payoutItems(
  payouts: Shares,
  { product, affiliate_id }: Sale,
  names: ReadonlyMap<number, string>,
  payout_status: string,
): LedgerRecord[] {
  const affiliate = { id: affiliate_id, name: names.get(affiliate_id ?? 0) };
  const paid = [
    { cents: payouts.seller_earnings, payee: product.vendor, payout_type: 'VENDOR' },
    { cents: payouts.affiliate_payout, payee: affiliate, payout_type: 'AFFILIATE' },
    { cents: payouts.agent_payout, payee: AGENT, payout_type: 'AGENT' },
    { cents: payouts.jv_payout, payee: PARTNER, payout_type: 'JV' },
  ];
  return paid
    .filter(({ cents }) => cents > 0)
    .map(({ cents, payee, payout_type }) => ({
      payee_amount: formatCents(cents),
      payee_user_id: payee.id,
      payee_name: payee.name,
      payout_type,
      payment_processor: 'bank',
      payout_status,
    }));
}

/** Returns a refund. Three of four are full, the others half. */
function refundOf(random: SeededRandom, at: number, amount: number, payouts: Shares): LedgerRecord {
  const returned = random.chance(0.75) ? amount : Math.floor(amount / 2);
  const shares = refundShares(payouts, returned);
  return {
    refund_date: dateTime(at),
    refund_amount: formatCents(returned),
    seller_refund_impact: formatCents(-shares.seller_earnings),
    affiliate_refund_impact: formatCents(-shares.affiliate_payout),
    agent_refund_impact: formatCents(-shares.agent_payout),
    jv_refund_impact: formatCents(-shares.jv_payout),
    service_fee_adjustment: formatCents(-shares.service_fee),
  };
}

/**
 * Returns the part of each share that a refund takes back, in proportion and in whole cents that
 * add up to the refund. The seller, whose share is the largest, bears the rounding difference.
 */
export function refundShares(shares: Shares, returned: number): Shares {
  const amount = sumOf(Object.values(shares));
  const back = recordOf(SHARES_OF_OTHERS, (name) => Math.floor((shares[name] * returned) / amount));
  return { ...back, seller_earnings: returned - sumOf(Object.values(back)) };
}

const SHARES_OF_OTHERS = ['affiliate_payout', 'agent_payout', 'jv_payout', 'service_fee'] as const;

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

function trackingOf(random: SeededRandom, hasAffiliate: boolean): LedgerRecord | null {
  if (!hasAffiliate) return ownTracking(random);
  return {
    tid: `${random.oneOf(CAMPAIGNS)}-${random.integer(1, 20)}`,
    utm_source: random.oneOf(SOURCES),
    utm_medium: random.oneOf(MEDIUMS),
    utm_campaign: random.oneOf(CAMPAIGNS),
    sub_id1: random.chance(0.5) ? random.text(8) : null,
    gclid: random.chance(0.2) ? random.text(24) : null,
  };
}

/**
 * Returns the tracking of a sale without an affiliate. These sales come from the vendor's own pages
 * and newsletters.
 */
function ownTracking(random: SeededRandom): LedgerRecord | null {
  if (random.chance(0.3)) return null;
  return {
    vtid: random.chance(0.2) ? `page-${random.integer(1, 9)}` : null,
    utm_source: random.oneOf(OWN_SOURCES),
    utm_campaign: random.oneOf(CAMPAIGNS),
    sub_id2: random.chance(0.3) ? `banner-${random.integer(1, 6)}` : null,
  };
}

function customerOf(random: SeededRandom): LedgerRecord {
  const first_name = random.oneOf(FIRST_NAMES);
  const last_name = random.oneOf(LAST_NAMES);
  const email = `${random.text(10)}@customers.example`;
  return { email, first_name, last_name, ip: `192.0.2.${random.integer(1, 254)}` };
}

function formatted(payouts: Shares): LedgerRecord {
  return Object.fromEntries(
    Object.entries(payouts).map(([field, cents]) => [field, formatCents(cents)]),
  );
}

export function dateTime(milliseconds: number): string {
  return formatDateTime(dateTimeOf(new Date(milliseconds)));
}
