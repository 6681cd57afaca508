import { createHash } from 'node:crypto';
import type { WrittenRecord } from '../../../ledger/records/written-transaction.js';
import { parseDateTime } from '../../../platform/values/time.js';
import { flagIn, integerIn, objectOf, transactionIdIn } from '../records/sent-fields.model.js';
import { odd, type UpstreamAnswer } from './upstream-answer.js';

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

function digestOf(result: unknown): string {
  return createHash('sha1').update(JSON.stringify(result)).digest('base64');
}

/** A list that changes while it is read is read completely at most this many times. */
const MAX_PASSES = 5;
const FIRST_PAGE: PagePlace = { size: MAX_PAGE_SIZE, index: 0 };
/**
 * A range that cannot be divided has at most this many sales, because their names are in memory.
 */
const MAX_LISTED = 200_000;
/**
 * A pass reads at most twice the pages of the list and this many more, because the walk may go
 * back.
 */
const MORE_PAGES = 50;

interface ListSource {
  page(place: PagePlace): Promise<ListPage>;
  /** Stores sales that are new, or have changed since they were taken last. */
  take(sales: readonly ListedSale[]): Promise<void>;
}

/** Maps names to sales, in the order of the list. */
type Order = Map<string, ListedSale>;

interface WalkedList {
  /** Names and dates of the sales, in the order of the list. */
  readonly sales: readonly ListedSale[];
  /** False if the list changed during each pass. The next run finds the sales that moved last. */
  readonly isSettled: boolean;
  /** Number of sales by the upstream's last count. */
  readonly total: number;
}

/**
 * Reads a whole list that may change meanwhile.
 *
 * Pages overlap: each begins with a sale that was seen before. So no sale that stays in the list
 * can lie between two pages, wherever others are added or removed. If the overlap is missing, the
 * walk goes back. Sales that are added before the walk's place are found on the first page, which
 * is read again at the end. If the number of sales then differs from the upstream's count, sales
 * were added or removed elsewhere, and the list is read again.
 */
export class ListWalk {
  /** Digests of the sales that were taken, by name. */
  private readonly taken = new Map<string, string>();

  constructor(private readonly source: ListSource) {}

  async walk(): Promise<WalkedList> {
    for (let pass = 1; ; pass += 1) {
      const walked = await this.head(await this.pass());
      if (walked.isSettled || pass === MAX_PASSES) return walked;
    }
  }

  /** Reads all pages once. */
  private async pass(): Promise<Order> {
    const seen: Order = new Map();
    let place = 0;
    for (let pages = 0; ; pages += 1) {
      const at = pageHolding(Math.max(0, place - 1));
      const page = await this.source.page(at);
      const from = at.size * at.index;
      if (page.total > MAX_LISTED) {
        throw odd(`a day of the list has more than ${MAX_LISTED} sales`);
      }
      if (pages > (2 * page.total) / at.size + MORE_PAGES) {
        throw odd('the list moves faster than it can be read');
      }
      if (isGap(from, page, seen)) {
        place = Math.max(0, Math.min(from, page.total) - at.size);
        continue;
      }
      await this.takeNew(page.sales, seen);
      for (const sale of page.sales) if (!seen.has(sale.name)) seen.set(sale.name, light(sale));
      place = from + page.sales.length;
      if (place >= page.total) return seen;
    }
  }

  /** Reads the first page again, for sales that were added meanwhile. */
  private async head(order: Order): Promise<WalkedList> {
    const { sales, total } = await this.source.page(FIRST_PAGE);
    await this.takeNew(sales, order);
    const added = sales.filter(({ name }) => !order.has(name));
    const isWhole = added.length + order.size === total;
    const isJoined = added.length < sales.length || total === sales.length;
    const all = [...added.map(light), ...order.values()];
    return { sales: all, isSettled: isWhole && isJoined, total };
  }

  /** Passes on the sales that are new or changed since they were taken. */
  private async takeNew(sales: readonly ListedSale[], seen: Order): Promise<void> {
    const unseen = sales.filter(({ name }) => !seen.has(name));
    const fresh = unseen.filter((sale) => this.taken.get(sale.name) !== digestOf(sale.sale));
    if (fresh.length > 0) await this.source.take(fresh);
    for (const sale of fresh) this.taken.set(sale.name, digestOf(sale.sale));
  }
}

/** Returns true if sales may lie between a page and those that were read before it. */
function isGap(from: number, { sales }: ListPage, seen: Order): boolean {
  const [first] = sales;
  return from > 0 && (first === undefined || !seen.has(first.name));
}

/** Returns the sale without its content, because a list may be long. */
function light({ name, sale_date }: ListedSale): ListedSale {
  return { name, sale_date, sale: {} };
}

/** Smaller pages would bring too few new sales. */
const MIN_PAGE_SIZE = 100;

/**
 * Returns the page that contains a place of the list and as many places as possible after it. Pages
 * begin at multiples of their size, so sizes are tried until one begins shortly before the place.
 */
export function pageHolding(place: number): PagePlace {
  let best = placeOf(place, MAX_PAGE_SIZE);
  for (let size = MAX_PAGE_SIZE - 1; size >= MIN_PAGE_SIZE; size -= 1) {
    const page = placeOf(place, size);
    if (endOf(page) > endOf(best)) best = page;
  }
  return best;
}

function placeOf(place: number, size: number): PagePlace {
  return { size, index: Math.floor(place / size) };
}

function endOf({ size, index }: PagePlace): number {
  return size * (index + 1);
}
