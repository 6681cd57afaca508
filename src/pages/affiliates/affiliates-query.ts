import {
  ORDERS,
  SORTS,
  type Order,
  type Sort,
} from '../../modules/reports/affiliates/affiliate-figures.model.js';
import { addressOf, reportQueryOf, type ReportQuery } from '../reports/report-query.js';
import type { Visit } from '../session/visit.js';
import { pageIn } from '../ui/page-links.view.js';

export const AFFILIATES_PATH = '/account/affiliates';

/** Query of the table. Values that cannot be parsed are replaced by the defaults. */
export interface AffiliatesQuery {
  readonly report: ReportQuery;
  readonly sort: Sort;
  readonly order: Order;
  /** Page number, starting at 1. */
  readonly page: number;
}

export function affiliatesQueryOf(visit: Visit): AffiliatesQuery {
  const sort = SORTS.find((each) => each === visit.query('sort')) ?? 'gross';
  const order = ORDERS.find((each) => each === visit.query('order')) ?? firstOrderOf(sort);
  return { report: rangeQueryOf(visit), sort, order, page: pageIn(visit) };
}

/**
 * Reads only the range and the day on which refunds count, because these pages are a vendor's and
 * show months.
 */
export function rangeQueryOf(visit: Visit): ReportQuery {
  return { ...reportQueryOf(visit), by: null, role: null };
}

export function tableAddress(
  { report, sort, order, page }: AffiliatesQuery,
  path: string = AFFILIATES_PATH,
): string {
  const more = page === 1 ? {} : { page: String(page) };
  return addressOf(path, report, { sort, order, ...more });
}

export function affiliateAddress(id: number, report: ReportQuery): string {
  return addressOf(`${AFFILIATES_PATH}/${id}`, report);
}

/** Returns the order after the first click on a column: names from A, figures from the highest. */
export function firstOrderOf(sort: Sort): Order {
  return sort === 'name' ? 'asc' : 'desc';
}
