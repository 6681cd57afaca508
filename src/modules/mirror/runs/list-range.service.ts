import { Injectable } from '@nestjs/common';
import { daysAfter, daysBetween, monthOf } from '../../../platform/values/time.js';
import { faultOfOneRecord, pathPart, UpstreamError } from '../client/upstream-answer.js';
import type { RunKind } from '../upstreams/upstream.model.js';
import { TransactionWritesService } from '../../../ledger/writes/transaction-writes.service.js';
import {
  listedSale,
  ListWalk,
  MAX_PAGE_SIZE,
  pathOfPage,
  readPage,
  type DayRange,
  type ListedSale,
  type ListPage,
  type PagePlace,
} from '../client/list-page.js';
import { MirroredSalesService } from '../records/mirrored-sales.service.js';
import { UNKNOWN_DAY } from '../records/mirrored-records.service.js';
import type { MirrorTurn } from './mirror-turn.js';
import { WaitingReadsService } from './waiting-reads.service.js';

/** A range with more sales than this is read in parts, because their names are in memory. */
const MAX_SALES = 20_000;
const MISSING = 'transaction missing at the upstream';
/** At most this many sales that seem to be missing are requested one by one. */
const MAX_ASKED = 200;

/** Reads a range of days of the list of an upstream. */
@Injectable()
export class ListRangeService {
  constructor(
    private readonly sales: MirroredSalesService,
    private readonly transactions: TransactionWritesService,
    private readonly waiting: WaitingReadsService,
  ) {}

  /**
   * Reads the last days up to `last_day`: those of its month, or fewer if they have many sales.
   * @returns the first day that was read
   * @throws UpstreamError if the list cannot be read
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async readLast(turn: MirrorTurn, { first_day, last_day }: DayRange, kind: RunKind) {
    const range = await this.fittingRange(turn, {
      first_day: [first_day, monthOf(last_day)].sort().at(-1) ?? first_day,
      last_day,
    });
    const { sales, isSettled, total } = await new ListWalk({
      page: async (place) => {
        // A notified sale must not wait for the whole range.
        await this.waiting.readSome(turn, ['notified']);
        return this.page(turn, range, place);
      },
      take: (listed) => this.sales.store(turn, listed, { kind }),
    }).walk();
    await this.order(turn, sales);
    if (kind !== 'recent' && sales.length < total)
      tellUnseen(turn, range, { seen: sales.length, total });
    if (kind === 'full' && isSettled) await this.lookForMissing(turn, range, sales);
    return range.first_day;
  }

  /**
   * Returns the number of sales that the list has in a range of days.
   * @throws UpstreamError if the list cannot be read
   */
  async count(turn: MirrorTurn, range: DayRange): Promise<number> {
    return (await this.page(turn, range, { size: MAX_PAGE_SIZE, index: 0 })).total;
  }

  /** Halves a range until it has few enough sales or is one day. */
  private async fittingRange(turn: MirrorTurn, range: DayRange): Promise<DayRange> {
    const { first_day, last_day } = range;
    const days = daysBetween(first_day, last_day);
    if (days === 0) return range;
    if ((await this.count(turn, range)) <= MAX_SALES) return range;
    const half = daysAfter(first_day, Math.ceil(days / 2));
    return this.fittingRange(turn, { first_day: half, last_day });
  }

  private async page(turn: MirrorTurn, range: DayRange, place: PagePlace): Promise<ListPage> {
    const answer = await turn.get(pathOfPage(range, place));
    if (answer === null) throw new UpstreamError('odd', 'the upstream has no list of version 3.0');
    return readPage(answer, place);
  }

  /** Stores the upstream's order of sales of the same second. */
  private async order(turn: MirrorTurn, sales: readonly ListedSale[]): Promise<void> {
    const ties = tiesOf(sales);
    if (ties.length === 0) return;
    await turn.write(async (session, { vendor_id }) => {
      await this.transactions.reorder(session, vendor_id, ties);
      return {};
    });
  }

  /** Finds stored sales that the upstream no longer has. Counts and reports them; they are kept. */
  private async lookForMissing(
    turn: MirrorTurn,
    { first_day, last_day }: DayRange,
    sales: readonly ListedSale[],
  ): Promise<void> {
    const { vendor_id } = turn.upstream;
    const listed = new Set(sales.map(({ name }) => name));
    const stored = await this.transactions.idsSoldBetween(vendor_id, first_day, last_day);
    let missing = 0;
    for (const id of stored.filter((each) => !listed.has(each)).slice(0, MAX_ASKED)) {
      const found = await turn.getOne(`/v3.0/transactions/${pathPart(id)}`).catch(faultOfOneRecord);
      if (found !== null && !(found instanceof UpstreamError)) {
        await this.sales.store(turn, [listedSale(found)], { kind: 'full' });
        continue;
      }
      missing += 1;
      const why = found === null ? '' : ` (${found.message})`;
      const text = `the upstream no longer has sale ${id}, which is kept${why}`;
      turn.note({ subject: `transaction ${id}`, kind: MISSING, text, day: UNKNOWN_DAY });
    }
    if (missing === 0) return;
    await turn.write((_, upstream) => ({ upstream: { missing: upstream.missing + missing } }));
  }
}

/**
 * Reports that the list shows fewer sales than it counts: pages that repeat hide others. This may
 * also happen while a list changes; then the next run finds the rest.
 */
function tellUnseen(
  turn: MirrorTurn,
  { first_day, last_day }: DayRange,
  { seen, total }: { readonly seen: number; readonly total: number },
): void {
  const subject = `sales from ${first_day} to ${last_day}`;
  const text = `the upstream counts ${total} ${subject}, and shows ${seen}`;
  turn.note({ subject, kind: 'sales not shown by the upstream', text, day: first_day });
}

/**
 * Returns the ids of sales of the same second, in groups, the oldest arrival first.
 * @param sales in the order of a list, which is newest first unless it begins with the oldest
 */
export function tiesOf(sales: readonly ListedSale[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const { name, sale_date } of isOldestFirst(sales) ? sales : sales.toReversed()) {
    if (sale_date === null) continue;
    const group = groups.get(sale_date);
    if (group === undefined) groups.set(sale_date, [name]);
    else group.push(name);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/**
 * Returns true if a list runs from the oldest to the newest sale. The API does not define the
 * direction.
 */
function isOldestFirst(sales: readonly ListedSale[]): boolean {
  const dates = sales.flatMap(({ sale_date }) => sale_date ?? []);
  return (dates[0] ?? '') < (dates.at(-1) ?? '');
}
