import { formatCents } from '../../common/money.js';
import { formatMoment, momentOf } from '../../common/time.js';
import {
  CAMPAIGNS,
  CITIES,
  DEMO_PRODUCTS,
  DEMO_VENDORS,
  FIRST_NAMES,
  LAST_NAMES,
  MEDIUMS,
  SOURCES,
  type DemoProduct,
} from './demo-words.js';
import { SeededRandom } from './seeded-random.js';

/** The vendor whose key is shown at the first start. */
export const DEMO_VENDOR_ID = 1001;
const AFFILIATES = 40;
const FIRST_AFFILIATE_ID = 2001;
const DAYS = 400;
const MOST_PAYMENTS = 6;
const DAY_MS = 86_400_000;
const SEED = 20_250_601;

type LedgerRecord = Readonly<Record<string, unknown>>;

interface Sale {
  readonly at: number;
  readonly product: DemoProduct;
  readonly affiliate_id: number | null;
  readonly pre_key: string | null;
  readonly customer: LedgerRecord;
}

/**
 * A ledger to look at: 3 vendors, 40 affiliates and about 5,000 transactions of the 400 days before
 * `now`. The same day gives the same ledger.
 */
export function* demoLedger(now: Date): Generator<LedgerRecord> {
  const random = new SeededRandom(SEED);
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  yield* parties(random);
  yield* relationships(random, today);
  const sales: Sale[] = [];
  for (let day = DAYS; day >= 1; day -= 1) {
    for (let made = random.whole(4, 11); made > 0; made -= 1) {
      const at = today - day * DAY_MS + random.whole(0, 86_399) * 1_000;
      sales.push(...saleWithRenewals(random, at, today));
    }
  }
  sales.sort((left, right) => left.at - right.at);
  yield* recurringPayments(random, sales, today);
  for (const sale of sales) yield transaction(random, sale, today);
  yield* clicks(random, today);
}

function* parties(random: SeededRandom): Generator<LedgerRecord> {
  for (const [index, name] of DEMO_VENDORS.entries()) {
    const email = `hello@${name.toLowerCase().replace(/[^a-z]+/g, '')}.example`;
    yield { type: 'user', id: DEMO_VENDOR_ID + index, name, email };
  }
  for (let index = 0; index < AFFILIATES; index += 1) {
    const name = `${random.oneOf(FIRST_NAMES)} ${random.oneOf(LAST_NAMES)}`;
    const display_name = random.chance(0.7) ? `${name.split(' ')[0]}’s Picks` : null;
    const email = `affiliate${index + 1}@partners.example`;
    yield { type: 'user', id: FIRST_AFFILIATE_ID + index, name, email, display_name };
  }
  for (const { id, vendor, name } of DEMO_PRODUCTS) {
    yield { type: 'product', id, vendor_id: DEMO_VENDOR_ID + vendor, name };
  }
}

function* relationships(random: SeededRandom, today: number): Generator<LedgerRecord> {
  for (let index = 0; index < AFFILIATES; index += 1) {
    for (const { id } of DEMO_PRODUCTS) {
      if (!random.chance(0.3)) continue;
      yield {
        type: 'affiliation',
        affiliate_id: FIRST_AFFILIATE_ID + index,
        product_id: id,
        created: dateTime(today - random.whole(1, DAYS) * DAY_MS),
        status: random.oneOf(['APPROVED', 'APPROVED', 'APPROVED', 'REQUESTED', 'DENIED']),
        comments: random.chance(0.4) ? 'I write about this every week.' : null,
        custom_commission: random.chance(0.3) ? random.whole(30, 75) : null,
        delayed_commission: random.chance(0.2),
      };
    }
  }
}

/** A first sale and, for a product that is paid again and again, what followed until today. */
function saleWithRenewals(random: SeededRandom, at: number, today: number): Sale[] {
  const product = random.oneOf(DEMO_PRODUCTS);
  const customer = customerOf(random);
  const affiliate_id = random.chance(0.6)
    ? FIRST_AFFILIATE_ID + random.whole(0, AFFILIATES - 1)
    : null;
  if (product.period === 0) return [{ at, product, affiliate_id, pre_key: null, customer }];
  const pre_key = `PRE-${random.text(16).toUpperCase()}`;
  return Array.from({ length: random.whole(1, MOST_PAYMENTS) }, (_, index) => ({
    ...{ at: at + index * product.period * DAY_MS, product, affiliate_id, pre_key, customer },
  })).filter((sale) => sale.at < today);
}

