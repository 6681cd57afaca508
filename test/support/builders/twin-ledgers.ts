/** Ledgers of several vendors that are equal wherever vendors may share ids. */
import {
  affiliation,
  clicks,
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
  WITH_COMMISSION,
} from './ledger-records.js';

/** Ids of the affiliates of every twin. */
export const SHARED_AFFILIATES = [500, 501] as const;
/** Email address of a customer that all twins share. */
export const SHARED_CUSTOMER = 'shared.customer@example.test';
const CUSTOMER = { email: SHARED_CUSTOMER, first_name: 'Ada', last_name: 'Byron' };
const TRACKING = { tid: 'spring', vtid: 'v-1', utm_source: 'news', custom: 'c-1', sub_id1: 's-1' };
const DAY_MS = 86_400_000;

/**
 * Ids of affiliates that only some twins have: RELATED has only terms, CLICKED only clicks, and
 * SELLERS have sales.
 */
export const [RELATED, CLICKED] = [510, 511] as const;
export const SELLERS = Array.from({ length: 12 }, (_, at) => 520 + at);

export function affiliates(): object[] {
  const ids = [...SHARED_AFFILIATES, RELATED, CLICKED, ...SELLERS];
  return ids.map((id) => user(id, { display_name: `Affiliate ${id}` }));
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}

/**
 * A vendor who shares affiliates, customers, product names, tracking values and days with others.
 */
export class TwinLedger {
  readonly products: readonly [number, number];

  constructor(readonly vendor_id: number) {
    this.products = [vendor_id * 10, vendor_id * 10 + 1];
  }

  get sales(): string[] {
    return ['full', 'back', 'part', 'wait', 'cb', 'plain', 'new', 'due'].map((name) =>
      this.sale(name),
    );
  }

  get agreements(): string[] {
    return ['act', 'can', 'com'].map((name) => this.agreement(name));
  }

  sale(name: string): string {
    return `S-${name}-${this.vendor_id}`;
  }

  agreement(name: string): string {
    return `P-${name}-${this.vendor_id}`;
  }

  parties(): object[] {
    const [course, book] = this.products;
    return [
      user(this.vendor_id),
      product(course, this.vendor_id, { name: 'Course' }),
      product(book, this.vendor_id, { name: 'Book' }),
    ];
  }

  /** @param of twins whose subscriptions the sales name, as records may do */
  records(of: readonly TwinLedger[] = []): object[] {
    const [course, book] = this.products;
    const ahead = new Date(Date.now() + 3 * DAY_MS).toISOString();
    const payment = { contact_email: SHARED_CUSTOMER, next_date: ahead };
    return [
      ...SHARED_AFFILIATES.flatMap((id) => [
        affiliation(id, course, { comments: `By ${this.vendor_id}`, custom_commission: 30 }),
        affiliation(id, book, { status: 'REQUESTED' }),
        clicks(id, course),
        clicks(id, book, { date: '2025-06-02' }),
      ]),
      recurringPayment(this.agreement('act'), course, { id: 1, ...payment }),
      recurringPayment(this.agreement('can'), course, { id: 2, ...payment, status: 'CANCELED' }),
      recurringPayment(this.agreement('com'), book, { id: 3, ...payment, status: 'COMPLETED' }),
      ...this.salesOf(course, book),
      ...of.flatMap((other) =>
        other.agreements.map((pre_key) =>
          transaction(`S-of-${pre_key}-${this.vendor_id}`, course, { customer: CUSTOMER, pre_key }),
        ),
      ),
    ];
  }

