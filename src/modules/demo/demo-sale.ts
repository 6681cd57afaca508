import { formatCents } from '../../platform/values/money.js';
import { recordOf } from '../../platform/values/record-of.js';
import { dateTimeOf, DAY_MS, formatDateTime } from '../../platform/values/time.js';
import { type Customer, customerOf, type DemoTerms, referrerOf } from './demo-people.js';
import type { DemoProduct } from './demo-products.js';
import { trackingOf } from './demo-tracking.js';
import type { SeededRandom } from './seeded-random.js';

/** Share of customers who make all payments of a subscription. The others stop earlier. */
const CHANCE_OF_ALL_PAYMENTS = 0.5;
/** Probabilities of a chargeback and a refund, for sales of the refund wave and for other sales. */
const CHANCES = {
  wave: { chargeback: 0.06, refund: 0.55 },
  usual: { chargeback: 0.01, refund: 0.07 },
} as const;
const COMMISSION_DAYS = 30;
/** Delayed commissions are paid after the hold. */
const DELAYED_COMMISSION_DAYS = 120;
/** Commission of affiliates without one of their own, in percent. */
const USUAL_COMMISSION = 50;
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
  readonly product: DemoProduct;
  /** Terms of all affiliates who may have referred the sale. */
  readonly terms: readonly DemoTerms[];
  /** Customer who has bought before. A new customer if absent. */
  readonly customer?: Customer | undefined;
  readonly isOfLaunch?: boolean;
}

/** Returns a first sale and, for a subscription, its renewals up to today. */
export function saleWithRenewals(random: SeededRandom, options: SaleOptions) {
  const { at, today, product, isOfLaunch = false } = options;
  const customer = options.customer ?? customerOf(random);
  const terms = referrerOf(random, options.terms, product, at);
  const isRecurring = product.period > 0;
  const pre_key = isRecurring ? `PRE-${random.text(16).toUpperCase()}` : null;
  const payments = paymentsOf(random, product);
  return Array.from({ length: payments }, (_, index) => ({
    transaction_id: `PA-${random.text(20).toUpperCase()}`,
    /** Time of the sale, in milliseconds since 1970. */
    at: at + index * product.period * DAY_MS,
    product,
    affiliate_id: terms?.affiliate_id ?? null,
    commission: terms?.custom_commission ?? USUAL_COMMISSION,
    isDelayed: terms?.delayed_commission ?? false,
    pre_key,
    customer,
    isOfLaunch,
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
  const { product, affiliate_id, at, customer } = sale;
  // The amounts of a subscription equal its price, so that its payments add up to what it says.
  const isReduced = random.chance(0.1) && sale.pre_key === null;
  const amount = isReduced ? Math.round(product.price * 0.8) : product.price;
  const payouts = payoutsOf(random, amount, affiliate_id === null ? 0 : sale.commission);
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
    customer: personOf(customer),
    affiliate_id,
    affiliate_commission_status: isBack ? 'REFUNDED' : commissionStatus(sale, today - at),
    tracking: trackingOf(random, sale),
    payouts: formatted(payouts),
    payout_items: payoutItems(payouts, sale, names, isPending ? 'PENDING' : 'COMPLETED'),
    refund: isBack ? refundOf(random, refundAt, amount, payouts) : null,
    taxes: taxesOf(amount, customer),
    delivery: random.chance(0.1) ? deliveryOf(customer) : null,
  };
}

function personOf({ email, first_name, last_name, ip }: Customer): LedgerRecord {
  return { email, first_name, last_name, ip };
}

/** Returns the value-added tax that the amount includes, or null where there is none. */
function taxesOf(amount: number, { place: { vat } }: Customer): LedgerRecord | null {
  if (vat === 0) return null;
  const tax = formatCents(Math.round((amount * vat) / (100 + vat)));
  return { tax_total: tax, vat_tax: tax };
}

function deliveryOf({ first_name, last_name, place }: Customer): LedgerRecord {
  return { name: `${first_name} ${last_name}`, city: place.city, country: place.country };
}

function commissionStatus({ isDelayed }: Sale, age: number): 'PAID' | 'UNPAID' {
  const days = isDelayed ? DELAYED_COMMISSION_DAYS : COMMISSION_DAYS;
  return age > days * DAY_MS ? 'PAID' : 'UNPAID';
}

/** The shares of a sale are in cents. */
export type Shares = Readonly<ReturnType<typeof payoutsOf>>;

/** Returns shares that add up to the amount. @param commission of the affiliate, in percent */
function payoutsOf(random: SeededRandom, amount: number, commission: number) {
  const service_fee = Math.round(amount * 0.075) + 50;
  const rest = amount - service_fee;
  const affiliate_payout = Math.round((rest * commission) / 100);
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

function formatted(payouts: Shares): LedgerRecord {
  return Object.fromEntries(
    Object.entries(payouts).map(([field, cents]) => [field, formatCents(cents)]),
  );
}

export function dateTime(milliseconds: number): string {
  return formatDateTime(dateTimeOf(new Date(milliseconds)));
}
