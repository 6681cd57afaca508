import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { dateTimeOf, dayOf, daysAfter } from '../../../platform/values/time.js';
import { isError } from '../../../platform/errors/is-error.js';
import {
  anotherThing,
  faultOfOneRecord,
  isOfOneRecord,
  isPerhapsOfOneRecord,
  pathPart,
  UpstreamError,
} from '../client/upstream-answer.js';
import { objectOf, type ConvertedLine } from '../records/sent-fields.model.js';
import { relationshipLine } from '../records/affiliate-lines.js';
import {
  pairKey,
  subjectOfRead,
  wordsOf,
  type ReadKind,
  type UpstreamRead,
} from '../upstreams/upstream.model.js';
import { UpstreamsRepository } from '../upstreams/upstreams.repository.js';
import { ownDetail, paymentLine, preKeyOf } from '../records/detail-line.js';
import { listedSale, type ListedSale } from '../client/list-page.js';
import { MirroredRecordsService } from '../records/mirrored-records.service.js';
import { MirroredSalesService, type FetchedDetail } from '../records/mirrored-sales.service.js';
import type { MirrorTurn } from './mirror-turn.js';
import { seekingOf } from './run-kind.js';
import { TRANSACTION_ID } from '../../../ledger/records/transaction.record.js';

/** Maximum number of calls at a time. */
const AT_ONCE = 8;
/**
 * A notified sale that is not found is stored as a problem of this many days ago, so that the next
 * daily run forgets it.
 */
const DAYS_TOLD = 7;

/** Maximum number of subscriptions remembered, so that older sales of one do not read it again. */
const KNOWN_PAYMENTS = 10_000;

/** Holds the result of a read. */
interface Fetched {
  readonly read: UpstreamRead;
  readonly sale?: ListedSale;
  /** The details; null if they could not be read, so that they wait for their own read. */
  readonly detail?: FetchedDetail | null;
  readonly line?: ConvertedLine;
}

interface FailedRead {
  readonly read: UpstreamRead;
  readonly reason: unknown;
}

/** Reads single records that wait to be read. */
@Injectable()
export class WaitingReadsService {
  /** Date of the newest sale with which a subscription was read, by upstream and key. */
  private readonly payments = new LRUCache<string, string>({ max: KNOWN_PAYMENTS });

  constructor(
    private readonly upstreams: UpstreamsRepository,
    private readonly sales: MirroredSalesService,
    private readonly records: MirroredRecordsService,
  ) {}

  /**
   * Reads some of the due records. A record that cannot be read is reported as a problem and tried
   * again later.
   * @returns false if no read is due
   * @throws UpstreamError if the upstream cannot be reached
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async readSome(turn: MirrorTurn, kinds: readonly ReadKind[], now = new Date()): Promise<boolean> {
    const due = { kinds, now: dateTimeOf(now) };
    const reads = await this.upstreams.next(turn.upstream.id, due, AT_ONCE);
    const outcomes = await Promise.allSettled(reads.map((read) => this.fetch(turn, read)));
    const fetched: Fetched[] = [];
    const failed: FailedRead[] = [];
    for (const [index, read] of reads.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status === 'fulfilled') {
        if (outcome.value === null) await this.drop(turn, read);
        else fetched.push(outcome.value);
      } else failed.push({ read, reason: outcome?.reason });
    }
    await this.store(turn, fetched);
    await this.putOffFailed(turn, failed);
    return reads.length > 0;
  }

  /**
   * Postpones reads that failed for their record alone, so that a record that the upstream cannot
   * show does not delay others.
   * @throws UpstreamError if the upstream cannot be reached
   */
  private async putOffFailed(turn: MirrorTurn, failed: readonly FailedRead[]): Promise<void> {
    for (const { read, reason } of failed) {
      if (isOfOneRecord(reason)) await this.putOff(turn, read, reason);
    }
    const others = failed.filter(({ reason }) => !isOfOneRecord(reason));
    if (others.length === 0) return;
    for (const { reason } of others) {
      if (isError(reason) && !isPerhapsOfOneRecord(reason)) throw reason;
    }
    await turn.checkReachable();
    for (const { read, reason } of others) {
      if (isPerhapsOfOneRecord(reason)) await this.putOff(turn, read, reason);
    }
  }

