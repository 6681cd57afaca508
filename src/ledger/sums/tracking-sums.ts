import { Injectable } from '@nestjs/common';
import { monthOf, yearOf } from '../../platform/values/time.js';
import { day, key, text, wholeNumber } from '../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../platform/database/entities/entity-of.js';
import { KeptSum, type Signed, type SumChanges } from './kept-sum.js';
import type { TransactionRecord } from '../records/transaction.record.js';
import { occasionsOf, TRACKED_FIELDS, type SumKind, type TrackedField } from './kept-sums.model.js';

/** Bounds the kept sums by tracking field (docs/adr/0032-tracking-sums-follow-the-ledger.md). */
@Injectable()
export class TrackingBounds {
  /**
   * Maximum number of values of a field that have kept sums of their own in a vendor's ledger. The
   * first values get them.
   */
  values = 2_000;
  /**
   * Number of changes of a ledger that wait until they are added to its kept sums together. Many
   * sales then share a row of the sums, which each batch would otherwise write separately. Reads
   * add the waiting changes.
   */
  waiting = 5_000;
  /** Number of changes that are added at the end of an import, so that few wait after a large one. */
  waitingAtEnd = 1_000;
}

/** Returns the name of the series of sums by month. The series by day has the name of the field. */
export function monthSeriesOf(field: TrackedField): string {
  return `${field}_month`;
}

export function yearSeriesOf(field: TrackedField): string {
  return `${field}_year`;
}

/** Maximum length of a value with kept sums of its own, in characters. */
const MAX_LENGTH = 255;
/**
 * The id for the total of all values of a field, including those without kept sums of their own.
 */
export const ANY_VALUE = 0;

/** Returns true if a field has a value. An empty text counts as no value. */
export function hasValue(value: string | null): value is string {
  return value !== null && value !== '';
}

/**
 * Returns whether a value can have kept sums of its own. The length is in characters, as the
 * database counts them.
 */
export function isTrackable(value: string): boolean {
  return value.length <= MAX_LENGTH || Array.from(value).length <= MAX_LENGTH;
}

/**
 * Stores the values of a field that have kept sums of their own, numbered from 1 for each vendor
 * and field.
 */
export const TrackingValueEntity = entityOf({
  name: 'TrackingValue',
  tableName: 'tracking_values',
  columns: {
    vendor_id: key(wholeNumber()),
    field: key(text(32)),
    id: key(wholeNumber()),
    value: text(MAX_LENGTH),
  },
  indices: [
    {
      name: 'tracking_values_by_value',
      unique: true,
      columns: ['vendor_id', 'field', 'value'],
    },
  ],
});
export type StoredTrackingValue = EntityRow<typeof TrackingValueEntity> & {
  readonly field: TrackedField;
};

/**
 * Stores the kept sums of a vendor's sales by the values of tracking fields: the number of
 * transactions, and money in cents, as in `VENDOR_SUMS`. They include the changes up to
 * `tracked_sequence` of the ledger. The repository adds the sales up again, because SQL would read
 * the ledger once for each field.
 */
export const TRACKING_SUMS = new KeptSum({
  table: 'tracking_sums',
  key: {
    vendor_id: wholeNumber(),
    series: text(32),
    kind: text(32),
    day: day(),
    value_id: wholeNumber(),
  },
  sums: ['transactions', 'amount', 'earnings'],
  contribute({ vendor_id, record, sign }: Signed<Group>, sums) {
    const { field, kind, day: on, value_id, transactions, amount, earnings } = record;
    const added = { transactions, amount, earnings };
    const [month, byMonth] = [monthOf(on), monthSeriesOf(field)];
    const [year, byYear] = [yearOf(on), yearSeriesOf(field)];
    for (const id of value_id === ANY_VALUE ? [ANY_VALUE] : [ANY_VALUE, value_id]) {
      sums.add([vendor_id, field, kind, on, id], added, sign);
      sums.add([vendor_id, byMonth, kind, month, id], added, sign);
      sums.add([vendor_id, byYear, kind, year, id], added, sign);
    }
  },
});
export type TrackingSum = (typeof TRACKING_SUMS.sums)[number];

