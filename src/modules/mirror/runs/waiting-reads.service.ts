import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { isError } from '../../../common/errors/is-error.js';
import { pathPart } from '../../upstreams/client/path-part.model.js';
import {
  anotherThing,
  isOfOneRecord,
  type UpstreamError,
} from '../../upstreams/client/upstream-error.model.js';
import { objectOf } from '../../upstreams/convert/known.model.js';
import type { ConvertedLine } from '../../upstreams/convert/sent-fields.model.js';
import { relationshipLine } from '../../upstreams/convert/relationship-line.model.js';
import { subjectOfRead } from '../../upstreams/turns/upstream-turn.model.js';
import { UpstreamTurnsService } from '../../upstreams/turns/upstream-turns.service.js';
import {
  pairKey,
  wordsOf,
  type ReadKind,
  type UpstreamRead,
} from '../../upstreams/upstream.model.js';
import { ownDetail, preKeyOf } from '../convert/detail-line.js';
import { paymentLine } from '../convert/payment-line.js';
import { listedSale, type ListedSale } from '../listing/list-page.js';
import { MirroredDetailsService, type FetchedDetail } from '../records/mirrored-details.service.js';
import { MirroredRecordsService } from '../records/mirrored-records.service.js';
import { MirroredSalesService } from '../records/mirrored-sales.service.js';
import type { MirrorTurn } from './mirror-turn.js';

/** Calls at a time. */
const AT_ONCE = 8;
/** Recurring payments that were read lately: sales of one name the same. */
const KNOWN_PAYMENTS = 10_000;

/** What a read brought. Null: the upstream has no such thing. */
type Fetched =
  | { readonly kind: 'detail'; readonly detail: FetchedDetail }
  | { readonly kind: 'sale'; readonly read: UpstreamRead; readonly sale: ListedSale }
  | { readonly kind: 'line'; readonly read: UpstreamRead; readonly line: ConvertedLine };

/** Reads single records that wait to be read. */
@Injectable()
export class WaitingReadsService {
  private readonly payments = new LRUCache<string, true>({ max: KNOWN_PAYMENTS });

  constructor(
    private readonly turns: UpstreamTurnsService,
    private readonly sales: MirroredSalesService,
    private readonly details: MirroredDetailsService,
    private readonly records: MirroredRecordsService,
  ) {}

  /**
   * Reads some of those whose time has come. What cannot be read is told and tried again later.
   * @returns false if none waits
   * @throws UpstreamError if the upstream cannot be reached, TurnLostError
   */
  async readSome(turn: MirrorTurn, kinds: readonly ReadKind[]): Promise<boolean> {
    const reads = await this.turns.reads(turn.upstream, kinds, AT_ONCE);
    const outcomes = await Promise.allSettled(reads.map((read) => this.fetch(turn, read)));
    const fetched: Fetched[] = [];
    const failures: unknown[] = [];
    for (const [index, read] of reads.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status === 'fulfilled') {
        if (outcome.value === null) await this.drop(turn, read);
        else fetched.push(outcome.value);
      } else if (isOfOneRecord(outcome?.reason)) await this.putOff(turn, read, outcome.reason);
      else failures.push(outcome?.reason);
    }
    await this.store(turn, fetched);
    const [failure] = failures;
    if (isError(failure)) throw failure;
    return reads.length > 0;
  }

  private async store(turn: MirrorTurn, fetched: readonly Fetched[]): Promise<void> {
    for (const each of fetched) {
      if (each.kind === 'sale') {
        await this.sales.store(turn, [each.sale], { kind: 'recent', done: [each.read] });
      } else if (each.kind === 'line') await this.records.store(turn, [each.line], [each.read]);
    }
    const details = fetched.flatMap((each) => (each.kind === 'detail' ? [each.detail] : []));
    if (details.length === 0) return;
    for (const pre_key of await this.details.store(turn, details)) {
      this.payments.set(this.paymentName(turn, pre_key), true);
    }
  }

  private fetch(turn: MirrorTurn, read: UpstreamRead): Promise<Fetched | null> {
    switch (read.kind) {
      case 'notified':
        return this.fetchSale(turn, read);
      case 'detail':
        return this.fetchDetail(turn, read);
      case 'payment':
        return this.fetchPayment(turn, read);
      case 'relationship':
        return this.fetchRelationship(turn, read);
    }
  }

  private async fetchSale(turn: MirrorTurn, read: UpstreamRead): Promise<Fetched | null> {
    const found = await turn.getOne(`/v3.0/transactions/${pathPart(read.record_key)}`);
    if (found === null) return null;
    const sale = listedSale(found);
    if (sale.name !== read.record_key) throw anotherThing('sale');
    return { kind: 'sale', read, sale };
  }

  private async fetchDetail(turn: MirrorTurn, read: UpstreamRead): Promise<Fetched | null> {
    const found = await turn.getOne(`/v2.1/transaction/details/${pathPart(read.record_key)}`);
    if (found === null) return null;
    const detail = ownDetail(found, turn.upstream.vendor_id);
    const pre_key = preKeyOf(detail);
    if (pre_key === null || this.payments.has(this.paymentName(turn, pre_key))) {
      return { kind: 'detail', detail: { read, detail, payment: null } };
    }
    const payment = await this.paymentAt(turn, pre_key);
    return { kind: 'detail', detail: { read, detail, payment } };
  }

  private async fetchPayment(turn: MirrorTurn, read: UpstreamRead): Promise<Fetched | null> {
    const found = await this.paymentAt(turn, read.record_key);
    if (found === null) return null;
    return { kind: 'line', read, line: paymentLine(found, wordsOf(turn.upstream.words)) };
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
    return { kind: 'line', read, line };
  }

  /** The upstream has no such thing: what is here is kept. */
  private drop(turn: MirrorTurn, read: UpstreamRead): Promise<void> {
    if (read.kind === 'detail') {
      const text = `the upstream has no details of sale ${read.record_key}`;
      turn.note({ subject: subjectOfRead(read), kind: 'details not found', text });
    }
    return turn.write(() => Promise.resolve({ done: [read] }));
  }

  private async putOff(turn: MirrorTurn, read: UpstreamRead, error: UpstreamError): Promise<void> {
    const subject = subjectOfRead(read);
    const text = `${subject}: ${error.message}`;
    turn.note({ subject, kind: `${read.kind} not read`, text });
    await turn.postpone(read);
  }

  private paymentName({ upstream }: MirrorTurn, pre_key: string): string {
    return `${upstream.id} ${pre_key}`;
  }
}
