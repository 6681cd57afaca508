/**
 * One vendor's ledger while an import fills it, batch by batch, and the valid results of a read
 * meanwhile: the ledger after a whole number of batches, no older than any state seen before the
 * read began, and no newer than the last batch begun before its end.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { EnvelopeBody } from '../support/http/http.js';
import { affiliation, product, user } from '../support/builders/ledger-records.js';
import { ListOracle } from '../support/oracles/list-oracle.js';
import {
  lineOf,
  recordOf,
  sale,
  VendorIds,
  type SaleRecord,
} from '../support/random/random-ledgers.js';
import { printedRandom } from '../support/random/seed.js';
import { BATCH_LINES } from '../support/builders/test-ledger.js';

export const IDS = new VendorIds(1);
export const PRODUCT = IDS.product(0);
const CALENDAR = ['2025-06-29', '2025-06-30', '2025-07-01', '2025-12-31'];
export const [FIRST_DAY, LAST_DAY] = ['2025-01-01', '2026-12-31'];
/** Each sample occurs in many places of the ledger. */
const SAMPLES = 500;
const SEED = 20_251_121;
const FEED_SIZE = 100;

interface Placed {
  readonly arrival: number;
  readonly hasAffiliate: boolean;
  /** The sale in the list of API 3.0. */
  readonly row: Readonly<Record<string, unknown>>;
}

/** The smallest number of batches when a read began, and the largest when it ended. */
export interface Span {
  readonly least: number;
  readonly most: number;
}

export class GrowingLedger {
  /** Number of whole batches that a read has shown. */
  private seen = 0;
  /** Number of whole batches that an import may have written by now. */
  private begun = 0;
  private readonly random = printedRandom();
  private readonly records: readonly SaleRecord[];
  /** Sales in the order of the list, newest first. */
  private readonly placed: readonly Placed[];
  private readonly places: ReadonlyMap<unknown, number>;

  constructor(readonly batches: number) {
    const samples = fc.sample(sale, { numRuns: SAMPLES, seed: SEED });
    this.records = Array.from({ length: batches * BATCH_LINES }, (_, place) => {
      const sample = samples[place % SAMPLES];
      if (sample === undefined) throw new Error('there is a sample for each place');
      return recordOf(IDS, place, CALENDAR, sample);
    });
    const arrivals = new Map(
      this.records.map(({ transaction_id }, place) => [transaction_id, place]),
    );
    const oracle = ListOracle.empty()
      .withSales(this.records)
      .withDisplayName(IDS.affiliate, 'Fern');
    this.placed = oracle.shown(FIRST_DAY, LAST_DAY).map((shown) => {
      const row: Readonly<Record<string, unknown>> = { ...shown };
      const arrival = arrivals.get(String(row.transaction_id));
      if (arrival === undefined) throw new Error('a row is of a record');
      return { arrival, row, hasAffiliate: row.affiliate !== null };
    });
    this.places = new Map(this.placed.map(({ row }, place) => [row.transaction_id, place]));
  }

  /** Returns the records that must exist before the first sale. */
  static people(relationships: number): object[] {
    return [
      user(IDS.vendor),
      user(IDS.affiliate, { display_name: 'Fern' }),
      product(PRODUCT, IDS.vendor),
      product(IDS.product(1), IDS.vendor),
      ...Array.from({ length: relationships }, (_, number) => 1_000 + number).flatMap((id) => [
        user(id),
        affiliation(id, PRODUCT),
      ]),
    ];
  }

  get size(): number {
    return this.records.length;
  }

  /** Returns the lines of a batch, which reads may show from now on. */
  begin(batch: number): object[] {
    this.begun = Math.max(this.begun, batch + 1);
    return this.records.slice(batch * BATCH_LINES, (batch + 1) * BATCH_LINES).map(lineOf);
  }

  /** The smallest number of batches that a read that begins now may show. */
  get batchesSeen(): number {
    return this.seen;
  }

  /**
   * Returns the span for a read that ends now.
   * @param least the smallest number of batches at its beginning
   */
  span(least: number): Span {
    return { least, most: this.begun };
  }

  /** Returns the id of any sale of the ledger, imported or not. */
  someId(): string {
    const place = this.random.integer(0, this.records.length - 1);
    return IDS.transaction(place);
  }

  /** Returns an id after which a feed can begin, or null if there is none yet. */
  someIdSeen(ofAffiliate: boolean): string | null {
    if (this.seen === 0) return null;
    for (;;) {
      const place = this.random.integer(0, this.seen * BATCH_LINES - 1);
      const id = IDS.transaction(place);
      if (!ofAffiliate || this.placed[this.placeOf(id)]?.hasAffiliate === true) return id;
    }
  }

  /** @returns the fault of a page of the list, or null */
  faultOfList({ meta, results }: EnvelopeBody, span: Span, index: number, size: number) {
    const batches = (meta.total_count ?? NaN) / BATCH_LINES;
    if (!(batches >= span.least && batches <= span.most)) {
      return `${String(meta.total_count)} transactions, batches ${span.least} to ${span.most}`;
    }
    this.saw(batches);
    const there = this.placed.filter(({ arrival }) => arrival < batches * BATCH_LINES);
    const page = there.slice(index * size, (index + 1) * size).map(({ row }) => row);
    return isDeepStrictEqual(results, page) ? null : `page ${index} of ${batches} batches differs`;
  }

  /** @returns the fault of a single transaction, or of its absence, or null */
  faultOfSingle(id: string, found: Readonly<Record<string, unknown>> | null, span: Span) {
    const placed = this.placed[this.placeOf(id)];
    if (placed === undefined) throw new Error('asked for a sale of the ledger');
    const batch = Math.floor(placed.arrival / BATCH_LINES);
    if (found === null) return batch < span.least ? `${id} is not there` : null;
    if (batch >= span.most) return `${id} is there too early`;
    this.saw(batch + 1);
    return isDeepStrictEqual(found, placed.row) ? null : `${id} differs`;
  }

  /** @returns the fault of a feed after a transaction, or null */
  faultOfFeed(
    { results }: EnvelopeBody,
    after: string,
    ofAffiliate: boolean,
    span: Span,
  ): string | null {
    const told = results.map(({ transaction_id, price }) => [transaction_id, price]);
    for (let batches = span.least; batches <= span.most; batches += 1) {
      if (isDeepStrictEqual(told, this.feed(after, ofAffiliate, batches))) return null;
    }
    return `a feed after ${after} is of no state from batch ${span.least} to ${span.most}`;
  }

  /** Returns a feed, oldest sale first, which is the reverse of the list. */
  private feed(after: string, ofAffiliate: boolean, batches: number): unknown[][] {
    const place = this.placeOf(after);
    const feed: unknown[][] = [];
    for (let index = place - 1; index >= 0 && feed.length < FEED_SIZE; index -= 1) {
      const placed = this.placed[index];
      if (placed === undefined || placed.arrival >= batches * BATCH_LINES) continue;
      if (ofAffiliate && !placed.hasAffiliate) continue;
      feed.push([placed.row.transaction_id, placed.row.amount]);
    }
    return feed;
  }

  private placeOf(id: string): number {
    return this.places.get(id) ?? -1;
  }

  private saw(batches: number): void {
    this.seen = Math.max(this.seen, batches);
  }
}
