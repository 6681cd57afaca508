import { createHash } from 'node:crypto';
import { parseDateTime } from '../../../platform/values/time.js';
import type { WrittenRecord } from '../../../ledger/records/written-transaction.js';
import type { UpstreamAnswer } from './upstream-answer.js';
import { UpstreamError } from './upstream-error.model.js';
import { objectOf, flagIn, integerIn, transactionIdIn } from '../records/sent-fields.model.js';

/** Maximum number of sales on a page. */
export const MAX_PAGE_SIZE = 200;

/** Locates a page of a list, which begins after `size` times `index` sales. */
export interface PagePlace {
  readonly size: number;
  readonly index: number;
}

export interface DayRange {
  readonly first_day: string;
  readonly last_day: string;
}

/** Holds a sale in a list of the upstream. */
export interface ListedSale {
  /** Id of the sale, or a digest of its text if it has none. */
  readonly name: string;
  /** Date of the sale in UTC; null if it cannot be read. */
  readonly sale_date: string | null;
  readonly sale: WrittenRecord;
}

export interface ListPage {
  /** Number of sales of the whole list. */
  readonly total: number;
  readonly sales: readonly ListedSale[];
}

export function pathOfPage({ first_day, last_day }: DayRange, { size, index }: PagePlace): string {
  const range = `start_date=${first_day}&end_date=${last_day}`;
  return `/v3.0/transactions?${range}&page_size=${size}&page_index=${index}`;
}

/**
 * Checks the pagination of a page against its sales.
 * @throws UpstreamError `odd` if it is another page, or its numbers contradict each other
 */
export function readPage({ meta, results }: UpstreamAnswer, { size, index }: PagePlace): ListPage {
  const { has_more, ...place } = objectOf(meta.pagination);
  const [page_size, page_index] = [integerIn(place.page_size), integerIn(place.page_index)];
  const total = integerIn(meta.total_count);
  if (total === null || total < 0) throw odd('the list has no total_count');
  if (page_size !== size || page_index !== index) throw odd('the answer is not the requested page');
  const end = size * index + results.length;
  if (results.length > size || end > Math.max(total, size * index)) {
    throw odd('a page has more sales than it says');
  }
  const isMore = flagIn(has_more);
  if (isMore !== null && isMore !== end < total && results.length > 0) {
    throw odd('has_more and total_count of a page contradict each other');
  }
  if (results.length < size && end < total) throw odd('a page has fewer sales than it says');
  const sales = distinct(results.map(listedSale));
  if (new Set(sales.map(({ name }) => name)).size < sales.length) {
    throw odd('a page has a sale twice');
  }
  return { total, sales };
}

export function listedSale(result: unknown): ListedSale {
  const sale = objectOf(result);
  const { sale_date } = sale;
  return {
    // Names are kept in memory, so the upstream must not decide how long they are.
    name: transactionIdIn(sale) ?? digestOf(result),
    sale_date: typeof sale_date === 'string' ? parseDateTime(sale_date) : null,
    sale,
  };
}

/**
 * Numbers the sales of a page that have no id and are alike, so that they do not count as one sale
 * that is on the page twice.
 */
function distinct(sales: readonly ListedSale[]): ListedSale[] {
  const counts = new Map<string, number>();
  return sales.map((sale) => {
    if (transactionIdIn(sale.sale) !== null) return sale;
    const before = counts.get(sale.name) ?? 0;
    counts.set(sale.name, before + 1);
    return before === 0 ? sale : { ...sale, name: `${sale.name} ${before + 1}` };
  });
}

export function digestOf(result: unknown): string {
  return createHash('sha1').update(JSON.stringify(result)).digest('base64');
}

function odd(message: string): UpstreamError {
  return new UpstreamError('odd', message);
}