  /**
   * Returns sales of more affiliates and products than the lists of the first ten show, on other
   * days and with other tracking values.
   */
  highest(): object[] {
    const [course] = this.products;
    return [
      affiliation(RELATED, course),
      clicks(CLICKED, course),
      ...SELLERS.flatMap((affiliate_id, at) => {
        const id = this.vendor_id * 100 + at;
        const sold = at < 4 ? `2025-0${5 + (at % 2)}-0${3 + at}T00:00:00Z` : daysAgo(at * at);
        const tracking = { tid: `of ${this.vendor_id}, ${at}`, utm_source: 'spring' };
        const sale = { affiliate_id, tracking, sale_date: sold, amount: '9000.00' };
        return [
          product(id, this.vendor_id, { name: `High ${at}` }),
          transaction(this.sale(`high-${at}`), id, { ...sale, payouts: WITH_COMMISSION }),
          transaction(this.sale(`by-first-${at}`), course, {
            ...sale,
            affiliate_id: SHARED_AFFILIATES[0],
            customer: CUSTOMER,
            ...(at % 3 === 0 ? { status: 'refunded' } : {}),
          }),
        ];
      }),
      transaction(this.sale('early'), course, { sale_date: '2023-02-03T00:00:00Z' }),
    ];
  }

  /**
   * Returns terms, clicks and sales of the second affiliate with the second product, which differ
   * from those of the first.
   */
  byAnother(): object[] {
    const [, book] = this.products;
    const [, second] = SHARED_AFFILIATES;
    return [
      affiliation(second, book, { comments: 'Another' }),
      clicks(second, book, { clicks: 77 }),
      ...[0, 5, 29, 45, 75, 178].map((days) =>
        transaction(this.sale(`another-${days}`), book, {
          customer: CUSTOMER,
          sale_date: daysAgo(days),
          payouts: WITH_COMMISSION,
          affiliate_id: second,
          tracking: TRACKING,
          ...(days === 29 ? { status: 'charged_back' } : {}),
        }),
      ),
    ];
  }

  /** Returns every record of the vendor in another state. */
  changes(): object[] {
    const [course, book] = this.products;
    const [first, second] = SHARED_AFFILIATES;
    const returned = { status: 'refunded', refund: refund('2026-01-05T00:00:00Z') };
    return [
      product(course, this.vendor_id, { name: 'Better course' }),
      affiliation(first, course, { status: 'DENIED', comments: 'No more' }),
      clicks(second, course, { clicks: 99 }),
      recurringPayment(this.agreement('act'), book, { id: 1, status: 'COMPLETED' }),
      recurringPayment(this.agreement('com'), book, { id: 3, contact_email: SHARED_CUSTOMER }),
      ...this.sales.map((id) =>
        transaction(id, book, { ...returned, customer: CUSTOMER, affiliate_id: second }),
      ),
      ...this.sales.map((id) =>
        transaction(id, book, { customer: CUSTOMER, tracking: { tid: 'autumn' } }),
      ),
    ];
  }

  private salesOf(course: number, book: number): object[] {
    const recent = new Date(Date.now() - 20 * DAY_MS).toISOString();
    const [first, second] = SHARED_AFFILIATES;
    const by = { customer: CUSTOMER, tracking: TRACKING, payouts: WITH_COMMISSION };
    const own = { ...by, affiliate_id: first, payout_items: [payoutItem(this.vendor_id)] };
    const sale = (name: string, product_id: number, changes: object) =>
      transaction(this.sale(name), product_id, { ...own, ...changes });
    const back = refund('2025-06-20T12:00:00Z', { affiliate_refund_impact: '-5.00' });
    const processor_email = 'shared.payer@example.test';
    return [
      sale('full', course, { pre_key: this.agreement('act') }),
      sale('back', course, { status: 'refunded', refund: back, affiliate_id: second }),
      sale('part', book, { refund: back, sale_date: '2025-05-10T12:00:00Z' }),
      sale('wait', book, { status: 'pending', sale_date: '2025-06-02T12:00:00Z' }),
      sale('cb', course, { status: 'charged_back', refund: back }),
      sale('plain', book, { affiliate_id: null, customer: { ...CUSTOMER, processor_email } }),
      sale('new', course, { sale_date: recent, pre_key: this.agreement('act') }),
      sale('due', book, { sale_date: recent, pre_key: this.agreement('can') }),
    ];
  }
}
