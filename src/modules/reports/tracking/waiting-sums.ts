import {
  trackedOccasionsOf,
  type TrackedSale,
} from '../../transactions/sums/tracking/tracking-sums.js';
import { hasValue } from '../../transactions/sums/tracking/tracking-sums.js';
import { kindsOf, PART_OF, type PartSums } from '../sums/report-sums.model.js';
import { TRACKED_PARTS, type TrackingRequest } from './tracking-report.model.js';

/** Returns the sums by value of sales that are not in the kept sums yet. */
export function waitingSums(
  sales: readonly TrackedSale[],
  { field, attribution, start_date, end_date }: TrackingRequest,
): ReadonlyMap<string, readonly PartSums[]> {
  const kinds = new Set(kindsOf(TRACKED_PARTS, attribution));
  const sums = new Map<string, PartSums[]>();
  for (const sale of sales) {
    const value = sale[field];
    if (!hasValue(value)) continue;
    for (const { kind, day, amount, earnings } of trackedOccasionsOf(sale)) {
      if (!kinds.has(kind) || day < start_date || day > end_date) continue;
      const added = { amount: BigInt(amount), earnings: BigInt(earnings) };
      const part = { part: PART_OF[kind], transactions: 1, ...added, commissions: 0n, fees: 0n };
      const others = sums.get(value);
      if (others === undefined) sums.set(value, [part]);
      else others.push(part);
    }
  }
  return sums;
}
