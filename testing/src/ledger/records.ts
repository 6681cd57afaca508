/**
 * Builders of valid records of the ledger format (docs/ledger-file.md). A test may change each
 * field.
 */
type Changes = Readonly<Record<string, unknown>>;

type Payout = 'seller_earnings' | 'affiliate_payout' | 'agent_payout' | 'jv_payout' | 'service_fee';

export interface TransactionRecord extends Changes {
  type: string;
  transaction_id: string;
  product_id: number;
  product_name: string;
  sale_date: string;
  amount: string;
  status: string;
  customer: { email: string; first_name: string; last_name: string };
  payouts: Record<Payout, string>;
}

export interface RecurringPaymentRecord extends Changes {
  type: string;
  pre_key: string;
  id: number;
  product_id: number;
  status: string;
  current_payments: number;
  max_number_of_payments: number;
  max_total_of_all_payments: string;
  max_amount_per_payment: string;
  next_payment: string;
  processor_email: string;
  contact_email: string;
  price: string;
  payment_period: number;
  payment_count: number;
  payment_first_payout: string;
  has_payment_trial: boolean;
  payment_trial_price: string;
  payment_trial_period: number;
  payment_trial_payout: string;
  current_payments_amount: string;
  created: string;
  sender_email: string;
  last_date: string;
  next_date: string;
  ip: string;
  referrer: string;
}

export interface AffiliationRecord extends Changes {
  type: string;
  affiliate_id: number;
  product_id: number;
  created: string;
  status: string;
}

export interface ClicksRecord extends Changes {
  type: string;
  affiliate_id: number;
  product_id: number;
  date: string;
  clicks: number;
  unique_clicks: number;
}

export function user(id: number, changes: Changes = {}): object {
  return { type: 'user', id, name: `User ${id}`, email: `user${id}@example.test`, ...changes };
}

export function product(id: number, vendor_id: number, changes: Changes = {}): object {
  return { type: 'product', id, vendor_id, name: `Product ${id}`, ...changes };
}

/** Payouts of a sale of 47.00 that an affiliate referred. */
export const WITH_COMMISSION: Record<Payout, string> = {
  seller_earnings: '30.00',
  affiliate_payout: '10.00',
  agent_payout: '0.00',
  jv_payout: '0.00',
  service_fee: '7.00',
};

export function transaction(
  transaction_id: string,
  product_id: number,
  changes: Changes = {},
): TransactionRecord {
  return {
    type: 'transaction',
    transaction_id,
    product_id,
    product_name: `Product ${product_id}`,
    sale_date: '2025-06-01T12:00:00Z',
    amount: '47.00',
    status: 'completed',
    customer: { email: 'customer@example.test', first_name: 'Ada', last_name: 'Byron' },
    payouts: {
      seller_earnings: '40.00',
      affiliate_payout: '0.00',
      agent_payout: '0.00',
      jv_payout: '0.00',
      service_fee: '7.00',
    },
    ...changes,
  };
}

export function refund(refund_date: string, changes: Changes = {}): object {
  return {
    refund_date,
    refund_amount: '47.00',
    seller_refund_impact: '-40.00',
    affiliate_refund_impact: '0.00',
    agent_refund_impact: '0.00',
    jv_refund_impact: '0.00',
    service_fee_adjustment: '-7.00',
    ...changes,
  };
}

export function recurringPayment(
  pre_key: string,
  product_id: number,
  changes: Changes = {},
): RecurringPaymentRecord {
  return {
    type: 'recurring_payment',
    pre_key,
    id: 1,
    product_id,
    status: 'ACTIVE',
    current_payments: 1,
    max_number_of_payments: 12,
    max_total_of_all_payments: '564.00',
    max_amount_per_payment: '47.00',
    next_payment: '2025-07-01T12:00:00Z',
    processor_email: 'processor@example.test',
    contact_email: 'contact@example.test',
    price: '47.00',
    payment_period: 30,
    payment_count: 12,
    payment_first_payout: '20.00',
    has_payment_trial: false,
    payment_trial_price: '0.00',
    payment_trial_period: 0,
    payment_trial_payout: '0.00',
    current_payments_amount: '47.00',
    created: '2025-06-01T12:00:00Z',
    sender_email: 'sender@example.test',
    last_date: '2025-06-01T12:00:00Z',
    next_date: '2025-07-01T12:00:00Z',
    ip: '192.0.2.1',
    referrer: 'https://www.example/',
    ...changes,
  };
}

export function affiliation(
  affiliate_id: number,
  product_id: number,
  changes: Changes = {},
): AffiliationRecord {
  return {
    type: 'affiliation',
    affiliate_id,
    product_id,
    created: '2025-05-01T08:00:00+02:00',
    status: 'APPROVED',
    ...changes,
  };
}

export function clicks(
  affiliate_id: number,
  product_id: number,
  changes: Changes = {},
): ClicksRecord {
  return {
    type: 'clicks',
    affiliate_id,
    product_id,
    date: '2025-06-01',
    clicks: 12,
    unique_clicks: 9,
    ...changes,
  };
}

export function payoutItem(payee_user_id: number, changes: Changes = {}): object {
  return {
    payee_amount: '40.00',
    payee_user_id,
    payee_name: `User ${payee_user_id}`,
    payout_type: 'VENDOR',
    payment_processor: 'BANK',
    payout_status: 'PAID',
    ...changes,
  };
}
