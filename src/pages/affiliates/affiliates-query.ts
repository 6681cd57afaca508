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

/** The query of the table. What cannot be parsed has its default. */
export interface AffiliatesQuery {
  readonly report: ReportQuery;
  readonly sort: Sort;
  readonly order: Order;
  /** From 1. */
  readonly page: number;
}

export function affiliatesQueryOf(visit: Visit): AffiliatesQuery {
  const sort = SORTS.find((each) => each === visit.query('sort')) ?? 'gross';
  const order = ORDERS.find((each) => each === visit.query('order')) ?? firstOrderOf(sort);
  return { report: rangeQueryOf(visit), sort, order, page: pageIn(visit) };
}

/** Only the range and the day of refunds: these pages are a vendor's, and show months. */
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

/** The order of a first click: names from A, figures from the highest. */
export function firstOrderOf(sort: Sort): Order {
  return sort === 'name' ? 'asc' : 'desc';
}