/** The columns of a transaction that say when it counts, and with which money. */
export const OCCASION_COLUMNS = [
  'sale_date',
  'status',
  'refund_date',
  'amount',
  'seller_earnings',
  'refund_amount',
  'seller_refund_impact',
] as const satisfies readonly (keyof TransactionRecord)[];
export const TRACKED_COLUMNS = [...OCCASION_COLUMNS, ...TRACKED_FIELDS] as const;

/**
 * Contains the fields of a transaction that the kept sums by tracking field depend on. Money is in
 * cents.
 */
export type TrackedSale = Pick<TransactionRecord, (typeof TRACKED_COLUMNS)[number]>;
export type DatedMoney = Pick<TransactionRecord, (typeof OCCASION_COLUMNS)[number]>;
export type SignedSale = Signed<TrackedSale>;

/** Describes a sale, a refund or a chargeback that counts on a day. */
interface TrackedOccasion {
  readonly kind: SumKind;
  readonly day: string;
  readonly amount: number;
  readonly earnings: number;
}

/** Returns the occasions on which a transaction counts. A pending transaction has none. */
export function trackedOccasionsOf(sale: DatedMoney): TrackedOccasion[] {
  return occasionsOf(sale).flatMap(({ kind, day: on, money }) => {
    if (money === 'pending') return [];
    if (money === 'none') return [{ kind, day: on, amount: 0, earnings: 0 }];
    const [amount, earnings] =
      money === 'sold'
        ? [sale.amount, sale.seller_earnings]
        : [sale.refund_amount ?? 0, sale.seller_refund_impact ?? 0];
    return [{ kind, day: on, amount, earnings }];
  });
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
    for (const { vendor_id, record } of sales) {
      const value = record[field];
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
export function trackedSumsOf(
  sales: readonly SignedSale[],
  idOf: ValueIds,
): SumChanges<TrackingSum> {
  const groups = groupsOf(sales, idOf);
  return TRACKING_SUMS.changesBy(
    groups.map((record) => ({ vendor_id: record.vendor_id, record, sign: 1 })),
  );
}

/** Contains the totals of the sales with the same value on the same day. */
interface Group {
  readonly vendor_id: number;
  readonly field: TrackedField;
  readonly kind: SumKind;
  readonly day: string;
  readonly value_id: number;
  transactions: number;
  amount: number;
  earnings: number;
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
    for (const [index, { vendor_id, record, sign }] of sales.entries()) {
      const value = record[field];
      if (!hasValue(value)) continue;
      const value_id = isTrackable(value)
        ? (idOf(vendor_id, field, value) ?? ANY_VALUE)
        : ANY_VALUE;
      for (const { at, kind, day: on, amount, earnings } of occasions[index] ?? []) {
        const name = at * MAX_IDS + value_id;
        let group = open.get(name);
        // Another group begins for the same key before the money exceeds the integers that a number
        // represents exactly.
        if (group === undefined || !isExact(group, amount, earnings)) {
          group = {
            vendor_id,
            field,
            kind,
            day: on,
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
  return sales.map(({ vendor_id, record }) =>
    trackedOccasionsOf(record).map((occasion) => {
      const name = `${vendor_id} ${occasion.kind} ${occasion.day}`;
      const at = numbers.get(name) ?? numbers.size;
      numbers.set(name, at);
      return { at, ...occasion };
    }),
  );
}

function isExact(group: Group, amount: number, earnings: number): boolean {
  return (
    Number.isSafeInteger(Math.abs(group.amount) + Math.abs(amount)) &&
    Number.isSafeInteger(Math.abs(group.earnings) + Math.abs(earnings))
  );
}