  private async store(turn: MirrorTurn, fetched: readonly Fetched[]): Promise<void> {
    for (const { sale, read } of fetched) {
      if (sale !== undefined)
        await this.sales.store(turn, [sale], { kind: 'notified', done: [read] });
    }
    const lines = fetched.flatMap(({ line }) => line ?? []);
    const done = fetched.flatMap(({ line, read }) => (line === undefined ? [] : [read]));
    if (lines.length > 0) await this.records.store(turn, lines, done);
    const details = fetched.flatMap(({ detail }) => detail ?? []);
    if (details.length === 0) return;
    this.remember(turn, details, await this.sales.storeDetails(turn, details));
    for (const { read, unread } of details) {
      if (unread === null) continue;
      const text = `recurring payment of sale ${read.record_key}: ${unread}`;
      turn.note({ subject: subjectOfRead(read), kind: 'recurring payment not read', text });
      await turn.postpone(read);
    }
  }

  /** Ends a read whose record the upstream does not have. The stored record is kept. */
  private drop(turn: MirrorTurn, read: UpstreamRead): Promise<void> {
    const { kind, record_key } = read;
    if (kind === 'notified') return this.seek(turn, read);
    const subject = subjectOfRead(read);
    if (kind === 'detail') {
      const text = `the upstream has no details of sale ${record_key}`;
      turn.note({ subject, kind: 'details not found', text });
    } else if (kind === 'sought') {
      const text = `the upstream has no sale ${record_key}, which a notification named`;
      // A run of the last 90 days forgets this problem; a shorter run does not.
      const day = daysAfter(dayOf(dateTimeOf(new Date())), -DAYS_TOLD);
      turn.note({ subject, kind: 'notified sale not found', text, day });
    } else if (kind === 'payment') {
      const text = `the upstream has no recurring payment ${record_key}, which is kept`;
      turn.note({ subject, kind: 'recurring payment not found', text });
    }
    return turn.write(() => ({ done: [read] }));
  }

  /**
   * Requests a run that may find an unknown sale. The sale itself is requested again after that
   * run.
   */
  private seek(turn: MirrorTurn, read: UpstreamRead): Promise<void> {
    return turn.write((_, upstream) => {
      const now = new Date();
      const seek_run = seekingOf(upstream, now);
      const { record_key } = read;
      const sought = { kind: 'sought', record_key, sale_date: dateTimeOf(now) } as const;
      const added = [{ ...sought, next_try: seek_run }];
      return { upstream: { seek_run }, done: [read], added };
    });
  }

  private async putOff(turn: MirrorTurn, read: UpstreamRead, error: UpstreamError): Promise<void> {
    const subject = subjectOfRead(read);
    const text = `${subject}: ${error.message}`;
    turn.note({ subject, kind: `${read.kind} not read`, text });
    await turn.postpone(read);
  }

  /**
   * Fetches a record and writes nothing.
   * @returns null if the upstream has no such thing
   * @throws UpstreamError if the call fails
   */
  private fetch(turn: MirrorTurn, read: UpstreamRead): Promise<Fetched | null> {
    switch (read.kind) {
      case 'notified':
      case 'sought':
        return this.fetchSale(turn, read);
      case 'detail':
        return this.fetchDetail(turn, read);
      case 'payment':
        return this.fetchPayment(turn, read);
      case 'relationship':
        return this.fetchRelationship(turn, read);
    }
  }

  /**
   * Remembers the subscriptions that were read with details.
   * @param stored keys of the stored subscriptions
   */
  private remember(
    turn: MirrorTurn,
    details: readonly FetchedDetail[],
    stored: ReadonlySet<string>,
  ): void {
    for (const { read, detail, payment } of details) {
      const pre_key = preKeyOf(detail);
      if (payment === null || pre_key === null || !stored.has(pre_key)) continue;
      const name = paymentName(turn, pre_key);
      if (read.sale_date > (this.payments.get(name) ?? '')) {
        this.payments.set(name, read.sale_date);
      }
    }
  }

  /** Fetches a sale with its details and its subscription, even if these were read before. */
  private async fetchSale(turn: MirrorTurn, read: UpstreamRead): Promise<Fetched | null> {
    for (const name of notifiedNames(read.record_key)) {
      const sale = await this.saleCalled(turn, name);
      if (sale !== null) return { read, sale, detail: await this.detailOf(turn, sale) };
    }
    return null;
  }

