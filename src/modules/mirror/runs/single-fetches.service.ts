import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { pathPart } from '../../upstreams/client/path-part.model.js';
import {
  anotherThing,
  isPerhapsOfOneRecord,
  UpstreamError,
} from '../../upstreams/client/upstream-error.model.js';
import { objectOf } from '../../upstreams/convert/known.model.js';
import { relationshipLine } from '../../upstreams/convert/relationship-line.model.js';
import type { ConvertedLine } from '../../upstreams/convert/sent-fields.model.js';
import { pairKey, wordsOf, type UpstreamRead } from '../../upstreams/upstream.model.js';
import { ownDetail, preKeyOf } from '../convert/detail-line.js';
import { paymentLine } from '../convert/payment-line.js';
import { listedSale, type ListedSale } from '../listing/list-page.js';
import type { FetchedDetail } from '../records/mirrored-details.service.js';
import { notifiedNames } from '../records/notified-names.js';
import type { MirrorTurn } from './mirror-turn.js';

/** Maximum number of subscriptions remembered, so that older sales of one do not read it again. */
const KNOWN_PAYMENTS = 10_000;

/** Holds the result of a read. */
export type Fetched =
  | { readonly kind: 'detail'; readonly detail: FetchedDetail }
  | {
      readonly kind: 'sale';
      readonly read: UpstreamRead;
      readonly sale: ListedSale;
      /** The details; null if they could not be read, so that they wait for their own read. */
      readonly detail: FetchedDetail | null;
    }
  | { readonly kind: 'line'; readonly read: UpstreamRead; readonly line: ConvertedLine };

/** Fetches single records from an upstream and writes nothing. */
@Injectable()
export class SingleFetchesService {
  /** Date of the newest sale with which a subscription was read, by upstream and key. */
  private readonly payments = new LRUCache<string, string>({ max: KNOWN_PAYMENTS });

  /**
   * @returns null if the upstream has no such thing
   * @throws UpstreamError if the call fails
   */
  fetch(turn: MirrorTurn, read: UpstreamRead): Promise<Fetched | null> {
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
  remember(turn: MirrorTurn, details: readonly FetchedDetail[], stored: ReadonlySet<string>): void {
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
      if (sale !== null)
        return { kind: 'sale', read, sale, detail: await this.detailOf(turn, sale) };
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
    return detail === null ? null : { kind: 'detail', detail };
  }

  /** @param isFresh true to read its subscription even if it was read before */
  private async detail(
    turn: MirrorTurn,
    read: UpstreamRead,
    isFresh: boolean,
  ): Promise<FetchedDetail | null> {
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
  private async paymentOf(
    turn: MirrorTurn,
    pre_key: string,
  ): Promise<Pick<FetchedDetail, 'payment' | 'unread'>> {
    try {
      return { payment: await this.paymentAt(turn, pre_key), unread: null };
    } catch (error) {
      if (!isPerhapsOfOneRecord(error)) throw error;
      return { payment: null, unread: error.message };
    }
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
}

function paymentName({ upstream }: MirrorTurn, pre_key: string): string {
  return `${upstream.id} ${pre_key}`;
}
