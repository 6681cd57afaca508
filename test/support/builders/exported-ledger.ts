import { product, refund, transaction, user } from './ledger-records.js';

/** Number of sales in one second. They exceed a batch. */
const SAME_SECOND = 1_100;
export const OTHERS = 600;
const EARLIER = 30;
/** Number of the vendor's sales. The report of June shows all of them. */
export const EXPORTED = SAME_SECOND + OTHERS + EARLIER;
/** Personal values in every sale of the vendor. */
export const PERSONAL = ['ada@example.test', 'Ada', 'Lovelace'] as const;
/** A text that a spreadsheet would run as a formula. */
export const FORMULA = '=1+1';

/** Returns a vendor (1) with sales to export, and another vendor (2) with one sale. */
export function exportedLedger(): object[] {
  const [email, first_name, last_name] = PERSONAL;
  const customer = { email, first_name, last_name };
  const sale = (id: string, sale_date: string, more: object = {}) =>
    transaction(id, 10, { sale_date, customer, ...more });
  return [
    user(1),
    user(2),
    user(3, { display_name: 'Zoë "Z" 🎈' }),
    user(4),
    product(10, 1),
    product(20, 2),
    ...Array.from({ length: OTHERS }, (_, index) =>
      sale(`other-${index}`, `2025-06-${String(1 + (index % 30)).padStart(2, '0')}T10:00:00Z`, {
        amount: `${index}.${String(index % 100).padStart(2, '0')}`,
        affiliate_id: [3, 4, null][index % 3],
        tracking: { custom: index === 0 ? FORMULA : '' },
      }),
    ),
    ...Array.from({ length: SAME_SECOND }, (_, index) =>
      sale(`same-${index}`, '2025-06-15T12:00:00Z'),
    ),
    ...Array.from({ length: EARLIER }, (_, index) =>
      sale(`earlier-${index}`, `2025-05-${String(1 + index).padStart(2, '0')}T23:59:59Z`, {
        status: 'refunded',
        amount: '-18.80',
        product_name: 'One\nline "quoted"; two, three',
        refund: refund('2025-06-30T23:59:59Z'),
      }),
    ),
    transaction('of-another', 20, { sale_date: '2025-06-15T12:00:00Z' }),
  ];
}
