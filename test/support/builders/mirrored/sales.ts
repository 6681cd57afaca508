import type { SeededRandom } from '../../../../src/modules/demo/seeded-random.js';
import { TRACKING_FIELDS } from '../../../../src/ledger/columns.js';
import { TEXTS } from '../../random/texts.js';
import { payoutItem, refund, transaction } from '../ledger-records.js';
import { AFFILIATES, PRE_KEYS, PRODUCTS, productName } from './parties.js';

/** A record of a sale in the ledger format. */
export type SaleLine = ReturnType<typeof transaction> & Readonly<Record<string, unknown>>;

const DAY_MS = 86_400_000;
const LONG = 'long text, '.repeat(400);
/** Ids of payees. They need not be users of the ledger. */
const PAYEES = [201, 202, 990_001];

/** Builds sales whose optional fields are present, null or absent. */
export class MirroredSales {
  /** @param end the time of the latest refund, in milliseconds since 1970 */
  constructor(
    private readonly random: SeededRandom,
    private readonly end: number,
  ) {}

  /** @param sold milliseconds since 1970 */
  sale(transaction_id: string, sold: number): SaleLine {
    const { random } = this;
    const product_id = random.oneOf(PRODUCTS);
    const affiliate_id = random.chance(0.7) ? random.oneOf(AFFILIATES) : null;
    const cents = random.oneOf([0, 1, 4_700, 9_995, random.integer(100, 90_000), 99_999_999_999]);
    const isTaken = random.chance(0.15);
    return transaction(transaction_id, product_id, {
      product_name: random.oneOf([productName(product_id), this.odd(), LONG.slice(0, 255)]),
      sale_date: dateTime(sold),
      amount: money(cents),
      status: this.status(isTaken),
      pre_key: random.chance(0.2) ? random.oneOf(PRE_KEYS) : null,
      customer: this.customer(),
      affiliate_id,
      ...this.optional('tracking', 0.8, () => this.tracking()),
      payouts: this.payouts(cents, affiliate_id),
      payout_items: this.payoutItems(cents),
      refund: isTaken ? this.refundOf(sold, cents) : null,
      ...this.optional('taxes', 0.5, () => this.taxes()),
      ...this.optional('shipping_fee', 0.4, () => random.oneOf(['0', '4.95', '1.234567', '12'])),
      ...this.optional('delivery', 0.4, () => this.delivery()),
    });
  }

  /** Returns a refund between the sale and the end. Most are months after the sale. */
  refundOf(sold: number, cents: number): object {
    const later = this.random.oneOf([0, 1_000, DAY_MS, 60 * DAY_MS, 100 * DAY_MS, 200 * DAY_MS]);
    const part = Math.floor((cents * this.random.oneOf([50, 100])) / 100);
    const affiliate = Math.floor(part / 4);
    return refund(dateTime(Math.max(sold, Math.min(sold + later, this.end))), {
      refund_amount: money(part),
      seller_refund_impact: money(Math.min(0, affiliate + 1 - part)),
      affiliate_refund_impact: money(-affiliate),
      service_fee_adjustment: this.random.oneOf(['0.00', '0.01', money(-1)]),
    });
  }

  private status(isTaken: boolean): string {
    if (isTaken) return this.random.oneOf(['refunded', 'refunded', 'charged_back', 'completed']);
    return this.random.chance(0.1) ? 'pending' : 'completed';
  }

  private customer(): object {
    const { random } = this;
    return {
      email: random.oneOf(['ada@example.test', '', `${this.odd()}@example.test`]),
      first_name: random.oneOf(['Ada', '', this.odd()]),
      last_name: random.oneOf(['Byron', "O'Brien", this.odd()]),
      ip: random.oneOf([null, '', '192.0.2.7', '2001:db8::7']),
      phone: random.oneOf([null, '', '+1 (555) 0100']),
      processor_email: random.oneOf([null, '', 'ada@processor.test']),
    };
  }

  private tracking(): object {
    const texts = () => this.random.oneOf([null, '', 'plain', this.odd()]);
    return {
      ...Object.fromEntries(TRACKING_FIELDS.map((field) => [field, texts()])),
      ...(this.random.chance(0.05) ? { custom: LONG, other_params: `a=1&b=%F0%9F&${LONG}` } : {}),
    };
  }

  private payouts(cents: number, affiliate_id: number | null): object {
    const affiliate = affiliate_id === null ? 0 : Math.floor(cents / 4);
    const fee = Math.floor(cents / 13);
    return {
      seller_earnings: money(cents - affiliate - fee),
      affiliate_payout: money(affiliate),
      agent_payout: '0.00',
      jv_payout: '0',
      service_fee: money(fee),
    };
  }

  private payoutItems(cents: number): object[] {
    return Array.from({ length: this.random.integer(0, 3) }, () =>
      payoutItem(this.random.oneOf(PAYEES), {
        payee_amount: money(Math.floor(cents / 5)),
        payee_name: this.odd(),
        payout_type: this.random.oneOf(['VENDOR', 'AFFILIATE', 'JV', '']),
        payout_status: this.random.oneOf(['PAID', 'UNPAID', 'PAYMENT_ERROR']),
      }),
    );
  }

  private taxes(): object {
    const amount = () => this.random.oneOf([null, '0.00', '3.8', '0.01', '123456.78', '-0.35']);
    return {
      tax_total: amount(),
      international_sales_tax: amount(),
      national_sales_tax: amount(),
      vat_tax: amount(),
    };
  }

  private delivery(): object {
    const fields = ['name', 'phone', 'address_line_1', 'address_line_2', 'city', 'region'];
    return Object.fromEntries(
      [...fields, 'postal_code', 'country'].map((field) => [
        field,
        this.random.oneOf([null, '', this.odd()]),
      ]),
    );
  }

  private odd(): string {
    return this.random.oneOf(TEXTS)[1];
  }

  private optional(name: string, chance: number, value: () => unknown): object {
    if (this.random.chance(chance)) return { [name]: value() };
    return this.random.chance(0.5) ? { [name]: null } : {};
  }
}

export function dateTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** Returns cents as decimal text. */
export function money(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
