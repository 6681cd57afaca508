import { MILLIONTHS } from '../platform/values/money.js';
import type { RecordFields } from './records/record-fields.js';
import { LINES_TEXT, TRACKING_TEXT, type TextRule } from './files/text-rule.js';

const STATUSES = ['pending', 'completed', 'refunded', 'charged_back'] as const;
export const COMMISSION_STATUSES = ['UNPAID', 'PAID', 'PAYMENT_ERROR', 'REFUNDED'] as const;

/**
 * Contains the parts of a `transaction` record, and the fields that are checked before all others.
 */
export interface SentTransaction {
  readonly record: RecordFields;
  readonly customer: RecordFields;
  readonly payouts: RecordFields;
  readonly tracking: RecordFields | null;
  readonly refund: RecordFields | null;
  readonly taxes: RecordFields | null;
  readonly delivery: RecordFields | null;
  readonly transaction_id: string;
  readonly sale_date: string;
  readonly product_id: number;
  readonly refund_date: string | null;
}

/** Describes a column of a transaction. A property is absent where it does not apply. */
interface ColumnRule {
  /** Kind of value. `id`, `email` and `text` are texts, but only a `text` is cut to its rule. */
  readonly kind: 'id' | 'email' | 'text' | 'word' | 'number' | 'money' | 'millionths' | 'date-time';
  /** Length and characters of a text, if they differ from those of most texts. */
  readonly rule?: TextRule;
  readonly nullable?: true;
  /** Object of the record that contains the field. */
  readonly object?: 'customer' | 'tracking' | 'payouts' | 'refund' | 'taxes' | 'delivery';
  /** Marks a part of a refund that is zero or negative. */
  readonly impact?: true;
  /** Shown by the list of API 3.0, and with it by single transactions and the feed of changes. */
  readonly list?: true;
  /** Contained in CSV files, which have only columns of the list. */
  readonly csv?: true;
  /** Contained in Parquet files, which have only columns of the list. */
  readonly parquet?: true;
  /** Needed for the details of API 2.1. */
  readonly detail?: true;
  /** Needed for the summaries and feeds of API 2.0. */
  readonly feed?: true;
  /** Shown by results of the search. */
  readonly search?: true;
  /** Shown by the lists of sales on the pages of their vendor. */
  readonly page?: true;
  /** Shown by the lists of sales on the pages of their affiliate. */
  readonly affiliate?: true;
  /** Value that replaces personal data. */
  readonly personal?: '' | null;
  /** Reads the value from a record. The second argument is the name of the field in its object. */
  readonly read: (sent: SentTransaction, field: string) => string | number | null;
}

const LIST = { list: true, csv: true, parquet: true } as const;
const DETAIL = { detail: true } as const;
const SUMMARY = { feed: true, search: true, page: true } as const;
const EVERYWHERE = { ...LIST, ...DETAIL, ...SUMMARY, affiliate: true } as const;

