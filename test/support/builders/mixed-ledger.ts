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

/** Id of the vendor whose transactions come once and never change. */
export const STEADY_VENDOR = 1;
/** Id of the vendor whose transactions come again with changes later in the file. */
export const CHANGING_VENDOR = 2;
const AFFILIATES = Array.from({ length: 40 }, (_, index) => 100 + index);
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('2025-01-01T10:00:00Z');

/**
 * Returns about `size` lines with every record type, with changed and faulty records. No fault
 * depends on a later line. The same size gives the same lines.
 */
export function mixedLedger(size: number): Line[] {
  const lines: Line[] = [...parties()];
  for (let index = 0; lines.length < size; index += 1) lines.push(...linesOf(index));
  return lines;
}

function* parties(): Generator<Line> {
  yield user(STEADY_VENDOR);
  yield user(CHANGING_VENDOR);
  for (const id of AFFILIATES) yield user(id, { display_name: `Affiliate ${id}` });
  for (const vendor of [STEADY_VENDOR, CHANGING_VENDOR]) {
    for (let index = 0; index < 5; index += 1) yield product(vendor * 10 + index, vendor);
  }
}

function* linesOf(index: number): Generator<Line> {
  const affiliate_id = AFFILIATES[index % AFFILIATES.length] ?? 0;
  const sale_date = new Date(FIRST_DAY + (index % 90) * DAY_MS + index * 1_000).toISOString();
  const refund_date = new Date(
    FIRST_DAY + ((index % 90) + 7) * DAY_MS + index * 1_000,
  ).toISOString();
  yield transaction(`steady-${index}`, STEADY_VENDOR * 10 + (index % 5), { sale_date });
  const product_id = CHANGING_VENDOR * 10 + (index % 5);
  const payout_items = [payoutItem(CHANGING_VENDOR), payoutItem(affiliate_id)];
  const sale = { sale_date, affiliate_id, payout_items, payouts: WITH_COMMISSION };
  yield transaction(`changing-${index}`, product_id, sale);
  if (index % 3 === 0) {
    const changes = { status: 'refunded', refund: refund(refund_date), payout_items: [] };
    yield transaction(`changing-${Math.floor(index / 2)}`, product_id, { ...sale, ...changes });
  }
  if (index % 5 === 0) {
    yield recurringPayment(`PRE-${index % 200}`, product_id, { current_payments: index });
    yield transaction(`repeated-${index}`, product_id, {
      sale_date,
      pre_key: `PRE-${index % 200}`,
    });
  }
  if (index % 4 === 0)
    yield affiliation(affiliate_id, product_id, { custom_commission: index % 100 });
  if (index % 2 === 0) yield clicks(affiliate_id, product_id, { clicks: index });
  if (index % 50 === 0) yield user(affiliate_id, { display_name: `Renamed ${index}` });
  if (index % 20 === 0) yield* faults(index);
}

function* faults(index: number): Generator<Line> {
  yield transaction(`faulty-${index}`, 10, { amount: index });
  yield transaction(`faulty-${index}`, 999, { payout_items: [payoutItem(1)] });
  yield transaction(`steady-${index}`, CHANGING_VENDOR * 10);
  yield `no record ${index}`;
}