function* recurringPayments(
  random: SeededRandom,
  sales: readonly Sale[],
  today: number,
): Generator<LedgerRecord> {
  const payments = new Map<string, Sale[]>();
  for (const sale of sales) {
    if (sale.pre_key === null) continue;
    payments.set(sale.pre_key, [...(payments.get(sale.pre_key) ?? []), sale]);
  }
  for (const [index, [pre_key, made]] of [...payments].entries()) {
    const [first] = made;
    const last = made.at(-1);
    if (first === undefined || last === undefined) continue;
    const { product, customer } = first;
    const next = dateTime(last.at + product.period * DAY_MS);
    const ended = last.at + 2 * product.period * DAY_MS < today;
    yield {
      type: 'recurring_payment',
      ...{ pre_key, id: index + 1, product_id: product.id },
      status: ended ? random.oneOf(['CANCELED', 'COMPLETED']) : 'ACTIVE',
      ...{ current_payments: made.length, max_number_of_payments: 24 },
      max_total_of_all_payments: formatCents(24 * product.price),
      max_amount_per_payment: formatCents(product.price),
      ...{ next_payment: next, last_date: dateTime(last.at), next_date: next },
      ...{ processor_email: customer.email, contact_email: customer.email },
      ...{ sender_email: customer.email, ip: customer.ip },
      ...{ price: formatCents(product.price), payment_period: product.period, payment_count: 24 },
      payment_first_payout: formatCents(Math.round(product.price / 2)),
      ...{ has_payment_trial: false, payment_trial_price: '0.00', payment_trial_period: 0 },
      ...{ payment_trial_payout: '0.00', payout: null, code: null, tid: null, vtid: null },
      current_payments_amount: formatCents(made.length * product.price),
      created: dateTime(first.at),
      referrer: `https://www.example/${random.oneOf(SOURCES)}`,
    };
  }
}

function transaction(random: SeededRandom, sale: Sale, today: number): LedgerRecord {
  const { product, affiliate_id, at } = sale;
  const amount = random.chance(0.1) ? Math.round(product.price * 0.8) : product.price;
  const payouts = payoutsOf(random, amount, affiliate_id !== null);
  const fate = random.fraction();
  const refundAt = at + random.whole(1, 45) * DAY_MS + random.whole(0, 86_399) * 1_000;
  const isBack = fate < 0.08 && refundAt < today;
  const isPending = !isBack && at > today - 2 * DAY_MS && random.chance(0.3);
  return {
    type: 'transaction',
    transaction_id: `PA-${random.text(20).toUpperCase()}`,
    product_id: product.id,
    product_name: product.name,
    sale_date: dateTime(at),
    amount: formatCents(amount),
    status: isBack
      ? fate < 0.01
        ? 'charged_back'
        : 'refunded'
      : isPending
        ? 'pending'
        : 'completed',
    pre_key: sale.pre_key,
    customer: sale.customer,
    affiliate_id,
    affiliate_commission_status: isBack ? 'REFUNDED' : at < today - 30 * DAY_MS ? 'PAID' : 'UNPAID',
    tracking: trackingOf(random, affiliate_id !== null),
    payouts: formatted(payouts),
    payout_items: payoutItems(payouts, product, affiliate_id),
    refund: isBack ? refundOf(random, refundAt, amount, payouts) : null,
    taxes: random.chance(0.3) ? { tax_total: '1.90', vat_tax: '1.90' } : null,
    delivery: random.chance(0.1)
      ? { name: sale.customer.first_name, city: random.oneOf(CITIES), country: 'DE' }
      : null,
  };
}

