import { product, refund, transaction, user } from '../builders/ledger-records.js';

export const [VENDOR, AFFILIATE] = [1, 2];
export const REPORT = '/account/reports?range=last-month';
/** A name that pages must show as text. */
export const HOSTILE = '<img src=x onerror="alert(1)">=cmd|';
export const SALES = 90;
/** Index of the sale with names of a usual length. */
export const USUAL = 27;

/** Returns sales of last month, a tenth of them refunded, with hostile names except one. */
export function lastMonthLedger(): object[] {
  const usual = { email: 'ada@example.test', first_name: 'Ada', last_name: 'Lovelace' };
  const customer = { email: 'c@example.test', first_name: HOSTILE, last_name: 'B' };
  return [
    user(VENDOR),
    user(AFFILIATE, { name: HOSTILE }),
    product(10, VENDOR, { name: HOSTILE }),
    ...Array.from({ length: SALES }, (_, index) =>
      transaction(`T${index}`, 10, {
        product_name: HOSTILE,
        customer,
        affiliate_id: AFFILIATE,
        sale_date: `${inLastMonth(1 + (index % 28))}T12:00:00Z`,
        ...(index === USUAL ? { product_name: 'Course', customer: usual } : {}),
        ...(index % 10 === 0
          ? { status: 'refunded', refund: refund(`${inLastMonth(28)}T12:00:01Z`) }
          : {}),
      }),
    ),
  ];
}

function inLastMonth(day: number): string {
  const now = new Date();
  const date = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, day);
  return new Date(date).toISOString().slice(0, 10);
}
