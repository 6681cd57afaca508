import { formatCents } from '../../platform/values/money.js';
import { groupedBy } from '../../platform/values/grouped-by.js';
import { DAY_MS } from '../../platform/values/time.js';
import {
  type DemoTerms,
  demoAffiliates,
  demoTerms,
  LAUNCH_BEGINS,
  WAVE_AFFILIATE_ID,
  WAVE_BEGINS,
  WAVE_DAYS,
} from './demo-people.js';
import {
  DEMO_PRODUCTS,
  DEMO_VENDORS,
  FIRST_PRODUCTS,
  LAUNCHED,
  WAVE_PRODUCT,
} from './demo-products.js';
import {
  dateTime,
  saleWithRenewals,
  transaction,
  type LedgerRecord,
  type Sale,
} from './demo-sale.js';
import { referrerPage } from './demo-tracking.js';
import { SeededRandom } from './seeded-random.js';

const DAYS = 400;
const SEED = 20_250_601;
/**
 * Seed for the records that are the same on every day. It differs from SEED, because the same
 * sequence would produce the same ids twice.
 */
const EARLY_SEED = 118;
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
 * seasons, the launch of a product, subscriptions with renewals, and one affiliate whose sales are
 * refunded. The same day always produces the same ledger.
 */
export function* demoLedger(now: Date): Generator<LedgerRecord> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const names = new Map(demoAffiliates().map(({ id, name }) => [id, name]));
  const begin = Math.min(FIRST_DAY, today - DAYS * DAY_MS);
  const terms = demoTerms(new SeededRandom(SEED), begin, today);
  yield* parties();
  for (const each of terms) yield relationship(each);
  const random = new SeededRandom(SEED + today / DAY_MS);
  const founding = terms.filter(({ created }) => created < begin);
  const sales = earlySales(founding, today);
  sales.push(...usualSales(random, terms, sales, today));
  sales.push(...refundWave(random, today), ...launch(random, terms, today));
  sales.sort((left, right) => left.at - right.at);
  yield* recurringPayments(random, sales, today);
  for (const sale of sales) yield transaction(random, sale, today, names);
  yield* clicks(random, terms, today);
}

/** @param before sales whose customers may buy again */
function usualSales(
  random: SeededRandom,
  terms: readonly DemoTerms[],
  before: readonly Sale[],
  today: number,
): Sale[] {
  const sales = [...before];
  for (let day = DAYS; day >= 1; day -= 1) {
    const begin = today - day * DAY_MS;
    const products = day < LAUNCH_BEGINS ? DEMO_PRODUCTS : FIRST_PRODUCTS;
    const usual = random.integer(LEAST_SALES, MOST_SALES) * growthOf(day);
    const count = Math.round(usual * seasonOf(begin));
    for (let made = 0; made < count; made += 1) {
      const at = begin + random.integer(0, 86_399) * 1_000;
      const returning = sales.length > 0 && random.chance(CHANCE_OF_A_RETURN);
      const customer = returning ? random.oneOf(sales).customer : undefined;
      const product = random.oneOf(products);
      sales.push(...saleWithRenewals(random, { at, today, product, terms, customer }));
    }
  }
  return sales.slice(before.length);
}

/**
 * Returns few sales, so that the ledger stays small no matter how long ago the vendors began. Sales
 * of June 2025 always have the same ids, because the OpenAPI documents show some of them.
 */
function earlySales(terms: readonly DemoTerms[], today: number): Sale[] {
  const random = new SeededRandom(EARLY_SEED);
  const sales: Sale[] = [];
  for (let day = FIRST_DAY; day < today; day += DAY_MS) {
    const isOfFirstMonth = day < FIRST_DAY + FIRST_MONTH_DAYS * DAY_MS;
    if (!isOfFirstMonth && day >= today - DAYS * DAY_MS) break;
    const at = day + random.integer(0, 86_399) * 1_000;
    if (isOfFirstMonth || random.chance(CHANCE_OF_AN_EARLY_SALE)) {
      const product = random.oneOf(FIRST_PRODUCTS);
      sales.push(...saleWithRenewals(random, { at, today, product, terms }));
    }
  }
  return sales;
}

function* parties(): Generator<LedgerRecord> {
  for (const { id, name } of DEMO_VENDORS) {
    const email = `hello@${name.toLowerCase().replace(/[^a-z]+/g, '')}.example`;
    yield { type: 'user', id, name, email };
  }
  for (const [index, affiliate] of demoAffiliates().entries()) {
    yield { type: 'user', ...affiliate, email: `affiliate${index + 1}@partners.example` };
  }
  for (const { id, vendor, name } of DEMO_PRODUCTS) {
    yield { type: 'product', id, vendor_id: vendor.id, name };
  }
}

function relationship({ product, created, ...terms }: DemoTerms): LedgerRecord {
  const record = { type: 'affiliation', ...terms, product_id: product.id };
  return { ...record, created: dateTime(created) };
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
    const next = last.at + product.period * DAY_MS;
    const isEnded = next + product.period * DAY_MS < today;
    const isComplete = made.length === product.payments;
    yield {
      type: 'recurring_payment',
      pre_key,
      id: index + 1,
      product_id: product.id,
      status: isComplete ? 'COMPLETED' : isEnded ? 'CANCELED' : 'ACTIVE',
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
      next_date: isComplete || isEnded ? null : dateTime(next),
      ip: customer.ip,
      referrer: referrerPage(random),
    };
  }
}

