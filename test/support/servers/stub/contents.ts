/** The records of a stub upstream as plain objects, with the fields that the API shows. */

/** A sale. Every date-time is a text in UTC, such as `2025-06-01T12:00:00Z`; money is text. */
export interface StubSale {
  readonly transaction_id: string;
  readonly sold: string;
  readonly product_id: number;
  readonly product_name: string;
  readonly amount: string;
  /** Status in the words of version 3.0; `status_of_2` has the word of versions 2.x. */
  readonly status: string;
  readonly status_of_2: string;
  readonly customer: Readonly<
    Record<'email' | 'first_name' | 'last_name' | 'ip' | 'phone' | 'processor_email', string>
  >;
  readonly affiliate: StubAffiliate | null;
  /** Missing fields are shown as null. */
  readonly tracking: Readonly<Record<string, string>>;
  readonly payouts: Readonly<
    Record<'seller_earnings' | 'affiliate_payout' | 'agent_payout' | 'jv_payout' | 'fee', string>
  >;
  readonly refund: StubRefund | null;
  readonly pre_key: string | null;
  readonly taxes: Readonly<Record<'international' | 'national' | 'vat', number>>;
  readonly tax_total: string;
  readonly shipping_fee: string;
  /** Missing fields are shown as empty. */
  readonly delivery: Readonly<Record<string, string>>;
  readonly payees: readonly Readonly<Record<string, string>>[];
}

export interface StubAffiliate {
  readonly id: number;
  readonly display_name: string | null;
  readonly name: string;
  readonly email: string;
}

export interface StubRefund {
  readonly date: string;
  readonly amount: string;
  readonly seller: string;
  readonly affiliate: string;
  readonly agent: string;
  readonly jv: string;
  readonly fee: string;
}

/** Affiliate terms with the fields that the API shows. */
export interface StubRelationship {
  readonly affiliate_id: number;
  readonly product_id: number;
  readonly created: string;
  readonly comments: string;
  readonly status: string;
  readonly custom_commission: number;
  readonly delayed_commission: boolean;
  readonly custom_sales_page_url: string | null;
  readonly custom_payment_1st_payout: number;
  readonly custom_payment_trial_payout: number;
}

/**
 * A recurring payment of version 2.0. Date-times are UTC texts, and all other fields have the type
 * in which they are sent.
 */
export interface StubPayment {
  readonly preKey: string;
  readonly [field: string]: unknown;
}

/** All records of a stub. Sales stand in order of arrival. */
export interface StubContents {
  readonly vendor: { readonly id: number; readonly name: string; readonly email: string };
  products: readonly { readonly id: number; readonly name: string }[];
  sales: readonly StubSale[];
  relationships: readonly StubRelationship[];
  payments: readonly StubPayment[];
}

export function stubSale(transaction_id: string, changes: Partial<StubSale> = {}): StubSale {
  const person = { first_name: 'Ada', last_name: 'Byron', ip: '192.0.2.7', phone: '+1 555 0100' };
  return {
    transaction_id,
    sold: '2025-06-01T12:00:00Z',
    product_id: 10,
    product_name: 'Product 10',
    amount: '47.00',
    status: 'settled',
    status_of_2: 'COMPLETED',
    customer: { ...person, email: 'ada@example.test', processor_email: 'ada@pay.example' },
    affiliate: null,
    tracking: {},
    payouts: {
      seller_earnings: '40.00',
      affiliate_payout: '0.00',
      agent_payout: '0.00',
      jv_payout: '0.00',
      fee: '7.00',
    },
    refund: null,
    pre_key: null,
    taxes: { international: 0, national: 0, vat: 0 },
    tax_total: '0.00',
    shipping_fee: '0.000000',
    delivery: {},
    payees: [],
    ...changes,
  };
}

export function stubRefund(date: string, changes: Partial<StubRefund> = {}): StubRefund {
  return {
    date,
    amount: '47.00',
    seller: '-40.00',
    affiliate: '0.00',
    agent: '0.00',
    jv: '0.00',
    fee: '-7.00',
    ...changes,
  };
}

export function stubAffiliate(id: number, changes: Partial<StubAffiliate> = {}): StubAffiliate {
  const [name, email] = [`Affiliate ${id}`, `affiliate${id}@example.test`];
  return { id, display_name: null, name, email, ...changes };
}

export function stubRelationship(
  affiliate_id: number,
  product_id: number,
  changes: Partial<StubRelationship> = {},
): StubRelationship {
  return {
    affiliate_id,
    product_id,
    created: '2025-05-01T06:00:00Z',
    comments: '',
    status: 'APPROVED',
    custom_commission: 0,
    delayed_commission: false,
    custom_sales_page_url: null,
    custom_payment_1st_payout: 0,
    custom_payment_trial_payout: 0,
    ...changes,
  };
}

export function stubPayment(preKey: string, changes: Partial<StubPayment> = {}): StubPayment {
  return {
    preKey,
    id: 1,
    product_id: 10,
    status: 'ACTIVE',
    code: null,
    payout: null,
    current_payments: 1,
    max_number_of_payments: 12,
    payment_period: 30,
    payment_count: 12,
    max_total_of_all_payments: '564.00',
    max_amount_per_payment: '47.00',
    price: '47.00',
    current_payments_amount: '47.00',
    payment_first_payout: '20.00',
    has_payment_trial: false,
    payment_trial_price: '0.00',
    payment_trial_period: 0,
    payment_trial_payout: '0.00',
    processor_email: 'ada@pay.example',
    contact_email: 'ada@example.test',
    sender_email: 'ada@example.test',
    created: '2025-06-01T12:00:00Z',
    last_date: '2025-06-01T12:00:00Z',
    next_date: '2025-07-01T12:00:00Z',
    next_payment: '47.00',
    ip: '192.0.2.7',
    referrer: 'https://www.example/',
    tid: null,
    vtid: null,
    ...changes,
  };
}
