import { UpstreamError } from '../../upstreams/client/upstream-error.model.js';
import {
  digestOf,
  MAX_PAGE_SIZE,
  type ListedSale,
  type ListPage,
  type PagePlace,
} from './list-page.js';
import { pageHolding } from './page-place.js';

/** How often a list that moves is read as a whole. */
const MAX_PASSES = 5;
const FIRST_PAGE: PagePlace = { size: MAX_PAGE_SIZE, index: 0 };
/** Of a range that cannot be read in parts: their names are in memory. */
const MAX_LISTED = 200_000;
/** Going back to what moved may take as many pages again, and some more. */
const MORE_PAGES = 50;

export interface ListSource {
  page(place: PagePlace): Promise<ListPage>;
  /** Takes sales that are new or changed since they were taken last. */
  take(sales: readonly ListedSale[]): Promise<void>;
}

/** Sales by name, in the order of the list. */
type Order = Map<string, ListedSale>;

export interface WalkedList {
  /** Names and sale dates, in the order of the list. */
  readonly sales: readonly ListedSale[];
  /** False if the list was never seen at rest: what moved at last is found by the next run. */
  readonly isSettled: boolean;
  /** How many there are by the upstream's last count. */
  readonly total: number;
}

/**
 * Reads a whole list while it moves.
 *
 * Pages overlap: each begins with a sale that was seen before. So no sale that stays in the list lies
 * between two pages, wherever others came or went; where the overlap is missing, the walk goes back. Sales
 * that came before the walk's place are found on the first page, which is read again at the end. If the
 * number of sales then differs from the upstream's count, something came or went elsewhere, and the list is
 * read once more.
 */
export class ListWalk {
  /** What was taken, by name. */
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
        throw new UpstreamError('odd', `a day of the list has more than ${MAX_LISTED} sales`);
      }
      if (pages > (2 * page.total) / at.size + MORE_PAGES) {
        throw new UpstreamError('odd', 'the list moves faster than it can be read');
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

  /** Reads the first page again, for sales that came meanwhile. */
  private async head(order: Order): Promise<WalkedList> {
    const { sales, total } = await this.source.page(FIRST_PAGE);
    await this.takeNew(sales, order);
    const added = sales.filter(({ name }) => !order.has(name));
    const isWhole = added.length + order.size === total;
    const isJoined = added.length < sales.length || total === sales.length;
    const all = [...added.map(light), ...order.values()];
    return { sales: all, isSettled: isWhole && isJoined, total };
  }

  /** Hands on what is not known as it is. */
  private async takeNew(sales: readonly ListedSale[], seen: Order): Promise<void> {
    const unseen = sales.filter(({ name }) => !seen.has(name));
    const fresh = unseen.filter((sale) => this.taken.get(sale.name) !== digestOf(sale.sale));
    if (fresh.length > 0) await this.source.take(fresh);
    for (const sale of fresh) this.taken.set(sale.name, digestOf(sale.sale));
  }
}

/** True if something may lie between a page and those that were read before it. */
function isGap(from: number, { sales }: ListPage, seen: Order): boolean {
  const [first] = sales;
  return from > 0 && (first === undefined || !seen.has(first.name));
}

/** Without its content: a list may be long. */
function light({ name, sale_date }: ListedSale): ListedSale {
  return { name, sale_date, sale: {} };
}
