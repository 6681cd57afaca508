import { payoutItem, refund } from './ledger-records.js';

export const HOSTILE = '<img src=x onerror="alert(1)">';

/** Values for each tracking field. */
export const TRACKING = {
  vtid: 'of-vtid',
  custom: 'of-custom',
  tid: 'of-tid',
  utm_source: 'of-utm_source',
  utm_medium: 'of-medium',
  utm_campaign: 'of-campaign',
  utm_content: 'of-content',
  utm_term: 'of-term',
  sub_id1: 'of-1',
  sub_id2: 'of-2',
  sub_id3: 'of-3',
  sub_id4: 'of-4',
  sub_id5: 'of-5',
  gclid: 'of-gclid',
  fbclid: 'of-fbclid',
  msclkid: 'of-msclkid',
  ttclid: 'of-ttclid',
  li_fat_id: 'of-li',
  twclid: 'of-tw',
  yclid: 'of-yclid',
  other_params: 'of=others',
};

/** A sale with every field of the ledger format. */
export const WHOLE = {
  sale_date: '2025-06-01T12:34:56Z',
  amount: '1234.56',
  status: 'refunded',
  affiliate_commission_status: 'PAYMENT_ERROR',
  pre_key: 'PRE-1',
  customer: {
    email: 'ada@example.test',
    first_name: HOSTILE,
    last_name: 'Byron',
    ip: '192.0.2.7',
    phone: '+1 555 0100',
    processor_email: 'at-processor@example.test',
  },
  tracking: TRACKING,
  payouts: {
    seller_earnings: '1000.01',
    affiliate_payout: '100.02',
    agent_payout: '20.03',
    jv_payout: '10.04',
    service_fee: '104.46',
  },
  payout_items: [
    payoutItem(1, { payee_name: 'Payee of the vendor', payee_amount: '1000.01' }),
    payoutItem(99, { payee_name: 'An agent', payout_type: 'AGENT', payout_status: 'WAITING' }),
  ],
  refund: refund('2025-06-20T07:08:09Z', {
    refund_amount: '1200.00',
    seller_refund_impact: '-970.11',
    affiliate_refund_impact: '-98.12',
    agent_refund_impact: '-18.13',
    jv_refund_impact: '-9.14',
    service_fee_adjustment: '-104.50',
  }),
  taxes: {
    tax_total: '60.15',
    international_sales_tax: '30.16',
    national_sales_tax: '20.17',
    vat_tax: '9.82',
  },
  shipping_fee: '4321.995000',
  delivery: {
    name: 'To Ada',
    phone: '+1 555 0199',
    address_line_1: 'Line 1 St',
    city: 'Turin',
    address_line_2: 'Floor 2',
    region: 'TO',
    postal_code: '10121',
    country: 'IT',
  },
};
