// Generates the ledger of the benchmarks: two years of sales in chronological order, interleaved
// over the vendors. The same number of rows gives the same ledger, byte for byte. `node
// bench/ledger.mjs ROWS` prints it.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

export const BIG_VENDOR = 1;
export const SMALL_VENDOR = 2;
export const FIRST_DAY = '2024-01-01';
export const LAST_DAY = '2025-12-31';
/** A day with about fifteen times as many sales as the others. */
export const BUSY_DAY = '2025-11-28';
export const FIRST_AFFILIATE = 1001;
export const AFFILIATES = 200;
export const BIG_VENDOR_PRODUCTS = 20;

const VENDORS = 50;
const SMALL_VENDOR_ROWS = 5000;
const PRODUCTS_OF_OTHERS = 3;
const DAY_MS = 86_400_000;
const BEGIN = Date.parse(`${FIRST_DAY}T00:00:00Z`);
const END = Date.parse(`${LAST_DAY}T23:59:59Z`);
const BUSY = Date.parse(`${BUSY_DAY}T00:00:00Z`);
const SALES_OF_BUSY_DAY = 0.02;
const LINES_OF_A_CHUNK = 500;
const PRICES = [1995, 2700, 2900, 3700, 4700, 9700, 14900, 19700];
const FIRST_NAMES = ['Ada', 'Amir', 'Chen', 'Elena', 'Grace', 'José', 'Lucía', 'Søren', 'Zoë'];
const LAST_NAMES = ['Andersen', 'Brown', 'García', 'Kovač', 'Müller', 'Okafor', 'Sato', 'Yılmaz'];
const CAMPAIGNS = ['spring-sale', 'launch', 'retarget', 'newsletter', 'review'];
const SOURCES = ['google', 'facebook', 'newsletter', 'youtube', 'blog'];
const MEDIUMS = ['cpc', 'email', 'social', 'referral'];

/**
 * Returns a generator of numbers that look random, and are the same for the same seed (mulberry32).
 */
export function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const productOf = (vendor, number) => vendor * 100 + number;

/** @returns {Readable} the ledger file of this many transactions, in chunks of whole lines */
export function ledgerFile(rows) {
  return Readable.from(chunks(records(rows)), { objectMode: false });
}

function* chunks(all) {
  let lines = [];
  for (const record of all) {
    lines.push(JSON.stringify(record));
    if (lines.length === LINES_OF_A_CHUNK) {
      yield `${lines.join('\n')}\n`;
      lines = [];
    }
  }
  yield `${lines.join('\n')}\n`;
}

function* records(rows) {
  const random = seededRandom(rows);
  yield* parties();
  for (let index = 0; index < rows; index += 1) yield transaction(random, index, rows);
}

function* parties() {
  const user = (id, name) => ({ type: 'user', id, name, email: `user${id}@partners.example` });
  for (let id = 1; id <= VENDORS; id += 1) yield user(id, `Vendor ${id}`);
  for (let number = 0; number < AFFILIATES; number += 1) {
    const id = FIRST_AFFILIATE + number;
    yield { ...user(id, `Affiliate ${id}`), display_name: `Partner No. ${id}` };
  }
  for (let vendor = 1; vendor <= VENDORS; vendor += 1) {
    for (let number = 0; number < productsOf(vendor); number += 1) {
      const id = productOf(vendor, number);
      yield { type: 'product', id, vendor_id: vendor, name: nameOf(id) };
    }
  }
}

function productsOf(vendor) {
  return vendor === BIG_VENDOR ? BIG_VENDOR_PRODUCTS : PRODUCTS_OF_OTHERS;
}

function nameOf(product) {
  return `The Complete Course, Part ${product}`;
}

/**
 * Returns the vendor of a sale. Every second sale is the big vendor's; those of the small one are
 * spread evenly over the others.
 */
function vendorOf(index, rows) {
  if (index % 2 === 0) return BIG_VENDOR;
  const others = Math.floor(rows / 2);
  const small = Math.min(SMALL_VENDOR_ROWS, Math.floor(rows / 20));
  const at = (index - 1) / 2;
  const soFar = Math.floor((at * small) / others);
  if (Math.floor(((at + 1) * small) / others) > soFar) return SMALL_VENDOR;
  return SMALL_VENDOR + 1 + (at % (VENDORS - SMALL_VENDOR));
}

