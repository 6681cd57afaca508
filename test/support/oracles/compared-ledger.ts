/** A random ledger that is imported and changed, and whose list is compared with an oracle's. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { product, user } from '../builders/ledger-records.js';
import { envelopeOf } from '../http/http.js';
import {
  CALENDARS,
  lineOf,
  recordOf,
  sale,
  VendorIds,
  type Sale,
  type SaleRecord,
} from '../random/random-ledgers.js';
import type { TestService } from '../servers/service.js';
import { ListOracle, queryText, type ListQuery } from './list-oracle.js';

const CHANGES = [
  'everything',
  'sale',
  'refund',
  'no refund',
  'product',
  'status',
  'nothing',
] as const;

interface Change {
  readonly place: number;
  readonly what: (typeof CHANGES)[number];
  readonly sale: Sale;
}

/**
 * A request for a page. Its dates are indices into the calendar of the ledger, extended by the days
 * around each date.
 */
interface Question {
  readonly days: readonly [number, number];
  readonly page_size: number | undefined;
  readonly page_index: number | undefined;
}

export interface Ledger {
  readonly calendar: readonly string[];
  readonly displayNames: readonly [string | null, string | null];
  readonly sales: readonly Sale[];
  readonly changes: readonly Change[];
  readonly questions: readonly Question[];
  readonly walk: { readonly days: readonly [number, number]; readonly page_size: number };
}

const days = fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 6 }));
const page_size = fc.constantFrom(1, 2, 3, 4, 5, 7, 10, 49, 50, 51, 200);
export const ledger: fc.Arbitrary<Ledger> = fc.record({
  calendar: fc.constantFrom(...CALENDARS),
  displayNames: fc.tuple(fc.constantFrom(null, 'Zoë’s', ''), fc.constantFrom(null, 'Other')),
  sales: fc.array(sale, { maxLength: 24, size: 'max' }),
  changes: fc.array(
    fc.record({
      place: fc.nat({ max: 30 }),
      what: fc.constantFrom(...CHANGES),
      sale,
    }),
    { maxLength: 10, size: 'max' },
  ),
  questions: fc.array(
    fc.record({
      days,
      page_size: fc.option(page_size, { nil: undefined }),
      page_index: fc.option(fc.constantFrom(0, 1, 1, 2, 3, 7, 2_147_483_647), { nil: undefined }),
    }),
    { minLength: 3, maxLength: 3 },
  ),
  walk: fc.record({ days, page_size }),
});

/** Numbers of everything compared so far. */
export interface Compared {
  ledgers: number;
  transactions: number;
  requests: number;
}

/** One ledger in the service, with an oracle of its list. */
export class ComparedLedger {
  readonly ids: VendorIds;
  private oracle = ListOracle.empty();
  private readonly sales = new Map<number, Sale>();
  private key = '';

  /**
   * @param times number of requests for each page; repeated ones may be answered from the page
   * cache
   */
  constructor(
    private readonly service: TestService,
    number: number,
    private readonly ledger: Ledger,
    private readonly times: number,
    private readonly compared: Compared,
  ) {
    this.ids = new VendorIds(number);
    compared.ledgers += 1;
  }

  /** Returns the lines of the first import. */
  *arriving(): Generator<object> {
    const { ids, ledger } = this;
    yield user(ids.vendor);
    yield this.affiliate(ledger.displayNames[0]);
    yield product(ids.product(0), ids.vendor);
    yield product(ids.product(1), ids.vendor);
    for (const [place, sold] of ledger.sales.entries()) yield this.put(place, sold);
  }

  /** Returns the lines of the second import: new transactions, and changed versions of old ones. */
  *changing(): Generator<object> {
    yield this.affiliate(this.ledger.displayNames[1]);
    for (const { place, what, sale: next } of this.ledger.changes) {
      const now = this.sales.get(place);
      yield this.put(place, now === undefined ? next : changed(now, what, next));
    }
  }

  async compare(): Promise<void> {
    if (this.key === '') this.key = await this.service.key(this.ids.vendor);
    for (const question of this.ledger.questions) await this.ask(this.queryOf(question));
    await this.walk();
  }

  private affiliate(display_name: string | null): object {
    this.oracle = this.oracle.withDisplayName(this.ids.affiliate, display_name);
    return user(this.ids.affiliate, { display_name });
  }

  private put(place: number, sold: Sale): object {
    this.sales.set(place, sold);
    const record: SaleRecord = recordOf(this.ids, place, this.ledger.calendar, sold);
    this.oracle = this.oracle.withSales([record]);
    this.compared.transactions += 1;
    return lineOf(record);
  }

  private queryOf({ days: range, page_size: size, page_index: index }: Question): ListQuery {
    return {
      ...this.range(range),
      ...(size === undefined ? {} : { page_size: size }),
      ...(index === undefined ? {} : { page_index: index }),
    };
  }

  private range(places: readonly [number, number]): { start_date: string; end_date: string } {
    const { calendar } = this.ledger;
    const dates = ['0000-01-01', ...calendar.flatMap(aroundDay), '9999-12-31'];
    const [start = '', end = ''] = places
      .map((place) => dates[(place * 3) % dates.length] ?? '')
      .sort();
    return { start_date: start, end_date: end };
  }

  /** Reads all pages as a client does, and expects each transaction once. */
  private async walk(): Promise<void> {
    const { page_size: size, days: places } = this.ledger.walk;
    const range = this.range(places);
    const found: unknown[] = [];
    let has_more = true;
    for (let page_index = 0; has_more; page_index += 1) {
      const body = await this.ask({ ...range, page_size: size, page_index });
      found.push(...body.results);
      has_more = body.meta.pagination?.has_more ?? false;
    }
    expect(found).toHaveLength(this.oracle.matching(range.start_date, range.end_date).length);
  }

  private async ask(query: ListQuery) {
    const text = queryText(query);
    const path = `/v3.0/transactions?${text}`;
    const answer = await this.service.get(path, this.key);
    const body = envelopeOf(answer);
    this.compared.requests += 1;
    const expected = this.oracle.answer(query);
    if (!isDeepStrictEqual(body, expected)) {
      const vendor = this.ids.number;
      expect({ vendor, text, body }).toEqual({ vendor, text, body: expected });
    }
    for (let time = 1; time < this.times; time += 1) {
      const again = await this.service.get(path, this.key);
      this.compared.requests += 1;
      if (again.text !== answer.text) expect({ text, again }).toEqual({ text, again: answer });
    }
    return body;
  }
}

function aroundDay(day: string): string[] {
  const at = (by: number) => new Date(Date.parse(day) + by * 86_400_000).toISOString();
  return [at(-1), at(0), at(1)].filter((text) => text.length === 24).map((t) => t.slice(0, 10));
}

function changed(now: Sale, what: Change['what'], next: Sale): Sale {
  switch (what) {
    case 'everything':
      return next;
    case 'sale':
      return { ...now, soldAt: next.soldAt };
    case 'refund':
      return { ...now, refundedAt: next.refundedAt };
    case 'no refund':
      return { ...now, refundedAt: null };
    case 'product':
      return { ...now, product: 1 - now.product };
    case 'status':
      return { ...now, status: next.status };
    case 'nothing':
      return now;
  }
}
