import { EntitySchema } from 'typeorm';
import { recordOf } from '../../../../common/record-of.js';
import { day, key, text, wholeNumber } from '../../../../database/columns.js';
import type { SumKind } from '../kept-sums.model.js';
import {
  MAX_TRACKED_LENGTH,
  TRACKING_SUMS,
  type TrackedField,
  type TrackingSum,
} from './tracking.model.js';

export interface StoredTrackingValue {
  readonly vendor_id: number;
  readonly field: TrackedField;
  readonly id: number;
  readonly value: string;
}

export interface StoredTrackingSums extends Readonly<Record<TrackingSum, number>> {
  readonly vendor_id: number;
  readonly series: string;
  readonly kind: SumKind;
  readonly day: string;
  readonly value_id: number;
}

/**
 * Stores the values of a field that have kept sums of their own, numbered from 1 for each vendor
 * and field.
 */
export const TrackingValueEntity = new EntitySchema<StoredTrackingValue>({
  name: 'TrackingValue',
  tableName: 'tracking_values',
  columns: {
    vendor_id: key(wholeNumber()),
    field: key(text(32)),
    id: key(wholeNumber()),
    value: text(MAX_TRACKED_LENGTH),
  },
  indices: [
    {
      name: 'tracking_values_by_value',
      unique: true,
      columns: ['vendor_id', 'field', 'value'],
    },
  ],
});

/**
 * Stores the kept sums of a vendor's sales by the values of tracking fields. They include the
 * changes up to `tracked_sequence` of the ledger.
 */
export const TrackingSumsEntity = new EntitySchema<StoredTrackingSums>({
  name: 'TrackingSums',
  tableName: 'tracking_sums',
  columns: {
    vendor_id: key(wholeNumber()),
    series: key(text(32)),
    kind: key(text(32)),
    day: key(day()),
    value_id: key(wholeNumber()),
    ...recordOf(TRACKING_SUMS, wholeNumber),
  },
});
