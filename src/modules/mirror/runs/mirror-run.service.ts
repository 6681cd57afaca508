import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { WrittenRecord } from '../../../ledger/records/written-transaction.js';
import type { Session } from '../../../platform/database/database.js';
import {
  dateTimeOf,
  dayOf,
  daysAfter,
  formatDateTime,
  isCalendarDay,
  parseDateTime,
} from '../../../platform/values/time.js';
import { RecurringService } from '../../recurring/index.js';
import {
  anotherThing,
  faultOfOneRecord,
  pathPart,
  UpstreamError,
} from '../client/upstream-answer.js';
import { productLine } from '../records/listed-line.js';
import { MirroredRecordsService } from '../records/mirrored-records.service.js';
import { idIn, objectOf, transactionIdIn } from '../records/sent-fields.model.js';
import type { RunKind, TurnChanges, Upstream } from '../upstreams/upstream.model.js';
import { ListRangeService } from './list-range.service.js';
import type { MirrorTurn } from './mirror-turn.js';
import { begun, dueRun, finished, sought, surveyed } from './run-kind.js';
import { WaitingReadsService } from './waiting-reads.service.js';

const ROUND_SECONDS = 86_400;
/** An ended subscription is read again in one of this many rounds, any other in each round. */
const ROUNDS_OF_ENDED = 30;
const ENDED: ReadonlySet<string> = new Set(['CANCELED', 'COMPLETED']);
/** A part is read each minute, so a round of many subscriptions takes ten hours. */
const PART_SECONDS = 60;
const PARTS_OF_ROUND = 600;
const LEAST_OF_PART = 100;

/**
 * Schedules a new read of each subscription of a mirrored vendor once a day, because no change of a
 * sale shows that a subscription was canceled. The progress of a round is stored with the upstream,
 * so it continues where it stopped.
 */
@Injectable()
export class PaymentRoundsService {
  constructor(private readonly recurring: RecurringService) {}

  /**
   * Schedules the reads of the next part if it is due.
   * @returns false if there is nothing to do now
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async goOn(turn: MirrorTurn, now: Date): Promise<boolean> {
    const { payments_next } = turn.upstream;
    if (payments_next !== null && payments_next > dateTimeOf(now)) return false;
    await turn.write(async (session, upstream) => {
      const begun =
        upstream.payments_after === null ? await this.begun(session, upstream, now) : {};
      const part = await this.part(session, { ...upstream, ...begun }, now);
      return { ...part, upstream: { ...begun, ...part.upstream } };
    });
    return true;
  }

  private async begun(session: Session, { vendor_id }: Upstream, now: Date) {
    const payments_total = await this.recurring.reads.countOf(session, vendor_id);
    const last_payments = dateTimeOf(now);
    return { payments_after: '', payments_seen: 0, payments_total, last_payments };
  }

  private async part(session: Session, upstream: Upstream, now: Date): Promise<TurnChanges> {
    const { vendor_id, payments_total, payments_after, payments_round: round } = upstream;
    const limit = Math.max(LEAST_OF_PART, Math.ceil(payments_total / PARTS_OF_ROUND));
    const after = payments_after ?? '';
    const payments = await this.recurring.reads.statusesAfter(session, vendor_id, after, limit);
    const due = payments.filter(({ pre_key, status }) => {
      return !ENDED.has(status) || roundOf(pre_key) === round % ROUNDS_OF_ENDED;
    });
    const sale_date = dateTimeOf(now);
    const seen = upstream.payments_seen + payments.length;
    const last = payments.length < limit ? null : payments.at(-1);
    const next: Partial<Upstream> =
      last == null
        ? ended(upstream, seen)
        : { payments_after: last.pre_key, payments_next: later(now, due.length) };
    return {
      upstream: { payments_seen: seen, ...next },
      added: due.map(({ pre_key }) => ({ kind: 'payment', record_key: pre_key, sale_date })),
    };
  }
}

/** Returns the time of the next part. A part without reads causes no wait. */
function later(now: Date, reads: number): string {
  return dateTimeOf(new Date(now.getTime() + (reads === 0 ? 0 : PART_SECONDS * 1_000)));
}

function ended({ last_payments, created, payments_round }: Upstream, seen: number) {
  const began = Date.parse(formatDateTime(last_payments ?? created));
  return {
    payments_after: null,
    payments_total: seen,
    payments_round: payments_round + 1,
    payments_next: dateTimeOf(new Date(began + ROUND_SECONDS * 1_000)),
  };
}

/** Returns the number of the round in which an ended subscription is read. */
function roundOf(pre_key: string): number {
  return createHash('sha1').update(pre_key).digest().readUInt32BE() % ROUNDS_OF_ENDED;
}

/** A full run begins on this day if the dates of the upstream do not show its first sale. */
const EARLIEST_DAY = '2000-01-01';
/** Number of products written at a time. */
const PRODUCTS_AT_ONCE = 100;
/** Problems with the names of products have this subject. */
const NAMES = 'names of products';

/**
 * Performs the steps of reading from an upstream. Each step is written when it is done, so a run
 * continues where it stopped.
 */
@Injectable()
export class MirrorRunService {
  constructor(
    private readonly ranges: ListRangeService,
    private readonly waiting: WaitingReadsService,
    private readonly payments: PaymentRoundsService,
    private readonly records: MirroredRecordsService,
  ) {}

