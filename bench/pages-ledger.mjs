// Generates the ledger of the part `pages`: every transaction belongs to one vendor, with many
// affiliates, subscriptions and values of tracking fields. The same number of rows gives the same
// ledger. It has the same days as ledger.mjs.
import { Readable } from 'node:stream';
import {
  BIG_VENDOR,
  BIG_VENDOR_PRODUCTS,
  FIRST_DAY,
  productOf,
  seededRandom,
  transaction,
} from './ledger.mjs';

export const FIRST_PARTNER = 10_001;
/**
 * Number of values of `tid`, all of them equally frequent, which is the worst case for the page of
 * tracking.
 */
export const TIDS = 2000;
/**
 * One sale in this many begins a subscription; the next ones of the same subscription are its
 * rebills.
 */
const SALES_OF_AN_AGREEMENT = 4;
const LINES_OF_A_CHUNK = 500;
const DAYS = 730;
const DAY_MS = 86_400_000;

export const emailOf = (customer) =>
  `buyer.${customer.toString(36).padStart(6, '0')}@buyers.example`;
/** Number of last names. The customers of a name have 500 of a million sales on average. */
export const SURNAMES = 2000;
export const surnameOf = (number) => `Lo${number.toString(36).padStart(3, '0')}`;
export const agreementOf = (number) => `PRE-${number.toString(36).toUpperCase().padStart(6, '0')}`;

/** @returns {Readable} the ledger file */
export function pagesLedger({ rows, partners }) {
  return Readable.from(chunks(records({ rows, partners })), { objectMode: false });
}

function* chunks(all) {
  let lines = [];
  for (const record of all) {
    lines.push(JSON.stringify(record));
    if (lines.length === LINES_OF_A_CHUNK) yield `${lines.splice(0).join('\n')}\n`;
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
}

function* records({ rows, partners }) {
  const random = seededRandom(rows);
  yield { type: 'user', id: BIG_VENDOR, name: 'Vendor', email: 'vendor@partners.example' };
  for (let number = 0; number < BIG_VENDOR_PRODUCTS; number += 1) {
    const id = productOf(BIG_VENDOR, number);
    yield { type: 'product', id, vendor_id: BIG_VENDOR, name: `Course ${id}` };
  }
  for (let number = 0; number < partners; number += 1) yield* partner(random, number);
  for (let number = 0; number < agreements(rows); number += 1) yield agreement(random, number);
  for (let index = 0; index < rows; index += 1) yield sale(random, index, { rows, partners });
}

export const agreements = (rows) => Math.floor(rows / SALES_OF_AN_AGREEMENT / 2);

function* partner(random, number) {
  const id = FIRST_PARTNER + number;
  yield { type: 'user', id, name: `Partner ${id}`, email: `user${id}@partners.example` };
  const product_id = productOf(BIG_VENDOR, number % BIG_VENDOR_PRODUCTS);
  const created = `${FIRST_DAY}T00:00:00+00:00`;
  yield { type: 'affiliation', affiliate_id: id, product_id, created, status: 'APPROVED' };
  const day = Math.floor(random() * DAYS);
  const date = new Date(Date.parse(FIRST_DAY) + day * DAY_MS).toISOString().slice(0, 10);
  yield { type: 'clicks', affiliate_id: id, product_id, date, clicks: 90, unique_clicks: 70 };
}

function agreement(random, number) {
  const active = random() < 0.6;
  const next = `2026-${String(1 + (number % 12)).padStart(2, '0')}-15T00:00:00+00:00`;
  const begun = `${FIRST_DAY}T00:00:00+00:00`;
  const email = emailOf(number);
  return {
    type: 'recurring_payment',
    pre_key: agreementOf(number),
    id: 1 + number,
    product_id: productOf(BIG_VENDOR, number % BIG_VENDOR_PRODUCTS),
    status: active ? 'ACTIVE' : number % 2 === 0 ? 'CANCELED' : 'COMPLETED',
    current_payments: 4,
    max_number_of_payments: 24,
    max_total_of_all_payments: '1000.00',
    max_amount_per_payment: '100.00',
    next_payment: '47.00',
    processor_email: email,
    contact_email: email,
    code: null,
    price: '47.00',
    payment_period: 30,
    payment_count: 24,
    payment_first_payout: '20.00',
    has_payment_trial: false,
    payment_trial_price: '0.00',
    payment_trial_period: 0,
    payment_trial_payout: '0.00',
    payout: null,
    current_payments_amount: '188.00',
    created: begun,
    sender_email: email,
    last_date: begun,
    next_date: next,
    ip: '192.0.2.1',
    referrer: '',
  };
}

/**
 * Returns a sale with an even index, because in ledger.mjs every second sale is the big vendor's.
 */
function sale(random, index, { rows, partners }) {
  const record = transaction(random, 2 * index, 2 * rows);
  const number = Math.floor(random() * agreements(rows));
  const recurs = random() < 0.5;
  const customer = recurs ? number : agreements(rows) + Math.floor(random() * rows);
  return {
    ...record,
    pre_key: recurs ? agreementOf(number) : null,
    customer: {
      ...record.customer,
      email: emailOf(customer),
      last_name: surnameOf(customer % SURNAMES),
    },
    affiliate_id:
      record.affiliate_id === null ? null : FIRST_PARTNER + Math.floor(random() * partners),
    affiliate_commission_status: random() < 0.2 ? 'UNPAID' : record.affiliate_commission_status,
    tracking: { ...record.tracking, tid: `campaign-${Math.floor(random() * TIDS)}` },
  };
}
