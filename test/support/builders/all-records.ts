/** The records on which all work of the service is done. */
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
import type { Line } from './test-ledger.js';

/** Ids of a vendor, its affiliate, and another vendor. */
export const [VENDOR, AFFILIATE, OTHER] = [1, 2, 3];
/** Id of a vendor with many sales who is added later. */
export const NEW = 9_990;
const NOW = new Date().toISOString();
/** Number of sales in `changes` that get another sale date. */
export const MOVED = 12;
const STATUSES = ['completed', 'refunded', 'pending', 'charged_back'];

export function parties(): Line[] {
  return [
    user(VENDOR),
    user(AFFILIATE, { display_name: 'Picks' }),
    user(OTHER),
    product(10, VENDOR),
    product(11, VENDOR),
    product(30, OTHER),
    affiliation(AFFILIATE, 10),
    clicks(AFFILIATE, 10),
    recurringPayment('PRE-1', 10, { id: 1 }),
    recurringPayment('PRE-2', 10, { id: 2 }),
    recurringPayment('PRE-3', 10, { id: 3 }),
    transaction('foreign', 30, { affiliate_id: AFFILIATE, sale_date: NOW }),
  ];
}

/** Returns 60 sales, a third of them referred by the affiliate. */
export function sales(status: string): Line[] {
  return Array.from({ length: 60 }, (_, index) => {
    const day = String(1 + (index % 28)).padStart(2, '0');
    return transaction(`T${index}`, 10 + (index % 2), {
      status,
      sale_date: `2025-06-${day}T08:00:00Z`,
      pre_key: 'PRE-1',
      ...(index % 3 === 0
        ? {
            affiliate_id: AFFILIATE,
            payouts: WITH_COMMISSION,
            payout_items: [payoutItem(VENDOR), payoutItem(OTHER)],
          }
        : {}),
    });
  });
}

/**
 * Returns changed versions of the records: sales with every status, with refunds, with other dates,
 * or without their affiliate.
 */
export function changes(): Line[] {
  const changed = Array.from({ length: MOVED }, (_, index) =>
    transaction(`T${index}`, 10 + (index % 2), {
      status: STATUSES[index % STATUSES.length],
      pre_key: 'PRE-1',
      sale_date: `2025-05-${String(10 + index)}T08:00:00Z`,
      ...(index % 2 === 1 ? { refund: refund(`2025-06-${String(10 + index)}T09:00:00Z`) } : {}),
      ...(index % 3 === 0 && index > 0
        ? { affiliate_id: AFFILIATE, affiliate_commission_status: 'PAID' }
        : {}),
    }),
  );
  return [
    user(AFFILIATE, { display_name: 'Best Picks' }),
    product(11, VENDOR, { name: 'Renamed' }),
    affiliation(AFFILIATE, 10, { comments: 'again' }),
    clicks(AFFILIATE, 10, { clicks: 99 }),
    recurringPayment('PRE-2', 10, { id: 2, current_payments: 3 }),
    ...changed,
    // These records fill a batch, so that the refund of T1 is stored before T1 comes again without
    // it.
    ...Array.from({ length: 2_000 }, () => user(OTHER, { name: 'again and again' })),
    transaction('T1', 11, { status: 'refunded', sale_date: '2025-05-11T08:00:00Z' }),
    transaction('foreign', 30, { sale_date: NOW }),
    transaction('foreign-2', 30, { affiliate_id: AFFILIATE, sale_date: NOW }),
  ];
}

/** Returns one stored record of each type. Each has a new version and is otherwise unchanged. */
export function versions(): Line[] {
  const stored = [
    user(OTHER, { name: 'again and again' }),
    product(10, VENDOR),
    affiliation(AFFILIATE, 10, { comments: 'again' }),
    recurringPayment('PRE-1', 10, { id: 1 }),
    clicks(AFFILIATE, 10, { clicks: 99 }),
  ];
  return [...stored, ...sales('completed').slice(20, 21)].map((record) =>
    Object.assign(record, { record_version: 1 }),
  );
}
