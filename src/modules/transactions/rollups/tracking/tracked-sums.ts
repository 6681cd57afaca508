import { monthOf, yearOf } from '../../../../common/time.js';
import type { Session } from '../../../../database/database.js';
import { SumChanges } from '../../../../database/sum-changes.js';
import type { SumKind } from '../stored-sums.model.js';
import { trackedOccasionsOf, type TrackedSale } from './tracked-sale.model.js';
import {
  ANY_VALUE,
  hasValue,
  isTrackable,
  monthSeriesOf,
  TRACKED_FIELDS,
  TRACKING_SUMS,
  type TrackedField,
  type TrackingSum,
  yearSeriesOf,
} from './tracking.model.js';

const TABLE = {
  table: 'tracking_sums',
  key: ['vendor_id', 'series', 'kind', 'day', 'value_id'],
  sums: TRACKING_SUMS,
} as const;

/** A sale that leaves a vendor's sums (-1) or enters them (1). */
export interface SignedSale {
  readonly vendor_id: number;
  readonly sale: TrackedSale;
  readonly sign: 1 | -1;
}

/** Values of a field of a vendor's sales. */
export interface FieldValues {
  readonly vendor_id: number;
  readonly field: TrackedField;
  readonly values: ReadonlySet<string>;
}

/** The id of a value, or null if it has no sums of its own. */
export type ValueIds = (vendor_id: number, field: TrackedField, value: string) => number | null;

/** The values in these sales that can have sums of their own, each once, by the field of a vendor. */
export function valuesIn(sales: readonly SignedSale[]): FieldValues[] {
  const fields = new Map<string, { vendor_id: number; field: TrackedField; values: Set<string> }>();
  for (const { vendor_id, sale } of sales) {
    for (const field of TRACKED_FIELDS) {
      const value = sale[field];
      if (!hasValue(value) || !isTrackable(value)) continue;
      const name = `${vendor_id} ${field}`;
      const known = fields.get(name) ?? { vendor_id, field, values: new Set() };
      known.values.add(value);
      fields.set(name, known);
    }
  }
  return [...fields.values()];
}

/** How these sales change the sums. */
export function trackedSumsOf(sales: readonly SignedSale[], idOf: ValueIds) {
  const sums = new SumChanges(TABLE);
  for (const group of groupsOf(sales, idOf)) {
    const { vendor_id, field, kind, day, value_id, transactions, amount, earnings } = group;
    const added = { transactions, amount, earnings };
    const [month, byMonth] = [monthOf(day), monthSeriesOf(field)];
    const [year, byYear] = [yearOf(day), yearSeriesOf(field)];
    for (const id of value_id === ANY_VALUE ? [ANY_VALUE] : [ANY_VALUE, value_id]) {
      sums.add([vendor_id, field, kind, day, id], added, 1);
      sums.add([vendor_id, byMonth, kind, month, id], added, 1);
      sums.add([vendor_id, byYear, kind, year, id], added, 1);
    }
  }
  return sums;
}

export async function saveTrackedSums(
  session: Session,
  sales: readonly SignedSale[],
  idOf: ValueIds,
): Promise<void> {
  await trackedSumsOf(sales, idOf).save(session);
}

/** Sales with the same value on the same day. */
interface Group extends Record<TrackingSum, number> {
  readonly vendor_id: number;
  readonly field: TrackedField;
  readonly kind: SumKind;
  readonly day: string;
  readonly value_id: number;
}

/** Added up first: of thousands of sales in eight fields, far fewer rows are left to add to the sums. */
function groupsOf(sales: readonly SignedSale[], idOf: ValueIds): Group[] {
  const all: Group[] = [];
  const open = new Map<string, Group>();
  for (const { vendor_id, sale, sign } of sales) {
    const occasions = trackedOccasionsOf(sale);
    for (const field of TRACKED_FIELDS) {
      const value = sale[field];
      if (!hasValue(value)) continue;
      const value_id = isTrackable(value)
        ? (idOf(vendor_id, field, value) ?? ANY_VALUE)
        : ANY_VALUE;
      for (const { kind, day, amount, earnings } of occasions) {
        const name = `${vendor_id} ${field} ${kind} ${day} ${value_id}`;
        let group = open.get(name);
        // Another group for the same, before its money is no longer exact as a number.
        if (group === undefined || !isExact(group, amount, earnings)) {
          group = {
            vendor_id,
            field,
            kind,
            day,
            value_id,
            transactions: 0,
            amount: 0,
            earnings: 0,
          };
          open.set(name, group);
          all.push(group);
        }
        group.transactions += sign;
        group.amount += sign * amount;
        group.earnings += sign * earnings;
      }
    }
  }
  return all;
}

function isExact(group: Group, amount: number, earnings: number): boolean {
  return (
    Number.isSafeInteger(Math.abs(group.amount) + Math.abs(amount)) &&
    Number.isSafeInteger(Math.abs(group.earnings) + Math.abs(earnings))
  );
}
