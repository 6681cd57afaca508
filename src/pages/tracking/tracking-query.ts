import {
  TRACKED_FIELDS,
  type TrackedField,
} from '../../modules/transactions/sums/tracking/tracking.model.js';
import { addressOf, reportQueryOf, type ReportQuery } from '../reports/report-query.js';
import type { Visit } from '../session/visit.js';
import { pageIn } from '../ui/page-links.view.js';

export const TRACKING_PATH = '/account/tracking';

/** Query of the page: the range and the day of refunds as in reports, and the tracking field. */
export interface TrackingQuery {
  readonly report: ReportQuery;
  readonly field: TrackedField;
  /** Page number, starting at 1. */
  readonly page: number;
}

/** Reads the query from the address; an unknown field is replaced by the first one. */
export function trackingQueryOf(visit: Visit): TrackingQuery {
  return {
    report: { ...reportQueryOf(visit), role: null, by: null },
    field: TRACKED_FIELDS.find((field) => field === visit.query('field')) ?? TRACKED_FIELDS[0],
    page: pageIn(visit),
  };
}

/** Returns the address of a page, which is the first one by default. */
export function trackingAddress(
  { report, field }: Omit<TrackingQuery, 'page'>,
  { path = TRACKING_PATH, page = 1 }: { readonly path?: string; readonly page?: number } = {},
): string {
  return addressOf(path, report, { field, ...(page === 1 ? {} : { page: String(page) }) });
}