  /** Fetches the sale with this id. An id that the upstream rejects counts as unknown. */
  private async saleCalled(turn: MirrorTurn, name: string): Promise<ListedSale | null> {
    const found = await turn
      .getOne(`/v3.0/transactions/${pathPart(name)}`)
      .catch((error: unknown) => {
        if (error instanceof UpstreamError && error.fault === 'refused') return null;
        throw error;
      });
    if (found === null) return null;
    const sale = listedSale(found);
    if (sale.name !== name) throw anotherThing('sale');
    return sale;
  }

  private async detailOf(turn: MirrorTurn, { name, sale_date }: ListedSale) {
    if (sale_date === null) return null;
    const { id: upstream_id } = turn.upstream;
    const read = { upstream_id, kind: 'detail', record_key: name, sale_date } as const;
    try {
      return await this.detail(turn, { ...read, failures: 0, next_try: sale_date }, true);
    } catch (error) {
      if (error instanceof UpstreamError) return null;
      throw error;
    }
  }

  private async fetchDetail(turn: MirrorTurn, read: UpstreamRead): Promise<Fetched | null> {
    const detail = await this.detail(turn, read, false);
    return detail === null ? null : { read, detail };
  }

  /** @param isFresh true to read its subscription even if it was read before */
  private async detail(turn: MirrorTurn, read: UpstreamRead, isFresh: boolean) {
    const found = await turn.getOne(`/v2.1/transaction/details/${pathPart(read.record_key)}`);
    if (found === null) return null;
    const detail = ownDetail(found, turn.upstream.vendor_id);
    const pre_key = preKeyOf(detail);
    const without = { read, detail, payment: null, unread: null };
    if (pre_key === null) return without;
    const known = this.payments.get(paymentName(turn, pre_key));
    if (!isFresh && known !== undefined && known >= read.sale_date) return without;
    return { ...without, ...(await this.paymentOf(turn, pre_key)) };
  }

  /**
   * Fetches a subscription. If it cannot be read, the sale and its details are stored without it.
   */
  private async paymentOf(turn: MirrorTurn, pre_key: string) {
    const payment = await this.paymentAt(turn, pre_key).catch(faultOfOneRecord);
    return payment instanceof UpstreamError
      ? { payment: null, unread: payment.message }
      : { payment, unread: null };
  }

  private async fetchPayment(turn: MirrorTurn, read: UpstreamRead): Promise<Fetched | null> {
    const found = await this.paymentAt(turn, read.record_key);
    if (found === null) return null;
    return { read, line: paymentLine(found, wordsOf(turn.upstream.words)) };
  }

  private async paymentAt(turn: MirrorTurn, pre_key: string): Promise<unknown> {
    const found = await turn.getOne(`/v2.0/recurring_payment/${pathPart(pre_key)}`);
    if (found !== null && preKeyOf({ pre_key: objectOf(found).preKey }) !== pre_key)
      throw anotherThing('recurring payment');
    return found;
  }

  private async fetchRelationship(turn: MirrorTurn, read: UpstreamRead): Promise<Fetched | null> {
    const [affiliate_id = '', product_id = ''] = read.record_key.split('/');
    const found = await turn.getOne(`/v2.1/affiliates/${affiliate_id}/products/${product_id}`);
    if (found === null) return null;
    const line = relationshipLine(found);
    const pair = pairKey(Number(line.line.affiliate_id), Number(line.line.product_id));
    if (pair !== read.record_key) throw anotherThing('relationship');
    return { read, line };
  }
}

function paymentName({ upstream }: MirrorTurn, pre_key: string): string {
  return `${upstream.id} ${pre_key}`;
}

/** Some services omit the prefix in notifications, or add the number of a rebill to the id. */
const PREFIXES = ['AP-', 'PA-'] as const;
const REBILL = /-B\d{1,9}$/i;

/**
 * Returns the ids that a sale may have at the upstream, the likeliest first.
 * @param id the id in the notification
 */
export function notifiedNames(id: string): string[] {
  const names = [id, id.replace(REBILL, '')].flatMap((name) =>
    PREFIXES.some((prefix) => name.startsWith(prefix))
      ? [name]
      : [name, ...PREFIXES.map((prefix) => `${prefix}${name}`)],
  );
  return [...new Set(names)].filter((name) => TRANSACTION_ID.test(name));
}
