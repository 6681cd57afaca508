import type { Viewer } from '../../modules/reports/report.model.js';

const PATH = '/account/transactions';

/**
 * The URL of a transaction's page. Browsers take the segments `.` and `..` out of a path, however they are
 * written, so these two ids are in the query.
 */
export function transactionPath(transaction_id: string): string {
  const encoded = encodeURIComponent(transaction_id);
  return /^\.\.?$/.test(transaction_id) ? `${PATH}?id=${encoded}` : `${PATH}/${encoded}`;
}

/** The URL of a list of transactions. */
export function listPath(role: Viewer['role'], query: Readonly<Record<string, string>>): string {
  return `/account/reports/transactions?${new URLSearchParams({ ...query, as: role }).toString()}`;
}

/** The URL of everything that belongs to a customer. */
export function searchPath(email: string): string {
  return `/account/search?${new URLSearchParams({ q: email }).toString()}`;
}