  /**
   * Performs the next step: notified sales, then the list, then records that are read one by one,
   * to which subscriptions are added once a day.
   * @returns false if there is nothing to do now
   * @throws UpstreamError if the upstream cannot be read
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async step(turn: MirrorTurn): Promise<boolean> {
    if (await this.waiting.readSome(turn, ['notified'])) return true;
    const { run } = turn.upstream;
    if (run !== null) {
      await this.goOn(turn, run);
      return true;
    }
    const now = new Date();
    const due = dueRun(turn.upstream, now);
    if (due !== null) {
      await turn.write((_, upstream) => ({
        upstream: { ...begun(due, now), ...sought(upstream, now) },
      }));
      return true;
    }
    if (await this.payments.goOn(turn, now)) return true;
    // This read uses the time of the check above, so that no sale is requested again before the run
    // that may find it.
    return this.waiting.readSome(turn, ['sought', 'detail', 'payment', 'relationship'], now);
  }

  private async goOn(turn: MirrorTurn, run: RunKind): Promise<void> {
    const { first_day, last_day, next_day } = turn.upstream;
    if (first_day === null || last_day === null) return this.survey(turn);
    if (next_day === last_day) await this.readProducts(turn);
    if (next_day !== null && next_day >= first_day) {
      const read = await this.ranges.readLast(turn, { first_day, last_day: next_day }, run);
      const before = daysAfter(read, -1);
      await turn.write(() => ({ upstream: { next_day: before } }));
      return;
    }
    await turn.write((_, upstream) => ({ upstream: finished(upstream), ended: upstream }));
  }

  /**
   * Reads the names of products. A run continues if they cannot be read, because sales name their
   * products, too.
   */
  private async readProducts(turn: MirrorTurn): Promise<void> {
    const answer = await turn.get('/v2.1/products/names').catch(faultOfOneRecord);
    if (answer === null) throw new UpstreamError('odd', 'the upstream has no version 2.1');
    if (answer instanceof UpstreamError) {
      const text = `the names of products: ${answer.message}`;
      turn.note({ subject: NAMES, kind: 'names of products not read', text });
      return;
    }
    await turn.write(() => ({ problems: { checked: [NAMES], found: [] } }));
    const { vendor_id } = turn.upstream;
    const { results } = answer;
    for (let at = 0; at < results.length; at += PRODUCTS_AT_ONCE) {
      const some = results.slice(at, at + PRODUCTS_AT_ONCE);
      await this.records.store(
        turn,
        some.map((item) => productLine(item, vendor_id)),
      );
      // On SQLite, writes do not yield to other requests.
      await setImmediate();
    }
  }

  /**
   * Sets the days of a full run. The feed of version 2.0 should begin with the oldest sale. A count
   * of the list of version 3.0 checks this, because some feeds cover only some days or have
   * unreadable dates.
   * @throws UpstreamError if the upstream cannot be read, or shows another vendor's sale
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  private async survey(turn: MirrorTurn): Promise<void> {
    const answer = await turn.get('/v2.0/latest-transactions');
    if (answer === null) throw new UpstreamError('odd', 'the upstream has no version 2.0');
    const sales = answer.results.map(objectOf);
    await this.checkOwner(turn, sales);
    const now = new Date();
    const days = sales.map(({ date }) => dayIn(date));
    const [oldest = dayOf(dateTimeOf(now))] = days.filter((day) => day !== null).sort();
    const first_day = oldest <= EARLIEST_DAY ? oldest : await this.firstDayBefore(turn, oldest);
    await turn.write(() => ({ upstream: surveyed(first_day, now) }));
  }

  private async firstDayBefore(turn: MirrorTurn, day: string): Promise<string> {
    const before = { first_day: EARLIEST_DAY, last_day: daysAfter(day, -1) };
    // Some upstreams reject such a long range. A fault of the list itself is detected when it is
    // read.
    const count = await this.ranges.count(turn, before).catch(faultOfOneRecord);
    return typeof count === 'number' && count > 0 ? EARLIEST_DAY : day;
  }

  /**
   * Checks the vendor of the sales. The lists do not name their vendor, so a key of another vendor
   * has to be detected before anything is written.
   */
  private async checkOwner(turn: MirrorTurn, sales: readonly WrittenRecord[]): Promise<void> {
    const [id] = sales.flatMap((sale) => transactionIdIn(sale) ?? []);
    if (id === undefined) return;
    // A single sale with faulty details must not end the run.
    const path = `/v2.1/transaction/details/${pathPart(id)}`;
    const found = await turn.getOne(path).catch(faultOfOneRecord);
    if (found instanceof UpstreamError) return;
    const vendor_id = idIn(objectOf(found).vendor_id);
    if (vendor_id !== null && vendor_id !== turn.upstream.vendor_id) {
      throw anotherThing("vendor's sale");
    }
  }
}

/**
 * Returns the day of a date in UTC, or the day before it if the date has no offset.
 * @returns null if it cannot be read
 */
function dayIn(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const dateTime = parseDateTime(value);
  if (dateTime !== null) return dayOf(dateTime);
  const day = value.slice(0, 10);
  return isCalendarDay(day) && day > EARLIEST_DAY ? daysAfter(day, -1) : null;
}
