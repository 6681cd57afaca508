import { CENTS, formatCents, MILLIONTHS } from '../../../common/money.js';
import type { RecordFields } from '../../../ledger-format/record-fields.js';

const MILLIONTHS_IN_A_CENT = 10 ** (MILLIONTHS - CENTS);

/** The sums of a transaction, in cents where nothing else is said. */
export interface TransactionSums {
  readonly amount: number;
  readonly payouts: readonly number[];
  /** `tax_total`, and the taxes that it is the total of; null is not known. */
  readonly taxes: readonly (number | null)[];
  /** In millionths. */
  readonly shipping_fee: number | null;
  /** `refund_amount` and the impacts, or nulls. */
  readonly refund: readonly (number | null)[];
}

/** Warns of a transaction that gives out or takes back more than was paid (ledger format: transaction). */
export function warnOfSums(fields: RecordFields, sums: TransactionSums): void {
  const paid = paidOf(sums);
  const shared = sumOf(sums.payouts);
  const what = `more than was paid (${formatCents(paid)} with taxes and shipping)`;
  if (shared > paid) fields.warn('payouts', `add up to ${formatCents(shared)}, ${what}`);
  const [returned, ...impacts] = sums.refund;
  const taken = Math.max(returned ?? 0, -sumOf(impacts));
  if (taken > paid) fields.warn('refund', `takes back ${formatCents(taken)}, ${what}`);
}

/** Whole cents: whatever is compared with them is whole cents, too. */
function paidOf({ amount, taxes: [total, ...parts], shipping_fee }: TransactionSums): number {
  return amount + (total ?? sumOf(parts)) + Math.floor((shipping_fee ?? 0) / MILLIONTHS_IN_A_CENT);
}

function sumOf(cents: readonly (number | null)[]): number {
  return cents.reduce<number>((sum, one) => sum + (one ?? 0), 0);
}