const CUSTOMER_NAME = {
  ...LIST,
  ...DETAIL,
  ...SUMMARY,
  object: 'customer',
  kind: 'text',
  personal: '',
  read: ({ customer }, field) => customer.anyText(field),
} as const satisfies ColumnRule;
const CUSTOMER_CONTACT = {
  object: 'customer',
  kind: 'text',
  nullable: true,
  personal: null,
  read: ({ customer }, field) => customer.optionalAnyText(field),
} as const satisfies ColumnRule;
const TRACKED = {
  ...LIST,
  object: 'tracking',
  kind: 'text',
  rule: TRACKING_TEXT,
  nullable: true,
  read: ({ tracking }, field) => tracking?.optionalAnyText(field) ?? null,
} as const satisfies ColumnRule;
const PAYOUT = {
  ...LIST,
  page: true,
  object: 'payouts',
  kind: 'money',
  read: ({ payouts }, field) => payouts.money(field),
} as const satisfies ColumnRule;
/** The service fee can change in either direction. */
const REFUND = {
  ...LIST,
  page: true,
  object: 'refund',
  kind: 'money',
  nullable: true,
  read: ({ refund }, field) => refund?.money(field) ?? null,
} as const satisfies ColumnRule;
const REFUND_AMOUNT = {
  ...REFUND,
  read: ({ refund }, field) => refund?.money(field, 'zero_or_more') ?? null,
} as const satisfies ColumnRule;
const REFUND_IMPACT = {
  ...REFUND,
  impact: true,
  read: ({ refund }, field) => refund?.money(field, 'zero_or_less') ?? null,
} as const satisfies ColumnRule;
const TAX = {
  ...DETAIL,
  object: 'taxes',
  kind: 'money',
  nullable: true,
  read: ({ taxes }, field) => taxes?.optionalMoney(field) ?? null,
} as const satisfies ColumnRule;
const DELIVERY = {
  ...DETAIL,
  object: 'delivery',
  kind: 'text',
  nullable: true,
  personal: null,
  read: ({ delivery }, field) => delivery?.optionalAnyText(field) ?? null,
} as const satisfies ColumnRule;

/**
 * Lists the columns that a `transaction` record of a ledger file fills
 * (docs/ledger-file.md#transaction), in the order of the list of API 3.0. All other lists of them
 * derive from this one (docs/adding-a-column.md).
 */
export const COLUMNS = {
  transaction_id: {
    ...LIST,
    ...SUMMARY,
    affiliate: true,
    kind: 'id',
    read: (sent) => sent.transaction_id,
  },
  sale_date: { ...EVERYWHERE, kind: 'date-time', read: (sent) => sent.sale_date },
  product_id: {
    ...LIST,
    ...DETAIL,
    feed: true,
    page: true,
    kind: 'number',
    read: (sent) => sent.product_id,
  },
  product_name: { ...EVERYWHERE, kind: 'text', read: ({ record }, field) => record.anyText(field) },
  amount: { ...EVERYWHERE, kind: 'money', read: ({ record }, field) => record.money(field) },
  status: {
    ...EVERYWHERE,
    kind: 'word',
    read: ({ record }, field) => record.choice(field, STATUSES),
  },
  pre_key: {
    ...DETAIL,
    kind: 'id',
    nullable: true,
    read: ({ record }, field) => record.optionalAnyText(field),
  },
  customer_email: { ...CUSTOMER_NAME, kind: 'email' },
  customer_first_name: CUSTOMER_NAME,
  customer_last_name: CUSTOMER_NAME,
  customer_ip: { ...CUSTOMER_CONTACT, ...DETAIL, feed: true },
  customer_phone: { ...CUSTOMER_CONTACT, ...DETAIL },
  /** Address at the payment processor. If it is null, `customer_email` applies. */
  customer_processor_email: { ...CUSTOMER_CONTACT, kind: 'email' },
  affiliate_id: {
    ...LIST,
    kind: 'number',
    nullable: true,
    feed: true,
    page: true,
    read: ({ record }, field) => record.optionalId(field),
  },
  affiliate_commission_status: {
    kind: 'word',
    feed: true,
    affiliate: true,
    read: ({ record }, field) => record.optionalChoice(field, COMMISSION_STATUSES) ?? 'UNPAID',
  },
  vtid: { ...TRACKED, ...DETAIL, personal: null },
  custom: { ...TRACKED, personal: null },
  tid: { ...TRACKED, ...DETAIL, page: true },
  utm_source: TRACKED,
  utm_medium: TRACKED,
  utm_campaign: TRACKED,
  utm_content: TRACKED,
  utm_term: TRACKED,
  sub_id1: TRACKED,
  sub_id2: TRACKED,
  sub_id3: TRACKED,
  sub_id4: TRACKED,
  sub_id5: TRACKED,
  gclid: TRACKED,
  fbclid: TRACKED,
  msclkid: TRACKED,
  ttclid: TRACKED,
  li_fat_id: TRACKED,
  twclid: TRACKED,
  yclid: TRACKED,
  other_params: { ...TRACKED, rule: LINES_TEXT, personal: null },
  seller_earnings: PAYOUT,
  affiliate_payout: { ...PAYOUT, feed: true, affiliate: true },
  agent_payout: PAYOUT,
  jv_payout: PAYOUT,
  service_fee: PAYOUT,
  refund_date: {
    ...REFUND,
    affiliate: true,
    kind: 'date-time',
    read: (sent) => sent.refund_date,
  },
  refund_amount: { ...REFUND_AMOUNT, affiliate: true },
  seller_refund_impact: REFUND_IMPACT,
  affiliate_refund_impact: { ...REFUND_IMPACT, affiliate: true },
  agent_refund_impact: REFUND_IMPACT,
  jv_refund_impact: REFUND_IMPACT,
  service_fee_adjustment: REFUND,
  tax_total: TAX,
  international_sales_tax: TAX,
  national_sales_tax: TAX,
  vat_tax: TAX,
  shipping_fee: {
    ...DETAIL,
    kind: 'millionths',
    nullable: true,
    read: ({ record }, field) => record.optionalDecimal(field, MILLIONTHS),
  },
  delivery_name: DELIVERY,
  delivery_phone: DELIVERY,
  delivery_address_line_1: DELIVERY,
  delivery_address_line_2: DELIVERY,
  delivery_city: DELIVERY,
  delivery_region: DELIVERY,
  delivery_postal_code: DELIVERY,
  delivery_country: DELIVERY,
} as const satisfies Readonly<Record<string, ColumnRule>>;

