import { formatCents } from '../../platform/values/money.js';
import { groupedBy } from '../../platform/values/grouped-by.js';
import { DAY_MS } from '../../platform/values/time.js';
import {
  dateTime,
  saleWithRenewals,
  transaction,
  type LedgerRecord,
  type Sale,
  AFFILIATES,
  DEMO_PRODUCTS,
  DEMO_VENDORS,
  FIRST_AFFILIATE_ID,
  FIRST_NAMES,
  LAST_NAMES,
  SOURCES,
  WAVE_AFFILIATE_ID,
} from './demo-sale.js';
import { SeededRandom } from './seeded-random.js';

const DAYS = 400;
const SEED = 20_250_601;
/**
 * Seed for the records that are the same on every day. It differs from SEED, because the same
 * sequence would produce the same ids twice.
 */
const EARLY_SEED = 99;
/**
 * The examples in the README request sales of June 2025, no matter when the service is first
 * started.
 */
const FIRST_DAY = Date.UTC(2025, 5, 1);
const FIRST_MONTH_DAYS = 30;
const CHANCE_OF_AN_EARLY_SALE = 0.3;
const [LEAST_SALES, MOST_SALES] = [3, 9];
/** Probability that a customer has bought before. */
const CHANCE_OF_A_RETURN = 0.12;

/**
 * Yields a sample ledger: 3 vendors, 40 affiliates and about 5,000 transactions. They are from the
 * 400 days before `now`, one on each day of June 2025 and a few a month after that. The ledger has
 * seasons, subscriptions with renewals, and one affiliate whose sales are refunded. The same day
 * always produces the same ledger.
 */
export function* demoLedger(now: Date): Generator<LedgerRecord> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const names = new Map<number, string>();
  const lasting = new SeededRandom(SEED);
  yield* parties(lasting, names);
  yield* relationships(lasting, today);
  const random = new SeededRandom(SEED + today / DAY_MS);
  const sales = earlySales(today);
  for (let day = DAYS; day >= 1; day -= 1) {
    const begin = today - day * DAY_MS;
    const count = Math.round(random.integer(LEAST_SALES, MOST_SALES) * seasonOf(begin));
    for (let made = 0; made < count; made += 1) {
      const at = begin + random.integer(0, 86_399) * 1_000;
      const returning = sales.length > 0 && random.chance(CHANCE_OF_A_RETURN);
      const customer = returning ? random.oneOf(sales).customer : undefined;
      sales.push(...saleWithRenewals(random, { at, today, customer }));
    }
  }
  sales.push(...refundWave(random, today));
  sales.sort((left, right) => left.at - right.at);
  yield* recurringPayments(random, sales, today);
  for (const sale of sales) yield transaction(random, sale, today, names);
  yield* clicks(random, today);
}

/**
 * Returns few sales, so that the ledger stays small no matter how long ago the vendors began. Sales
 * of June 2025 always have the same ids, because the OpenAPI documents show some of them.
 */
function earlySales(today: number): Sale[] {
  const random = new SeededRandom(EARLY_SEED);
  const sales: Sale[] = [];
  for (let day = FIRST_DAY; day < today; day += DAY_MS) {
    const isOfFirstMonth = day < FIRST_DAY + FIRST_MONTH_DAYS * DAY_MS;
    if (!isOfFirstMonth && day >= today - DAYS * DAY_MS) break;
    const at = day + random.integer(0, 86_399) * 1_000;
    if (isOfFirstMonth || random.chance(CHANCE_OF_AN_EARLY_SALE)) {
      sales.push(...saleWithRenewals(random, { at, today }));
    }
  }
  return sales;
}

/** @param names receives the names of the affiliates, by id */
function* parties(random: SeededRandom, names: Map<number, string>): Generator<LedgerRecord> {
  for (const { id, name } of DEMO_VENDORS) {
    const email = `hello@${name.toLowerCase().replace(/[^a-z]+/g, '')}.example`;
    yield { type: 'user', id, name, email };
  }
  for (let index = 0; index < AFFILIATES; index += 1) {
    const name = `${random.oneOf(FIRST_NAMES)} ${random.oneOf(LAST_NAMES)}`;
    names.set(FIRST_AFFILIATE_ID + index, name);
    const display_name = random.chance(0.7) ? `${name.split(' ')[0]}’s Picks` : null;
    const email = `affiliate${index + 1}@partners.example`;
    yield { type: 'user', id: FIRST_AFFILIATE_ID + index, name, email, display_name };
  }
  for (const { id, vendor, name } of DEMO_PRODUCTS) {
    yield { type: 'product', id, vendor_id: vendor.id, name };
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
        created: dateTime(today - random.integer(1, DAYS) * DAY_MS),
        status: random.oneOf(['APPROVED', 'APPROVED', 'APPROVED', 'REQUESTED', 'DENIED']),
        comments: random.chance(0.4) ? 'I write about this every week.' : null,
        custom_commission: random.chance(0.3) ? random.integer(30, 75) : null,
        delayed_commission: random.chance(0.2),
      };
    }
  }
}