/** Share of days on which the links of terms are clicked. */
const CHANCE_OF_CLICKS = 0.4;

/** Yields the clicks of the last 30 days for each affiliate's approved terms. */
function* clicks(
  random: SeededRandom,
  terms: readonly DemoTerms[],
  today: number,
): Generator<LedgerRecord> {
  for (const { affiliate_id, product, status, created } of terms) {
    if (status !== 'APPROVED') continue;
    for (let day = 30; day >= 1; day -= 1) {
      const begin = today - day * DAY_MS;
      if (begin < created || !random.chance(CHANCE_OF_CLICKS)) continue;
      const unique_clicks = random.integer(1, 30);
      const all = unique_clicks + random.integer(0, 15);
      const date = dateTime(begin).slice(0, 10);
      const counts = { clicks: all, unique_clicks };
      yield { type: 'clicks', affiliate_id, product_id: product.id, date, ...counts };
    }
  }
}

/**
 * Sales of each month relative to the average: more before Christmas and in January, fewer in
 * summer.
 */
const SEASONS = [1.2, 0.95, 1, 0.9, 0.85, 0.75, 0.65, 0.75, 0.95, 1.05, 1.3, 1.6] as const;
const WEEKEND = 0.75;
const [SUNDAY, FRIDAY, SATURDAY] = [0, 5, 6];
const NOVEMBER = 10;
/** Days of November on which the Friday of the largest sale can be. */
const [FIRST_BLACK_FRIDAY, LAST_BLACK_FRIDAY] = [23, 29];
const BLACK_FRIDAY_DAYS = 4;
const BLACK_FRIDAY = 2.4;

/** Returns the sales of a day relative to the average. @param day milliseconds since 1970 */
function seasonOf(day: number): number {
  const date = new Date(day);
  const ofMonth = SEASONS[date.getUTCMonth()] ?? 1;
  if (isBlackFriday(day)) return ofMonth * BLACK_FRIDAY;
  const weekday = date.getUTCDay();
  return weekday === SUNDAY || weekday === SATURDAY ? ofMonth * WEEKEND : ofMonth;
}

/** Returns true for the days from the Friday after the fourth Thursday of November on. */
function isBlackFriday(day: number): boolean {
  return Array.from({ length: BLACK_FRIDAY_DAYS }, (_, ago) => new Date(day - ago * DAY_MS)).some(
    (date) =>
      date.getUTCMonth() === NOVEMBER &&
      date.getUTCDay() === FRIDAY &&
      date.getUTCDate() >= FIRST_BLACK_FRIDAY &&
      date.getUTCDate() <= LAST_BLACK_FRIDAY,
  );
}

/** Returns the sales of a day relative to the average: the vendors grow. @param ago in days */
function growthOf(ago: number): number {
  return 1.2 - (0.4 * ago) / DAYS;
}

const MOST_OF_WAVE = 9;

/**
 * Returns the sales of an affiliate who promised too much: many sales in a few weeks, most of which
 * are refunded or charged back. Reports, cohorts and the table of affiliates show this.
 */
function refundWave(random: SeededRandom, today: number): Sale[] {
  const sales: Sale[] = [];
  const options = { today, product: WAVE_PRODUCT, terms: [] };
  for (let day = 0; day < WAVE_DAYS; day += 1) {
    const begin = today - (WAVE_BEGINS - day) * DAY_MS;
    for (let made = random.integer(2, MOST_OF_WAVE); made > 0; made -= 1) {
      const at = begin + random.integer(0, 86_399) * 1_000;
      for (const sale of saleWithRenewals(random, { ...options, at })) {
        sales.push({ ...sale, affiliate_id: WAVE_AFFILIATE_ID, isDelayed: true, isOfWave: true });
      }
    }
  }
  return sales;
}

const LAUNCH_DAYS = 12;
const SALES_OF_FIRST_DAY = 26;
/** Sales of a day of the launch relative to the day before. */
const LAUNCH_DECLINE = 0.8;

/** Returns the sales of the first days of a product: many at once, then fewer each day. */
function launch(random: SeededRandom, terms: readonly DemoTerms[], today: number): Sale[] {
  const sales: Sale[] = [];
  const options = { today, product: LAUNCHED, terms, isOfLaunch: true };
  for (let day = 0; day < LAUNCH_DAYS; day += 1) {
    const begin = today - (LAUNCH_BEGINS - day) * DAY_MS;
    const count = Math.round(SALES_OF_FIRST_DAY * LAUNCH_DECLINE ** day) + random.integer(0, 3);
    for (let made = 0; made < count; made += 1) {
      const at = begin + random.integer(0, 86_399) * 1_000;
      sales.push(...saleWithRenewals(random, { ...options, at }));
    }
  }
  return sales;
}
