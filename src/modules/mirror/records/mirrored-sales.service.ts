import { Injectable } from '@nestjs/common';
import { dayOf } from '../../../platform/values/time.js';
import type { Session } from '../../../platform/database/database.js';
import type { TransactionRecord } from '../../../ledger/records/transaction.record.js';
import type { WrittenRecord } from '../../../ledger/records/written-transaction.js';
import { type SeenUser } from '../../../ledger/reads/seen-user.model.js';
import { SeenUsersRepository } from '../../accounts/index.js';
import type { RecordResult } from '../../records-in/index.js';
import { ProductsService } from '../../products/index.js';
import { RecurringService } from '../../recurring/index.js';
import { TransactionWritesService } from '../../../ledger/writes/transaction-writes.service.js';
import {
  pairKey,
  subjectOfRead,
  wordsOf,
  type FieldWords,
  type ProblemChanges,
  type ReadKey,
  type RunKind,
  type Upstream,
  type UpstreamRead,
} from '../upstreams/upstream.model.js';
import { type ConvertedLine, idIn } from './sent-fields.model.js';
import { affiliateIdIn, listedLine, productLine } from './listed-line.js';
import { detailedUser, listedUser } from './affiliate-lines.js';
import { detailedLine, paymentLine, preKeyOf } from './detail-line.js';
import type { ListedSale } from '../client/list-page.js';
import type { MirrorTurn } from '../runs/mirror-turn.js';
import { MirroredRecordsService, UNKNOWN_DAY, problemsOf } from './mirrored-records.service.js';

/** Holds the stored sales of a page, and the stored users and products that the page names. */
interface Stored {
  readonly sales: ReadonlyMap<string, TransactionRecord>;
  readonly users: ReadonlyMap<number, SeenUser>;
  readonly products: ReadonlySet<number>;
}

interface ListedOptions {
  readonly kind: RunKind | 'notified';
  /** Reads that fetched these sales. */
  readonly done?: readonly UpstreamRead[];
}

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

/** Writes sales as version 3.0 of an upstream lists them, and the fields that only 2.1 shows. */
@Injectable()
export class MirroredSalesService {
  constructor(
    private readonly records: MirroredRecordsService,
    private readonly users: SeenUsersRepository,
    private readonly products: ProductsService,
    private readonly transactions: TransactionWritesService,
    private readonly recurring: RecurringService,
  ) {}

  /**
   * Writes listed sales with their affiliates. Fields that come from other versions stay as they
   * are stored.
   * @param listed newest first, as in the list; they are written oldest first
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async store(
    turn: MirrorTurn,
    listed: readonly ListedSale[],
    { kind, done = [] }: ListedOptions,
  ): Promise<void> {
    const oldestFirst = listed.toReversed();
    await turn.write(async (session, upstream) => {
      const stored = await this.storedOf(session, upstream, oldestFirst);
      const before = linesBefore(oldestFirst, stored, upstream);
      const words = wordsOf(upstream.words);
      const lines = oldestFirst.map(({ name, sale }) =>
        listedLine(sale, stored.sales.get(name), words),
      );
      const all = [...before, ...lines];
      const results = await this.records.apply(session, upstream, all);
      const newUsers = newUsersIn(before, results, stored);
      const added = oldestFirst.flatMap((each, index) => {
        const [line, result] = [lines[index]?.line, results[before.length + index]];
        if (line === undefined || result === undefined) return [];
        return readsAfter(each, { line, result, stored, newUsers }, kind);
      });
      const count = upstream.listed + (done.length === 0 ? listed.length : 0);
      const problems = problemsOfPage(oldestFirst, all, results);
      return { upstream: { listed: count }, added, done, problems };
    });
  }

  private async storedOf(
    session: Session,
    upstream: Upstream,
    listed: readonly ListedSale[],
  ): Promise<Stored> {
    const ids = listed.map(({ name }) => name);
    const affiliates = listed.flatMap(({ sale }) => affiliateIdIn(sale) ?? []);
    const sales = await this.ownSales(session, upstream, ids);
    const users = await this.usersSeen(session, upstream, affiliates);
    const products = listed.flatMap(({ sale }) => idIn(sale.product_id) ?? []);
    const known = await this.products.readProducts(session, new Set(products));
    return { sales, users, products: new Set(known.map(({ id }) => id)) };
  }

  /**
   * Reads the stored sales of this vendor. Sales of other vendors do not count as stored; they are
   * rejected when they are written.
   */
  private async ownSales(
    session: Session,
    { vendor_id }: Upstream,
    ids: readonly string[],
  ): Promise<Stored['sales']> {
    const stored = await this.transactions.stored(session, ids);
    const own = stored.filter(({ place }) => place.vendor_id === vendor_id);
    return new Map(own.map(({ content }) => [content.transaction_id, content]));
  }

  private async usersSeen(
    session: Session,
    { vendor_id }: Upstream,
    ids: readonly number[],
  ): Promise<Stored['users']> {
    const users = await this.users.usersSeenBy(vendor_id, [...new Set(ids)], session);
    return new Map(users.map((user) => [user.id, user]));
  }

