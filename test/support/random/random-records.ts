/**
 * Random records in which every optional field is present or absent, with texts and amounts of
 * every kind.
 */
import fc from 'fast-check';
import {
  affiliation,
  clicks,
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../builders/ledger-records.js';

type Fields = Readonly<Record<string, unknown>>;

/** A vendor's ledger before its ids are assigned. */
export interface RandomLedger {
  readonly users: readonly Fields[];
  readonly product: Fields;
  readonly affiliation: Fields;
  readonly payment: Fields;
  readonly clicks: readonly Fields[];
  readonly sales: readonly { readonly hasAffiliate: boolean; readonly fields: Fields }[];
}

/** Ids of one random ledger. No other ledger has the same ids. */
export interface LedgerIds {
  readonly vendor: number;
  readonly affiliate: number;
  readonly product: number;
  readonly preKey: string;
  readonly transactions: readonly string[];
}

const text = fc.oneof(
  fc.constantFrom('', ' ', '0', 'null', "O'Brien", 'Zoë 🙂', '\u0080', '"\\', '</script>'),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const cents = fc.oneof(
  fc.constantFrom(0, 1, 10, 29, 100, 4_700, 999_999_999_999_999),
  fc.nat({ max: 1_000_000 }),
);
const decimal = (value: number, places: number) => (value / 10 ** places).toFixed(places);
const positive = cents.map((value) => decimal(value, 2));
const negative = positive.map((value) => `-${value}`);
const money = fc.oneof(positive, positive, negative, fc.constantFrom('0', '-0', '7', '1.5'));
const moment = fc
  .date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());
const count = fc.oneof(fc.constantFrom(0, 1), fc.nat({ max: 1_000_000 }));

/** Generates an object in which each of these fields is present, null or absent. */
function some(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Fields> {
  const optional = Object.entries(fields).map(([name, value]) => [name, fc.option(value)] as const);
  return fc.record(Object.fromEntries(optional), { requiredKeys: [] });
}

function all(names: readonly string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<Fields> {
  return fc.record(Object.fromEntries(names.map((name) => [name, value])));
}

const IMPACTS = [
  'seller_refund_impact',
  'affiliate_refund_impact',
  'agent_refund_impact',
  'jv_refund_impact',
];
const PAYOUTS = ['seller_earnings', 'affiliate_payout', 'agent_payout', 'jv_payout', 'service_fee'];
const TAXES = ['tax_total', 'international_sales_tax', 'national_sales_tax', 'vat_tax'];
const DELIVERY = [
  'name',
  'phone',
  'address_line_1',
  'address_line_2',
  'city',
  'region',
  'postal_code',
  'country',
];
const each = (names: readonly string[], value: fc.Arbitrary<unknown>) =>
  some(Object.fromEntries(names.map((name) => [name, value])));

const taken = fc
  .tuple(positive, all(IMPACTS, negative), all(['service_fee_adjustment'], money))
  .map(([refund_amount, ...impacts]) =>
    refund('2101-01-01T00:00:00Z', Object.assign({ refund_amount }, ...impacts) as Fields),
  );
const customer = fc
  .tuple(
    all(['email', 'first_name', 'last_name'], text),
    each(['ip', 'phone', 'processor_email'], text),
  )
  .map(([known, unknown]) => ({ ...known, ...unknown }));
const payout_items = fc.array(
  fc
    .tuple(money, all(['payee_name', 'payout_type', 'payment_processor', 'payout_status'], text))
    .map(([payee_amount, words]) => payoutItem(7, { payee_amount, ...words })),
  { maxLength: 3 },
);

const saleFields = fc
  .tuple(
    fc.record({
      product_name: text,
      sale_date: fc.oneof(
        moment,
        fc
          .constantFrom(1, 30, 89, 91)
          .map((days) => new Date(Date.now() - days * 86_400_000).toISOString()),
      ),
      amount: money,
      status: fc.constantFrom('pending', 'completed', 'refunded', 'charged_back'),
      customer,
      payouts: all(PAYOUTS, money),
    }),
    some({
      affiliate_commission_status: fc.constantFrom('UNPAID', 'PAID', 'PAYMENT_ERROR', 'REFUNDED'),
      tracking: each(['tid', 'vtid', 'custom', 'utm_term'], text),
      payout_items,
      refund: taken,
      taxes: each(TAXES, money),
      shipping_fee: fc.nat({ max: 999_999_999 }).map((value) => decimal(value, 6)),
      delivery: each(DELIVERY, text),
    }),
  )
  .map(([known, unknown]) => ({ ...known, ...unknown }));

/** Names in a ledger contain no control characters. */
const name = text.filter(
  (value) => !/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(value),
);
const userFields = fc
  .tuple(all(['name', 'email'], name), each(['display_name', 'processor_email'], name))
  .map(([known, unknown]) => ({ ...known, ...unknown }));

const affiliationFields = fc
  .tuple(
    fc.record({ created: moment, status: fc.constantFrom('REQUESTED', 'APPROVED', 'DENIED') }),
    some({
      comments: text,
      custom_commission: fc.nat({ max: 100 }),
      delayed_commission: fc.boolean(),
      custom_sales_page_url: text,
      custom_payment_1st_payout: count,
      custom_payment_trial_payout: count,
    }),
  )
  .map(([known, unknown]) => ({ ...known, ...unknown }));

const paymentFields = fc
  .tuple(
    all(['processor_email', 'contact_email', 'sender_email', 'ip', 'referrer'], text),
    all(['price', 'payment_first_payout', 'current_payments_amount'], money),
    all(['current_payments', 'max_number_of_payments', 'payment_period'], count),
    all(['created'], moment),
    all(['last_date', 'next_date'], fc.option(moment)),
    all(['next_payment'], fc.oneof(moment, money, text)),
    fc.record({
      status: fc.constantFrom('ACTIVE', 'CANCELED', 'COMPLETED', ' Active', 'disabled'),
      has_payment_trial: fc.boolean(),
    }),
    some({ code: text, payout: money, tid: text, vtid: text }),
  )
  .map((parts): Fields => Object.assign({}, ...parts) as Fields);

export const randomLedger: fc.Arbitrary<RandomLedger> = fc.record({
  users: fc.array(userFields, { minLength: 2, maxLength: 2 }),
  product: fc.record({ name }),
  affiliation: affiliationFields,
  payment: paymentFields,
  clicks: fc.uniqueArray(
    fc.record({
      date: fc.constantFrom('2024-02-29', '2025-06-01', '2025-06-02'),
      clicks: count,
      unique_clicks: count,
    }),
    { maxLength: 3, selector: ({ date }) => date },
  ),
  sales: fc.array(fc.record({ hasAffiliate: fc.boolean(), fields: saleFields }), {
    minLength: 1,
    maxLength: 8,
  }),
});

/** Returns the ids of the ledger with this number. */
export function idsOf(number: number, ledger: RandomLedger): LedgerIds {
  return {
    vendor: number * 10,
    affiliate: number * 10 + 1,
    product: number * 10 + 2,
    preKey: `PRE-${number}`,
    transactions: ledger.sales.map((_, place) => `${number}-${place}`),
  };
}

export function recordsOf(ids: LedgerIds, ledger: RandomLedger): object[] {
  const [vendor, affiliate] = ledger.users;
  return [
    user(ids.vendor, vendor),
    user(ids.affiliate, affiliate),
    product(ids.product, ids.vendor, ledger.product),
    affiliation(ids.affiliate, ids.product, ledger.affiliation),
    recurringPayment(ids.preKey, ids.product, ledger.payment),
    ...ledger.clicks.map((fields) => clicks(ids.affiliate, ids.product, fields)),
    ...ledger.sales.map(({ hasAffiliate, fields }, place) =>
      transaction(ids.transactions[place] ?? '', ids.product, {
        ...fields,
        affiliate_id: hasAffiliate ? ids.affiliate : null,
        pre_key: place % 2 === 0 ? ids.preKey : null,
      }),
    ),
  ];
}
