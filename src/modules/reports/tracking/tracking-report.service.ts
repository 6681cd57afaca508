import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../database/database.js';
import { TrackingBounds } from '../../transactions/rollups/tracking/tracking-bounds.model.js';
import { LedgerReadsService } from '../../transactions/revisions/ledger-reads.service.js';
import { ANY_VALUE, isTrackable } from '../../transactions/rollups/tracking/tracking.model.js';
import { figuresOf } from '../figures.js';
import type { Figures } from '../report.model.js';
import type { ItemSums, PartSums } from '../sums/report-sums.model.js';
import { ReportSumsRepository } from '../sums/report-sums.repository.js';
import {
  TOP_VALUES,
  type TrackedLine,
  type TrackingReport,
  type TrackingRequest,
} from './tracking-report.model.js';
import { TrackingReportRepository } from './tracking-report.repository.js';
import { waitingSums } from './waiting-sums.js';

type Waiting = ReadonlyMap<string, readonly PartSums[]>;

/** A vendor's sales by the values of a tracking field. */
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
    // From one state: what waits becomes a part of the sums at some time.
    return this.reads.readState(vendor_id, async (reader) => {
      const viewer = { role: 'vendor', user_id: vendor_id } as const;
      const total = await this.sums.daySums(reader, { viewer, attribution, ...range });
      const sales = await this.tracking.waitingSales(reader, vendor_id);
      const waiting = waitingSums(sales, request);
      const stored = await this.tracking.sumsOf(reader, request, [ANY_VALUE]);
      const any = [...stored, ...Array.from(waiting.values()).flat()];
      const isFull =
        (await this.tracking.countValues(reader, vendor_id, field)) >= this.bounds.values;
      const all = await this.linesOf(reader, request, waiting, isFull);
      const shown = all.filter(({ figures }) => figures.sales > 0).slice(0, TOP_VALUES);
      return {
        lines: shown.map(({ value, figures }) => ({ value, figures })),
        other: unlessNothing([...any, ...negated(shown.flatMap(({ parts }) => parts))]),
        none: unlessNothing([...soldIn(total), ...negated(any)]),
        total: figuresOf(soldIn(total)),
        mostValues: isFull ? this.bounds.values : null,
      };
    });
  }

  /**
   * The values with the highest gross in the sums, and all of which a sale waits, highest gross first. Those
   * that wait can each free one place.
   */
  private async linesOf(
    reader: Reader,
    request: TrackingRequest,
    waiting: Waiting,
    isFull: boolean,
  ) {
    const { vendor_id, field } = request;
    const texts = [...waiting.keys()].filter(isTrackable);
    const top = await this.tracking.topIds(reader, request, TOP_VALUES + texts.length);
    const known = await this.tracking.idsByValues(reader, vendor_id, field, texts);
    const ids = [...new Set([...top, ...known.map(({ id }) => id)])];
    const stored = await this.tracking.sumsOf(reader, request, ids);
    const values = await this.tracking.valuesByIds(reader, vendor_id, field, ids);
    const names = new Set(known.map(({ value }) => value));
    // In a full field, sales of a value without a number may be among all others.
    const fresh = isFull ? [] : texts.filter((value) => !names.has(value));
    const sums = byItem(stored);
    const parts = new Map<string, readonly PartSums[]>([
      ...fresh.map((value) => [value, waiting.get(value) ?? []] as const),
      ...values.map(({ id, value }): [string, PartSums[]] => {
        return [value, [...(sums.get(id) ?? []), ...(waiting.get(value) ?? [])]];
      }),
    ]);
    return Array.from(parts, ([value, own]) => ({
      ...{ value, parts: own, figures: figuresOf(own) },
    })).sort(byGross);
  }
}

function byItem(stored: readonly ItemSums[]): ReadonlyMap<number, ItemSums[]> {
  const sums = new Map<number, ItemSums[]>();
  for (const sum of stored) sums.set(sum.item_id, [...(sums.get(sum.item_id) ?? []), sum]);
  return sums;
}

/** Pending transactions are no sales. */
function soldIn(sums: readonly PartSums[]): PartSums[] {
  return sums
    .filter(({ part }) => part !== 'pending')
    .map((sum) => ({ ...sum, commissions: 0n, fees: 0n }));
}

function negated(sums: readonly PartSums[]): PartSums[] {
  return sums.map((sum) => ({
    ...sum,
    transactions: -sum.transactions,
    amount: -sum.amount,
    earnings: -sum.earnings,
  }));
}

function unlessNothing(sums: readonly PartSums[]): Figures | null {
  const figures = figuresOf(sums);
  const { sales, refunds, chargebacks } = figures;
  const isNothing = sales === 0 && refunds.transactions === 0 && chargebacks.transactions === 0;
  return isNothing ? null : figures;
}

/** Highest first, ties in the order of their bytes. */
function byGross(left: TrackedLine, right: TrackedLine): number {
  if (left.figures.gross !== right.figures.gross) {
    return left.figures.gross < right.figures.gross ? 1 : -1;
  }
  return Buffer.compare(Buffer.from(left.value), Buffer.from(right.value));
}
