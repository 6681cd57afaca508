import type { Viewer } from '../../modules/reports/report.model.js';
import { isDotSegment } from '../http/dot-segment.js';

const PATH = '/account/transactions';

/** Returns the URL of a transaction's page; the ids `.` and `..` are in the query. */
export function transactionPath(transaction_id: string): string {
  const encoded = encodeURIComponent(transaction_id);
  return isDotSegment(transaction_id) ? `${PATH}?id=${encoded}` : `${PATH}/${encoded}`;
}

/** Returns the URL of a list of transactions. */
export function listPath(role: Viewer['role'], query: Readonly<Record<string, string>>): string {
  return `/account/reports/transactions?${new URLSearchParams({ ...query, as: role }).toString()}`;
}

/** Returns the URL of a search for everything that belongs to a customer. */
export function searchPath(email: string): string {
  return `/account/search?${new URLSearchParams({ q: email }).toString()}`;
}