export function transaction(random, index, rows) {
  const whole = (least, most) => least + Math.floor(random() * (most - least + 1));
  const oneOf = (items) => items[whole(0, items.length - 1)];
  const vendor = vendorOf(index, rows);
  const product_id = productOf(vendor, whole(0, productsOf(vendor) - 1));
  const amount = PRICES[product_id % PRICES.length];
  const hasAffiliate = random() < 0.6;
  const at = momentOf((index + random()) / rows);
  const payouts = payoutsOf(amount, hasAffiliate);
  const isRefunded = random() < 0.08;
  return {
    type: 'transaction',
    transaction_id: idOf(random, index),
    product_id,
    product_name: nameOf(product_id),
    sale_date: dateTime(at),
    amount: money(amount),
    status: isRefunded ? 'refunded' : 'completed',
    customer: {
      email: `customer.${text(random)}@customers.example`,
      first_name: oneOf(FIRST_NAMES),
      last_name: oneOf(LAST_NAMES),
      ip: `192.0.2.${whole(1, 254)}`,
    },
    affiliate_id: hasAffiliate ? FIRST_AFFILIATE + whole(0, AFFILIATES - 1) : null,
    affiliate_commission_status: isRefunded ? 'REFUNDED' : 'PAID',
    tracking: trackingOf(random, whole, oneOf),
    payouts: mapped(payouts, money),
    refund: isRefunded ? refundOf(at + Math.floor(random() * 45 * DAY_MS), amount, payouts) : null,
  };
}

/** Returns the moment before which this share of all sales is made. */
function momentOf(share) {
  const others = END - BEGIN - DAY_MS;
  const before = ((1 - SALES_OF_BUSY_DAY) * (BUSY - BEGIN)) / others;
  const within = Math.min(Math.max(share - before, 0), SALES_OF_BUSY_DAY);
  const left = (share - within) / (1 - SALES_OF_BUSY_DAY);
  return BEGIN + Math.floor(left * others + (within / SALES_OF_BUSY_DAY) * (DAY_MS - 1));
}

/**
 * Returns an id. Its middle is a permutation of the index, so ids are unique and unordered, like
 * real ones.
 */
function idOf(random, index) {
  const middle = Math.imul(index, 0x9e3779b1) >>> 0;
  return `PA-${middle.toString(36).toUpperCase().padStart(7, '0')}${text(random).toUpperCase()}`;
}

function text(random) {
  return Math.floor(random() * 36 ** 10)
    .toString(36)
    .padStart(10, '0');
}

function trackingOf(random, whole, oneOf) {
  return {
    vtid: `page-${whole(1, 99)}`,
    tid: `${oneOf(CAMPAIGNS)}-${whole(1, 20)}`,
    utm_source: oneOf(SOURCES),
    utm_medium: oneOf(MEDIUMS),
    utm_campaign: oneOf(CAMPAIGNS),
    utm_content: `variant-${whole(1, 9)}`,
    sub_id1: text(random),
    ...(random() < 0.5 ? { gclid: text(random) + text(random) + text(random) } : {}),
  };
}

/** Returns the payouts in cents, which add up to the amount. */
function payoutsOf(amount, hasAffiliate) {
  const service_fee = Math.round(amount * 0.075) + 50;
  const affiliate_payout = hasAffiliate ? Math.round((amount - service_fee) / 2) : 0;
  const seller_earnings = amount - service_fee - affiliate_payout;
  return { seller_earnings, affiliate_payout, agent_payout: 0, jv_payout: 0, service_fee };
}

function refundOf(at, amount, payouts) {
  const back = mapped(payouts, (cents) => money(-cents));
  return {
    refund_date: dateTime(at),
    refund_amount: money(amount),
    seller_refund_impact: back.seller_earnings,
    affiliate_refund_impact: back.affiliate_payout,
    agent_refund_impact: back.agent_payout,
    jv_refund_impact: back.jv_payout,
    service_fee_adjustment: back.service_fee,
  };
}

function mapped(fields, change) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]));
}

function money(cents) {
  return cents === 0 ? '0.00' : (cents / 100).toFixed(2);
}

function dateTime(milliseconds) {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}+00:00`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await pipeline(ledgerFile(Number(process.argv[2])), process.stdout);
}
