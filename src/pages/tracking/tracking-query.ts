import {
  TRACKED_FIELDS,
  type TrackedField,
} from '../../modules/transactions/rollups/tracking/tracking.model.js';
import { addressOf, reportQueryOf, type ReportQuery } from '../reports/report-query.js';
import type { Visit } from '../session/visit.js';

export const TRACKING_PATH = '/account/tracking';

/** The range and the refunds as in reports, and the field. */
export interface TrackingQuery {
  readonly report: ReportQuery;
  readonly field: TrackedField;
}

/** A field that does not exist is the first one. */
export function trackingQueryOf(visit: Visit): TrackingQuery {
  return {
    report: { ...reportQueryOf(visit), role: null, by: null },
    field: TRACKED_FIELDS.find((field) => field === visit.query('field')) ?? TRACKED_FIELDS[0],
  };
}

export function trackingAddress({ report, field }: TrackingQuery, path = TRACKING_PATH): string {
  return addressOf(path, report, { field });
}