function* recurringPayments(
  random: SeededRandom,
  sales: readonly Sale[],
  today: number,
): Generator<LedgerRecord> {
  const recurring = sales.filter(({ pre_key }) => pre_key !== null);
  const payments = groupedBy(recurring, ({ pre_key }) => pre_key);
  for (const [index, [pre_key, made]] of [...payments].entries()) {
    const [first] = made;
    const last = made.at(-1);
    if (first === undefined || last === undefined) continue;
    const { product, customer } = first;
    const next = dateTime(last.at + product.period * DAY_MS);
    const ended = last.at + 2 * product.period * DAY_MS < today;
    yield {
      type: 'recurring_payment',
      pre_key,
      id: index + 1,
      product_id: product.id,
      status: made.length === product.payments ? 'COMPLETED' : ended ? 'CANCELED' : 'ACTIVE',
      current_payments: made.length,
      max_number_of_payments: product.payments,
      max_total_of_all_payments: formatCents(product.payments * product.price),
      max_amount_per_payment: formatCents(product.price),
      next_payment: formatCents(product.price),
      processor_email: customer.email,
      contact_email: customer.email,
      price: formatCents(product.price),
      payment_period: product.period,
      payment_count: product.payments,
      payment_first_payout: formatCents(Math.round(product.price / 2)),
      has_payment_trial: false,
      payment_trial_price: '0.00',
      payment_trial_period: 0,
      payment_trial_payout: '0.00',
      current_payments_amount: formatCents(made.length * product.price),
      created: dateTime(first.at),
      sender_email: customer.email,
      last_date: dateTime(last.at),
      next_date: next,
      ip: customer.ip,
      referrer: `https://www.example/${random.oneOf(SOURCES)}`,
    };
  }
}

function* clicks(random: SeededRandom, today: number): Generator<LedgerRecord> {
  for (let index = 0; index < AFFILIATES; index += 1) {
    const { id } = random.oneOf(DEMO_PRODUCTS);
    for (let day = 30; day >= 1; day -= 1) {
      const unique_clicks = random.integer(0, 40);
      yield {
        type: 'clicks',
        affiliate_id: FIRST_AFFILIATE_ID + index,
        product_id: id,
        date: dateTime(today - day * DAY_MS).slice(0, 10),
        clicks: unique_clicks + random.integer(0, 15),
        unique_clicks,
      };
    }
  }
}

/**
 * Sales of each month relative to the average: more before Christmas and in January, fewer in
 * summer.
 */
const SEASONS = [1.2, 0.95, 1, 0.9, 0.85, 0.75, 0.65, 0.75, 0.95, 1.05, 1.45, 1.6] as const;
const WEEKEND = 0.75;
const [SUNDAY, SATURDAY] = [0, 6];

/** Returns the sales of a day relative to the average. @param day milliseconds since 1970 */
function seasonOf(day: number): number {
  const date = new Date(day);
  const ofMonth = SEASONS[date.getUTCMonth()] ?? 1;
  const weekday = date.getUTCDay();
  return weekday === SUNDAY || weekday === SATURDAY ? ofMonth * WEEKEND : ofMonth;
}

const FIRST_DAY_BEFORE = 130;
const WAVE_DAYS = 18;
const MOST_OF_WAVE = 9;
/** Portrait Masterclass, a product of the vendor whose pages are shown. */
const WAVE_PRODUCT = DEMO_PRODUCTS[1];

/**
 * Returns the sales of an affiliate who promised too much: many sales in a few weeks, most of which
 * are refunded or charged back. Reports, cohorts and the table of affiliates show this.
 */
function refundWave(random: SeededRandom, today: number): Sale[] {
  const sales: Sale[] = [];
  for (let day = 0; day < WAVE_DAYS; day += 1) {
    const begin = today - (FIRST_DAY_BEFORE - day) * DAY_MS;
    for (let made = random.integer(2, MOST_OF_WAVE); made > 0; made -= 1) {
      const at = begin + random.integer(0, 86_399) * 1_000;
      for (const sale of saleWithRenewals(random, { at, today, product: WAVE_PRODUCT })) {
        sales.push({ ...sale, affiliate_id: WAVE_AFFILIATE_ID, isOfWave: true });
      }
    }
  }
  return sales;
}
