import {
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from './ledger-records.js';

export const [VENDOR, AFFILIATE] = [1, 2];
export const PRE_KEY = 'PRE-of-every-month';
const LONG_NAME = `The 2025 handbook of letterpress printing at home, 2nd edition, ${'x1'.repeat(95)}`;
const LONG_WORD = 'Donaudampfschifffahrtsgesellschaft'.repeat(7).slice(0, 200);
export const LONG_EMAIL = `${'customer.number.1234567890.'.repeat(2)}x@a-domain-of-some-length.example.test`;
const SALES = 12;

/** Returns a ledger with the longest texts and the largest sums that a page should show whole. */
export function longLedger(): object[] {
  return [
    user(VENDOR),
    user(AFFILIATE, { name: LONG_NAME, display_name: LONG_NAME }),
    product(10, VENDOR, { name: LONG_NAME }),
    product(11, VENDOR, { name: LONG_WORD }),
    recurringPayment(PRE_KEY, 10),
    ...Array.from({ length: SALES }, (_, index) => longSale(index)),
  ];
}

/** Returns the id of one of the transactions. */
export function longId(index: number): string {
  return `${'PA-1234567890'.repeat(3)}-${index}`;
}

/** Returns a sale with sums of 8 digits before the decimal point. Every second sale is refunded. */
function longSale(index: number): object {
  return transaction(longId(index), index % 3 === 0 ? 11 : 10, {
    affiliate_id: AFFILIATE,
    amount: '87654321.09',
    pre_key: PRE_KEY,
    product_name: index % 3 === 0 ? LONG_WORD : LONG_NAME,
    sale_date: `2025-06-${10 + index}T12:00:00Z`,
    customer: {
      email: LONG_EMAIL,
      first_name: 'Bartholomew 3rd',
      last_name: 'B'.repeat(40),
      ip: '2001:db8:1234:5678:9abc:def0:1234:5678',
      phone: '+1 555 0100 0123 4567 890',
    },
    tracking: { tid: LONG_WORD, utm_campaign: LONG_NAME, other_params: `a=${'1'.repeat(500)}` },
    payouts: {
      seller_earnings: '43827160.54',
      affiliate_payout: '43827160.55',
      agent_payout: '0.00',
      jv_payout: '0.00',
      service_fee: '0.00',
    },
    payout_items: [VENDOR, AFFILIATE].map((payee) =>
      payoutItem(payee, { payee_name: LONG_NAME, payee_amount: '43827160.54' }),
    ),
    taxes: { tax_total: '12345678.90', vat_tax: '12345678.90' },
    delivery: { name: LONG_NAME, address_line_1: LONG_WORD, city: LONG_NAME, country: 'DE' },
    ...(index % 2 === 0
      ? {
          status: index % 4 === 0 ? 'refunded' : 'charged_back',
          refund: refund(`2025-06-${12 + index}T12:00:00Z`, {
            refund_amount: '87654321.09',
            seller_refund_impact: '-43827160.54',
            affiliate_refund_impact: '-43827160.55',
            service_fee_adjustment: '0.00',
          }),
        }
      : {}),
  });
}
