import { Injectable } from '@nestjs/common';
import type { Session } from '../../../platform/database/database.js';
import type { TransactionRecord } from '../../../ledger/records/transaction.record.js';
import type { WrittenRecord } from '../../../ledger/records/written-transaction.js';
import { type SeenUser } from '../../../ledger/reads/seen-user.model.js';
import { SeenUsersService } from '../../accounts/index.js';
import { RecurringService } from '../../recurring/index.js';
import { TransactionWritesService } from '../../../ledger/writes/transaction-writes.service.js';
import { idIn, type ConvertedLine } from './sent-fields.model.js';
import {
  subjectOfRead,
  wordsOf,
  type FieldWords,
  type Upstream,
  type UpstreamRead,
} from '../upstreams/upstream.model.js';
import { detailedLine, paymentLine, preKeyOf } from './detail-line.js';
import { detailedUser } from './affiliate-lines.js';
import type { MirrorTurn } from '../runs/mirror-turn.js';
import { MirroredRecordsService, problemsOf } from './mirrored-records.service.js';

/** Holds the details of a sale from version 2.1, and the subscription that it names. */
export interface FetchedDetail {
  readonly read: UpstreamRead;
  readonly detail: WrittenRecord;
  /** The subscription; null if the sale names none, or it was read before. */
  readonly payment: unknown;
  /**
   * Reason why the subscription cannot be read now, so that the details are read again; null if it
   * can be read.
   */
  readonly unread: string | null;
}

/** Writes the fields of sales that version 2.1 of an upstream shows and 3.0 lacks. */
@Injectable()
export class MirroredDetailsService {
  constructor(
    private readonly records: MirroredRecordsService,
    private readonly users: SeenUsersService,
    private readonly transactions: TransactionWritesService,
    private readonly recurring: RecurringService,
  ) {}

  /**
   * Adds details to stored sales.
   * @returns keys of the subscriptions that these sales name and that are stored
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async store(turn: MirrorTurn, fetched: readonly FetchedDetail[]): Promise<Set<string>> {
    let known = new Set<string>();
    await turn.write(async (session, upstream) => {
      const sales = await this.salesOf(session, upstream, fetched);
      const words = wordsOf(upstream.words);
      // If a user or subscription cannot be stored, the sale and its details are stored without it.
      const before = fetched.flatMap((each) =>
        linesBefore(sales.get(each.read.record_key), each, words),
      );
      const first = await this.write(session, upstream, before);
      const pre_keys = fetched.flatMap(({ detail }) => preKeyOf(detail) ?? []);
      const { vendor_id } = upstream;
      known = new Set(await this.recurring.knownPreKeys(session, pre_keys, vendor_id));
      const details = fetched.flatMap(({ read, detail }) => {
        const sale = sales.get(read.record_key)?.content;
        if (sale === undefined) return [];
        return [{ subject: subjectOfRead(read), ...detailedLine(sale, detail, words, known) }];
      });
      const second = await this.write(session, upstream, details);
      const checked = [...first.checked, ...second.checked];
      const problems = { checked, found: [...first.found, ...second.found] };
      return { done: fetched.flatMap(readsDoneBy), problems };
    });
    return known;
  }

  private async salesOf(
    session: Session,
    { vendor_id }: Upstream,
    fetched: readonly FetchedDetail[],
  ): Promise<Map<string, SaleWithAffiliate>> {
    const ids = fetched.map(({ read }) => read.record_key);
    const placed = await this.transactions.stored(session, ids);
    const own = placed.filter(({ place }) => place.vendor_id === vendor_id);
    const affiliates = own.flatMap(({ content }) => content.affiliate_id ?? []);
    const users = await this.users.usersSeenBy(vendor_id, [...new Set(affiliates)], session);
    const byId = new Map(users.map((user) => [user.id, user]));
    return new Map(
      own.map(({ content }) => {
        const affiliate = byId.get(content.affiliate_id ?? 0);
        return [content.transaction_id, { content, affiliate }];
      }),
    );
  }

  private async write(session: Session, upstream: Upstream, lines: readonly SubjectLine[]) {
    const results = await this.records.apply(session, upstream, lines);
    const places = lines.map(({ subject }) => ({ subject }));
    return problemsOf(lines, results, places);
  }
}

interface SaleWithAffiliate {
  readonly content: TransactionRecord;
  readonly affiliate: SeenUser | undefined;
}

interface SubjectLine extends ConvertedLine {
  /** The record that the problems of the line name. */
  readonly subject: string;
}

/**
 * Returns the lines for the affiliate and the subscription of a sale, which its details refer to.
 */
function linesBefore(
  sale: SaleWithAffiliate | undefined,
  { read, detail, payment }: FetchedDetail,
  words: FieldWords,
): SubjectLine[] {
  if (sale === undefined) return [];
  const { affiliate } = sale;
  const isSame = affiliate !== undefined && idIn(detail.affiliate_id) === affiliate.id;
  const subject = subjectOfRead(read);
  const user = isSame ? [{ subject, ...detailedUser(detail, affiliate) }] : [];
  if (payment === null) return user;
  const ofPayment = `payment ${preKeyOf(detail) ?? ''}`;
  return [...user, { subject: ofPayment, ...paymentLine(payment, words) }];
}

/**
 * Returns the reads that are done: that of the details, unless they are read again, and that of the
 * subscription.
 */
function readsDoneBy({ read, detail, payment, unread }: FetchedDetail): UpstreamRead[] {
  if (unread !== null) return [];
  const pre_key = preKeyOf(detail);
  if (payment === null || pre_key === null) return [read];
  return [read, { ...read, kind: 'payment', record_key: pre_key }];
}
