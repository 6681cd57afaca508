import { Injectable } from '@nestjs/common';
import {
  TrackingBounds,
  ANY_VALUE,
  isTrackable,
  trackedOccasionsOf,
  type TrackedSale,
  hasValue,
} from '../../../ledger/sums/tracking-sums.js';
import { groupedBy } from '../../../platform/values/grouped-by.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { figuresOf } from '../figures.js';
import type { Figures } from '../report.model.js';
import { type ItemSums, type PartSums, kindsOf, PART_OF } from '../sums/report-sums.model.js';
import { ReportSumsRepository } from '../sums/report-sums.repository.js';
import {
  TOP_VALUES,
  type TrackedLine,
  type TrackingReport,
  type TrackingRequest,
  TRACKED_PARTS,
} from './tracking-report.model.js';
import { TrackingReportRepository, type StoredValue } from './tracking-report.repository.js';

type Sold = Pick<Figures, 'gross'> & Pick<TrackedLine, 'value'>;
type Waiting = ReadonlyMap<string, readonly PartSums[]>;

/** Reports a vendor's sales by the values of a tracking field. */
@Injectable()
export class TrackingReportService {
  constructor(
    private readonly tracking: TrackingReportRepository,
    private readonly sums: ReportSumsRepository,
    private readonly reads: LedgerReadsService,
    private readonly bounds: TrackingBounds,
  ) {}

  report(request: TrackingRequest): Promise<TrackingReport> {
    const { vendor_id, field, attribution, ...range } = request;
    // All parts are read from one state, because waiting sales are added to the kept sums at any
    // time.
    return this.reads.readState(vendor_id, async (reader) => {
      const viewer = { role: 'vendor', user_id: vendor_id } as const;
      const total = await this.sums.daySums(reader, { viewer, attribution, ...range });
      const sales = await this.tracking.waitingSales(reader, vendor_id);
      const waiting = waitingSums(sales, request);
      const values = await this.tracking.values(reader, vendor_id, field);
      const stored = groupedBy(await this.tracking.sums(reader, request), ({ item_id }) => item_id);
      const any = [...(stored.get(ANY_VALUE) ?? []), ...Array.from(waiting.values()).flat()];
      const isFull = values.length >= this.bounds.values;
      const shown = topOf(partsOf(values, stored, waiting, isFull));
      return {
        lines: shown.map(({ value, figures }) => ({ value, figures })),
        other: unlessNothing([...any, ...negated(shown.flatMap(({ parts }) => parts))]),
        none: unlessNothing([...soldIn(total), ...negated(any)]),
        total: figuresOf(soldIn(total)),
        mostValues: isFull ? this.bounds.values : null,
      };
    });
  }
}

/** Returns the sums of each value that can have a line: kept sums and those of waiting sales. */
function partsOf(
  values: readonly StoredValue[],
  stored: ReadonlyMap<number, readonly ItemSums[]>,
  waiting: Waiting,
  isFull: boolean,
): Map<string, readonly PartSums[]> {
  const parts = new Map<string, readonly PartSums[]>(
    values.map(({ id, value }) => [
      value,
      [...(stored.get(id) ?? []), ...(waiting.get(value) ?? [])],
    ]),
  );
  // If the field has reached its limit of values, sales of a value without a number may be counted
  // in the rest.
  if (isFull) return parts;
  for (const [value, sums] of waiting) {
    if (isTrackable(value) && !parts.has(value)) parts.set(value, sums);
  }
  return parts;
}

/** Returns the values with a sale, highest gross first, as many as are shown. */
function topOf(parts: ReadonlyMap<string, readonly PartSums[]>) {
  return Array.from(parts, ([value, own]) => ({ value, parts: own, ...soldOf(own) }))
    .filter(({ sales }) => sales > 0)
    .sort(byGross)
    .slice(0, TOP_VALUES)
    .map(({ value, parts: own }) => ({ value, parts: own, figures: figuresOf(own) }));
}

/** Returns the number of sales and their gross, which decide the order. */
function soldOf(parts: readonly PartSums[]) {
  let [sales, gross] = [0, 0n];
  for (const { part, transactions, amount } of parts) {
    if (part !== 'sales') continue;
    sales += transactions;
    gross += amount;
  }
  return { sales, gross };
}

/**
 * Leaves pending transactions out, which do not count as sales, and sets commissions and fees to
 * zero.
 */
function soldIn(sums: readonly PartSums[]): PartSums[] {
  return sums
    .filter(({ part }) => part !== 'pending')
    .map((sum) => ({ ...sum, commissions: 0n, fees: 0n }));
}

function negated(sums: readonly PartSums[]): PartSums[] {
  return sums.map(({ part, transactions, amount, earnings }) => ({
    part,
    transactions: -transactions,
    amount: -amount,
    earnings: -earnings,
    commissions: 0n,
    fees: 0n,
  }));
}

function unlessNothing(sums: readonly PartSums[]): Figures | null {
  const figures = figuresOf(sums);
  const { sales, refunds, chargebacks } = figures;
  const isNothing = sales === 0 && refunds.transactions === 0 && chargebacks.transactions === 0;
  return isNothing ? null : figures;
}

/** Compares values by gross, highest first, and ties in the order of their bytes. */
function byGross(left: Sold, right: Sold): number {
  if (left.gross !== right.gross) return left.gross < right.gross ? 1 : -1;
  return Buffer.compare(Buffer.from(left.value), Buffer.from(right.value));
}

/** Returns the sums by value of sales that are not in the kept sums yet. */
function waitingSums(
  sales: readonly TrackedSale[],
  { field, attribution, start_date, end_date }: TrackingRequest,
): Waiting {
  const kinds = new Set(kindsOf(TRACKED_PARTS, attribution));
  const found = sales.flatMap((sale) => {
    const value = sale[field];
    if (!hasValue(value)) return [];
    return trackedOccasionsOf(sale)
      .filter(({ kind, day }) => kinds.has(kind) && day >= start_date && day <= end_date)
      .map(({ kind, amount, earnings }) => ({
        value,
        part: PART_OF[kind],
        transactions: 1,
        amount: BigInt(amount),
        earnings: BigInt(earnings),
        commissions: 0n,
        fees: 0n,
      }));
  });
  return groupedBy(found, ({ value }) => value);
}
