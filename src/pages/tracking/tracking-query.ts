import {
  TRACKED_FIELDS,
  type TrackedField,
} from '../../modules/transactions/rollups/tracking/tracking.model.js';
import { addressOf, reportQueryOf, type ReportQuery } from '../reports/report-query.js';
import type { Visit } from '../session/visit.js';
import { pageIn } from '../ui/page-links.view.js';

export const TRACKING_PATH = '/account/tracking';

/** The range and the refunds as in reports, and the field. */
export interface TrackingQuery {
  readonly report: ReportQuery;
  readonly field: TrackedField;
  /** From 1. */
  readonly page: number;
}

/** A field that does not exist is the first one. */
export function trackingQueryOf(visit: Visit): TrackingQuery {
  return {
    report: { ...reportQueryOf(visit), role: null, by: null },
    field: TRACKED_FIELDS.find((field) => field === visit.query('field')) ?? TRACKED_FIELDS[0],
    page: pageIn(visit),
  };
}

/** The first page, unless another one is named. */
export function trackingAddress(
  { report, field }: Omit<TrackingQuery, 'page'>,
  { path = TRACKING_PATH, page = 1 }: { readonly path?: string; readonly page?: number } = {},
): string {
  return addressOf(path, report, { field, ...(page === 1 ? {} : { page: String(page) }) });
}