/** Who gets what, in cents: the parts add up to the amount. */
function payoutsOf(random: SeededRandom, amount: number, hasAffiliate: boolean) {
  const service_fee = Math.round(amount * 0.075) + 50;
  const rest = amount - service_fee;
  const affiliate_payout = hasAffiliate ? Math.round(rest / 2) : 0;
  const agent_payout = random.chance(0.05) ? Math.round(rest / 20) : 0;
  const jv_payout = random.chance(0.1) ? Math.round(rest / 10) : 0;
  const seller_earnings = rest - affiliate_payout - agent_payout - jv_payout;
  return { seller_earnings, affiliate_payout, agent_payout, jv_payout, service_fee };
}

function payoutItems(
  payouts: ReturnType<typeof payoutsOf>,
  product: DemoProduct,
  affiliate_id: number | null,
): LedgerRecord[] {
  const item = (cents: number, payee_user_id: number, payee_name: string, payout_type: string) => ({
    ...{ payee_amount: formatCents(cents), payee_user_id, payee_name, payout_type },
    ...{ payment_processor: 'bank', payout_status: 'COMPLETED' },
  });
  const vendor = DEMO_VENDORS[product.vendor];
  const items = [item(payouts.seller_earnings, DEMO_VENDOR_ID + product.vendor, vendor, 'VENDOR')];
  if (affiliate_id !== null) {
    items.push(item(payouts.affiliate_payout, affiliate_id, 'Affiliate', 'AFFILIATE'));
  }
  return items;
}

/** Three of four refunds give everything back, the others half. */
function refundOf(
  random: SeededRandom,
  at: number,
  amount: number,
  payouts: ReturnType<typeof payoutsOf>,
): LedgerRecord {
  const part = random.chance(0.75) ? 1 : 2;
  const back = (cents: number) => formatCents(-Math.floor(cents / part));
  return {
    refund_date: dateTime(at),
    refund_amount: formatCents(Math.floor(amount / part)),
    seller_refund_impact: back(payouts.seller_earnings),
    affiliate_refund_impact: back(payouts.affiliate_payout),
    agent_refund_impact: back(payouts.agent_payout),
    jv_refund_impact: back(payouts.jv_payout),
    service_fee_adjustment: back(payouts.service_fee),
  };
}

function trackingOf(random: SeededRandom, hasAffiliate: boolean): LedgerRecord | null {
  if (!hasAffiliate) return random.chance(0.2) ? { vtid: `page-${random.whole(1, 9)}` } : null;
  return {
    tid: `${random.oneOf(CAMPAIGNS)}-${random.whole(1, 20)}`,
    utm_source: random.oneOf(SOURCES),
    utm_medium: random.oneOf(MEDIUMS),
    utm_campaign: random.oneOf(CAMPAIGNS),
    sub_id1: random.chance(0.5) ? random.text(8) : null,
    gclid: random.chance(0.2) ? random.text(24) : null,
  };
}

function customerOf(random: SeededRandom): LedgerRecord {
  const first_name = random.oneOf(FIRST_NAMES);
  const last_name = random.oneOf(LAST_NAMES);
  const email = `${random.text(10)}@customers.example`;
  return { email, first_name, last_name, ip: `192.0.2.${random.whole(1, 254)}` };
}

function* clicks(random: SeededRandom, today: number): Generator<LedgerRecord> {
  for (let index = 0; index < AFFILIATES; index += 1) {
    const { id } = random.oneOf(DEMO_PRODUCTS);
    for (let day = 30; day >= 1; day -= 1) {
      const unique_clicks = random.whole(0, 40);
      yield {
        type: 'clicks',
        affiliate_id: FIRST_AFFILIATE_ID + index,
        product_id: id,
        date: dateTime(today - day * DAY_MS).slice(0, 10),
        ...{ clicks: unique_clicks + random.whole(0, 15), unique_clicks },
      };
    }
  }
}

function formatted(payouts: ReturnType<typeof payoutsOf>): LedgerRecord {
  return Object.fromEntries(
    Object.entries(payouts).map(([field, cents]) => [field, formatCents(cents)]),
  );
}

function dateTime(milliseconds: number): string {
  return formatMoment(momentOf(new Date(milliseconds)));
}
