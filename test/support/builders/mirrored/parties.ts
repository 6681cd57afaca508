import type { SeededRandom } from '../../../../src/modules/demo/seeded-random.js';
import { NAMES, TEXTS } from '../../random/texts.js';
import { affiliation, product, recurringPayment, user } from '../ledger-records.js';

export const MIRRORED_ID = 1;
/** The vendor whose sales are mirrored. */
export const MIRRORED_VENDOR = {
  ...user(MIRRORED_ID, { name: 'Vera’s “Shop” & Söhne', email: 'vera@shop.test' }),
  id: MIRRORED_ID,
};
/** Another vendor, which shares an affiliate, and seconds of sales, with the mirrored vendor. */
export const OTHER = { vendor: 2, product: 21 } as const;

export const PRODUCTS = [11, 12, 13, 14, 15, 16] as const;
/**
 * Ids of the affiliates. Every second one has a display name. The first one also sells for the
 * other vendor.
 */
export const AFFILIATES = Array.from({ length: 12 }, (_, index) => 101 + index);
/** Payment keys that a path must carry percent-encoded, and plain ones. */
export const PRE_KEYS = [
  'pre/1',
  'pre 2',
  'prä%3',
  'PRE-?4',
  '..',
  'pre+5',
  '🔑',
  ...Array.from({ length: 23 }, (_, index) => `PRE-${100 + index}`),
];
export function* parties(random: SeededRandom): Generator<object> {
  yield MIRRORED_VENDOR;
  yield user(OTHER.vendor);
  for (const [index, id] of AFFILIATES.entries()) {
    const [, name = ''] = NAMES[index % NAMES.length] ?? [];
    const display_name = index % 2 === 0 ? `${name} ${id}` : null;
    yield user(id, { name: `Affiliate ${id} ${name}`, display_name });
  }
  for (const id of PRODUCTS) yield product(id, MIRRORED_ID, { name: productName(id) });
  yield product(OTHER.product, OTHER.vendor);
  for (const [index, affiliate_id] of AFFILIATES.entries()) {
    for (const product_id of PRODUCTS) {
      // Some affiliates have sales but no affiliate terms.
      if (index % 4 !== 3) yield relationship(affiliate_id, product_id, random);
    }
  }
}

export function productName(id: number): string {
  return `${NAMES[id % NAMES.length]?.[1] ?? ''} ${id}`;
}

/** Returns affiliate terms with all optional fields or none. */
export function relationship(affiliate_id: number, product_id: number, random: SeededRandom) {
  const status = random.oneOf(['REQUESTED', 'APPROVED', 'APPROVED', 'DENIED']);
  const created = new Date(Date.UTC(2025, 0, random.integer(1, 90))).toISOString();
  if (random.chance(0.3)) return affiliation(affiliate_id, product_id, { status, created });
  return affiliation(affiliate_id, product_id, {
    status,
    created,
    comments: random.oneOf(TEXTS)[1],
    custom_commission: random.integer(0, 100),
    delayed_commission: random.chance(0.5),
    custom_sales_page_url: `https://sales.example/${affiliate_id}?a=b&c=“d”`,
    custom_payment_1st_payout: random.integer(0, 30),
    custom_payment_trial_payout: random.integer(0, 30),
  });
}

export function* payments(random: SeededRandom): Generator<object> {
  for (const index of PRE_KEYS.keys()) yield payment(index, random);
}

/** @param index the index of the payment key */
export function payment(index: number, random: SeededRandom): object {
  const odd = random.oneOf(TEXTS)[1];
  const isTrial = random.chance(0.3);
  const next = new Date(Date.UTC(2027, 0, random.integer(1, 28), 3, 4, 5)).toISOString();
  return recurringPayment(PRE_KEYS[index] ?? '', PRODUCTS[index % PRODUCTS.length] ?? 11, {
    id: 5_000 + index,
    status: ['ACTIVE', 'CANCELED', 'COMPLETED', 'ACTIVE'][index % 4],
    current_payments: random.integer(0, 12),
    code: random.oneOf([null, 'SPRING', odd]),
    payout: random.oneOf([null, '12.50', '0.00']),
    tid: random.oneOf([null, odd]),
    vtid: random.oneOf([null, '', odd]),
    has_payment_trial: isTrial,
    payment_trial_period: isTrial ? 14 : 0,
    payment_trial_price: isTrial ? '1.00' : '0.00',
    next_payment: next,
    next_date: next,
    referrer: `https://www.example/${encodeURIComponent(odd)}`,
  });
}
