import { monthOf, yearOf } from '../../../../common/time.js';
import type { Session } from '../../../../database/database.js';
import { SumChanges } from '../../../../database/sum-changes.js';
import type { SumKind } from '../kept-sums.model.js';
import {
  trackedOccasionsOf,
  type TrackedOccasion,
  type TrackedSale,
} from './tracked-sale.model.js';
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

/** Describes a sale that leaves a vendor's kept sums (-1) or enters them (1). */
export interface SignedSale {
  readonly vendor_id: number;
  readonly sale: TrackedSale;
  readonly sign: 1 | -1;
}

/** Contains values of a tracking field in a vendor's sales. */
export interface FieldValues {
  readonly vendor_id: number;
  readonly field: TrackedField;
  readonly values: ReadonlySet<string>;
}

/** Returns the id of a value, or null if the value has no kept sums of its own. */
export type ValueIds = (vendor_id: number, field: TrackedField, value: string) => number | null;

/**
 * Returns the values in these sales that can have kept sums of their own, each once, for each field
 * of a vendor.
 */
export function valuesIn(sales: readonly SignedSale[]): FieldValues[] {
  const all: FieldValues[] = [];
  for (const field of TRACKED_FIELDS) {
    const ofVendors = new Map<number, Set<string>>();
    for (const { vendor_id, sale } of sales) {
      const value = sale[field];
      if (!hasValue(value) || !isTrackable(value)) continue;
      let values = ofVendors.get(vendor_id);
      if (values === undefined) {
        values = new Set();
        ofVendors.set(vendor_id, values);
        all.push({ vendor_id, field, values });
      }
      values.add(value);
    }
  }
  return all;
}

/** Computes how these sales change the kept sums. */
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

/** Contains the totals of the sales with the same value on the same day. */
interface Group extends Record<TrackingSum, number> {
  readonly vendor_id: number;
  readonly field: TrackedField;
  readonly kind: SumKind;
  readonly day: string;
  readonly value_id: number;
}

/**
 * Describes an occasion on which a sale counts. `at` is the same number for all occasions with the
 * same vendor, kind and day.
 */
interface NumberedOccasion extends TrackedOccasion {
  readonly at: number;
}

/** Exceeds the number of values with an id that a field can have. */
const MAX_IDS = 2 ** 20;

/**
 * Adds up the sales in groups first. Thousands of sales in eight fields then leave far fewer rows
 * to add to the kept sums.
 */
function groupsOf(sales: readonly SignedSale[], idOf: ValueIds): Group[] {
  const all: Group[] = [];
  const occasions = numberedOccasions(sales);
  for (const field of TRACKED_FIELDS) {
    const open = new Map<number, Group>();
    for (const [index, { vendor_id, sale, sign }] of sales.entries()) {
      const value = sale[field];
      if (!hasValue(value)) continue;
      const value_id = isTrackable(value)
        ? (idOf(vendor_id, field, value) ?? ANY_VALUE)
        : ANY_VALUE;
      for (const { at, kind, day, amount, earnings } of occasions[index] ?? []) {
        const name = at * MAX_IDS + value_id;
        let group = open.get(name);
        // Another group begins for the same key before the money exceeds the integers that a number
        // represents exactly.
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

/**
 * Returns the occasions of each sale. They are identified by numbers, because building a text for
 * each value of each sale is slower than adding the sums.
 */
function numberedOccasions(sales: readonly SignedSale[]): NumberedOccasion[][] {
  const numbers = new Map<string, number>();
  return sales.map(({ vendor_id, sale }) =>
    trackedOccasionsOf(sale).map(({ kind, day, amount, earnings }) => {
      const name = `${vendor_id} ${kind} ${day}`;
      const at = numbers.get(name) ?? numbers.size;
      numbers.set(name, at);
      return { at, kind, day, amount, earnings };
    }),
  );
}

function isExact(group: Group, amount: number, earnings: number): boolean {
  return (
    Number.isSafeInteger(Math.abs(group.amount) + Math.abs(amount)) &&
    Number.isSafeInteger(Math.abs(group.earnings) + Math.abs(earnings))
  );
}