type Columns = typeof COLUMNS;
export type ColumnName = keyof Columns;

/** Contains the values of a transaction. Money is in cents, date-times are in UTC. */
export type TransactionColumns = {
  readonly [Name in ColumnName]: ReturnType<Columns[Name]['read']>;
};

/** The names of the columns that have all of these properties. */
export type ColumnWith<Properties> = {
  [Name in ColumnName]: Columns[Name] extends Properties ? Name : never;
}[ColumnName];

/** Lists all columns, in their order. */
export const COLUMN_NAMES = Object.keys(COLUMNS).filter(
  (name): name is ColumnName => name in COLUMNS,
);

/** Returns the columns that have all of these properties, in their order. */
export function columnsWith<const Properties extends Partial<ColumnRule>>(
  properties: Properties,
): ColumnWith<Properties>[] {
  const wanted = Object.entries(properties);
  return COLUMN_NAMES.filter((name): name is ColumnWith<Properties> => {
    const own = new Map<string, unknown>(Object.entries(COLUMNS[name]));
    return wanted.every(([property, value]) => own.get(property) === value);
  });
}

/** Returns the description of a column. */
export function ruleOf(name: ColumnName): ColumnRule {
  return COLUMNS[name];
}

/**
 * Returns the name of the field that fills a column, in its object of the record. Only columns of
 * the customer and of the delivery have the name of their object before it.
 */
export function fieldOf(name: ColumnName): string {
  const { object } = ruleOf(name);
  return object === 'customer' || object === 'delivery' ? name.slice(object.length + 1) : name;
}

/** Lists the tracking fields: data of the checkout, and of the click that led to the sale. */
export const TRACKING_FIELDS = columnsWith({ object: 'tracking' });
/** Lists the shares of a sale. */
export const PAYOUT_FIELDS = columnsWith({ object: 'payouts' });
/** Lists all amounts of a refund. */
export const REFUND_AMOUNT_FIELDS = columnsWith({ object: 'refund', kind: 'money' });
/** Lists the amounts that a refund takes back from each party. Each is zero or negative. */
export const REFUND_IMPACT_FIELDS = columnsWith({ impact: true });
export const TAX_FIELDS = columnsWith({ object: 'taxes' });
export const DELIVERY_COLUMNS = columnsWith({ object: 'delivery' });