  /**
   * Adds details to stored sales.
   * @returns keys of the subscriptions that these sales name and that are stored
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async storeDetails(turn: MirrorTurn, fetched: readonly FetchedDetail[]): Promise<Set<string>> {
    let known = new Set<string>();
    await turn.write(async (session, upstream) => {
      const ids = fetched.map(({ read }) => read.record_key);
      const sales = await this.ownSales(session, upstream, ids);
      const affiliates = Array.from(sales.values()).flatMap((sale) => sale.affiliate_id ?? []);
      const users = await this.usersSeen(session, upstream, affiliates);
      const words = wordsOf(upstream.words);
      // If a user or subscription cannot be stored, the sale and its details are stored without it.
      const before = fetched.flatMap((each) => {
        const sale = sales.get(each.read.record_key);
        return sale === undefined ? [] : linesOfDetail(sale, users, each, words);
      });
      const first = await this.writeLines(session, upstream, before);
      const pre_keys = fetched.flatMap(({ detail }) => preKeyOf(detail) ?? []);
      const { vendor_id } = upstream;
      known = new Set(await this.recurring.knownPreKeys(session, pre_keys, vendor_id));
      const details = fetched.flatMap(({ read, detail }) => {
        const sale = sales.get(read.record_key);
        if (sale === undefined) return [];
        return [{ subject: subjectOfRead(read), ...detailedLine(sale, detail, words, known) }];
      });
      const second = await this.writeLines(session, upstream, details);
      const checked = [...first.checked, ...second.checked];
      const problems = { checked, found: [...first.found, ...second.found] };
      return { done: fetched.flatMap(readsDoneBy), problems };
    });
    return known;
  }

  private async writeLines(session: Session, upstream: Upstream, lines: readonly SubjectLine[]) {
    const results = await this.records.apply(session, upstream, lines);
    const places = lines.map(({ subject }) => ({ subject }));
    return problemsOf(lines, results, places);
  }
}

/** Returns the lines for affiliates, and for products that the upstream's list of names lacked. */
function linesBefore(
  listed: readonly ListedSale[],
  { users, products }: Stored,
  { vendor_id }: Upstream,
): ConvertedLine[] {
  const before = new Map<string, ConvertedLine>();
  for (const { sale } of listed) {
    const affiliate_id = affiliateIdIn(sale);
    if (typeof affiliate_id === 'number') {
      const stored = users.get(affiliate_id);
      before.set(`user ${affiliate_id}`, listedUser(sale, affiliate_id, stored));
    }
    const product_id = idIn(sale.product_id);
    if (product_id === null || products.has(product_id)) continue;
    before.set(`product ${product_id}`, productLine(sale, vendor_id));
  }
  return [...before.values()];
}

interface WrittenLine {
  readonly line: WrittenRecord;
  readonly result: RecordResult;
  readonly stored: Stored;
  readonly newUsers: ReadonlySet<number>;
}

/**
 * Returns the records to read one by one after a sale was listed: its details if it changed, and
 * the subscription and affiliate terms that it names. A longer run always reads the latter; a full
 * run and a notification always read the details as well.
 */
function readsAfter(
  { name, sale_date }: ListedSale,
  { line, result: { verdict }, stored, newUsers }: WrittenLine,
  kind: ListedOptions['kind'],
): ReadKey[] {
  if (sale_date === null || verdict === 'rejected') return [];
  const [product_id, affiliate_id] = [idIn(line.product_id), idIn(line.affiliate_id)];
  const hasNewAffiliate = affiliate_id !== null && newUsers.has(affiliate_id);
  const isChanged = verdict === 'inserted' || verdict === 'updated';
  const reads: ReadKey[] = [];
  if (isChanged || hasNewAffiliate || kind === 'full' || kind === 'notified') {
    reads.push({ kind: 'detail', record_key: name, sale_date });
  }
  if (!isChanged && kind === 'recent') return reads;
  const pre_key = stored.sales.get(name)?.pre_key ?? null;
  if (pre_key !== null) reads.push({ kind: 'payment', record_key: pre_key, sale_date });
  if (affiliate_id !== null && product_id !== null) {
    const record_key = pairKey(affiliate_id, product_id);
    reads.push({ kind: 'relationship', record_key, sale_date });
  }
  return reads;
}

/**
 * Returns the problems of the sales of a page, and of the users and products that they name.
 * @param lines the lines of the users and products, and then those of the sales
 */
function problemsOfPage(
  listed: readonly ListedSale[],
  lines: readonly ConvertedLine[],
  results: readonly RecordResult[],
): ProblemChanges {
  const [newest = UNKNOWN_DAY] = listed.flatMap(({ sale_date }) => sale_date ?? []).toReversed();
  const before = results.slice(0, results.length - listed.length).map(({ type, key }) => {
    return { subject: `${type} ${key}`, day: dayOf(newest) };
  });
  const sales = listed.map(({ name, sale_date }) => {
    return { subject: `transaction ${name}`, day: dayOf(sale_date ?? UNKNOWN_DAY) };
  });
  return problemsOf(lines, results, [...before, ...sales]);
}

/** Returns the ids of users for whom the vendor saw another name before these lines. */
function newUsersIn(
  lines: readonly ConvertedLine[],
  results: readonly RecordResult[],
  { users }: Stored,
): ReadonlySet<number> {
  const accepted = lines.filter((_, index) => results[index]?.verdict !== 'rejected');
  const ids = accepted.flatMap(({ line: { type, id, name, display_name } }) => {
    const user = type === 'user' ? idIn(id) : null;
    if (user === null) return [];
    const seen = users.get(user);
    return seen?.name === name && seen?.display_name === display_name ? [] : [user];
  });
  return new Set(ids);
}

interface SubjectLine extends ConvertedLine {
  /** The record that the problems of the line name. */
  readonly subject: string;
}

/**
 * Returns the lines for the affiliate and the subscription of a sale, which its details refer to.
 */
function linesOfDetail(
  { affiliate_id }: TransactionRecord,
  users: Stored['users'],
  { read, detail, payment }: FetchedDetail,
  words: FieldWords,
): SubjectLine[] {
  const affiliate = users.get(affiliate_id ?? 0);
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
