import { Injectable } from '@nestjs/common';
import type { QueryMeta } from '../../../api/envelope/envelope.js';
import { ChangesFeedService } from '../../../ledger/changes/changes-feed.service.js';
import {
  nextOf,
  searchMeta,
  searchPage,
  type KeySearch,
} from '../../../ledger/reads/key-search.js';
import { noCursor, placeInQuery, type QueryIdentity } from '../../../ledger/reads/query-cursor.js';
import { recurringStatusOf } from '../../../ledger/records/recurring-status.js';
import type { Reader } from '../../../platform/database/database.js';
import { comesAfter, lowerCase } from '../../../platform/database/entities/spellings.js';
import { dayOf } from '../../../platform/values/time.js';
import { CancelTimesService } from '../cancel/cancel-times.service.js';
import { SubscriptionNamesService } from '../names/subscription-names.service.js';
import type { RecurringPayment } from '../recurring-payment.model.js';
import { RecurringService } from '../recurring.service.js';
import {
  type RecurringCounts,
  RecurringQueriesRepository,
  type RecurringKey,
} from './recurring-queries.repository.js';

/** Conditions on subscriptions; null for none. */
export interface RecurringFilter {
  /** Status words, in any letter case. */
  readonly statuses: readonly string[] | null;
  readonly product_ids: readonly number[] | null;
  /** E-mail address at the payment processor, of the contact or of the sender, in any letter case. */
  readonly email: string | null;
  /** Beginning of the customer's first or last name, in any letter case. */
  readonly name: string | null;
  /** Days in UTC; the next payment of an active subscription is before or after the whole day. */
  readonly due_before: string | null;
  readonly due_after: string | null;
}

/** A subscription that a query has found. */
export interface FoundPayment extends RecurringPayment {
  /** Time in UTC when this service canceled it; null if it did not. */
  readonly canceled_on: string | null;
}

/** Requests one page of a vendor's subscriptions. */
export interface RecurringQuery {
  readonly vendor_id: number;
  readonly filter: RecurringFilter;
  readonly limit: number;
  /** Cursor of the page; null for the first one. */
  readonly after: string | null;
  readonly isMasked: boolean;
}

/** Finds subscriptions of a vendor, in the order of their keys (docs/queries.md). */
@Injectable()
export class RecurringQueriesService {
  constructor(
    private readonly feed: ChangesFeedService,
    private readonly repository: RecurringQueriesRepository,
    private readonly recurring: RecurringService,
    private readonly cancels: CancelTimesService,
    private readonly names: SubscriptionNamesService,
  ) {}

  /**
   * Returns one page, with everything that was committed before the call.
   * @throws ApiError invalid_parameters if the cursor is not one of this query
   */
  page(asked: RecurringQuery): Promise<{ payments: readonly FoundPayment[]; meta: QueryMeta }> {
    const { email } = asked.filter;
    const query = {
      ...asked,
      filter: { ...asked.filter, email: email === null ? null : lowerCase(email) },
    };
    const identity = identityOf(query);
    const after = query.after === null ? null : keyAt(identity, query.after);
    return this.feed.readCurrent(query.vendor_id, async (reader, cursor) => {
      const search = await this.searchOf(reader, query);
      const page = await searchPage(search, after, query.limit);
      const record_keys = page.keys.map(({ pre_key }) => pre_key);
      return {
        payments: await this.paymentsOf(reader, query, record_keys),
        meta: searchMeta(identity, page, ({ pre_key }) => [pre_key], cursor),
      };
    });
  }

  /**
   * Returns how many subscriptions have each of these e-mail addresses, which are in the form in
   * which they are compared. Addresses without any are left out.
   */
  countsOf(
    reader: Reader,
    vendor_id: number,
    emails: readonly string[],
  ): Promise<ReadonlyMap<string, RecurringCounts>> {
    return this.repository.counts(reader, vendor_id, emails);
  }

  /** A name that very many sales have is compared with those of all subscriptions instead. */
  private async searchOf(
    reader: Reader,
    { vendor_id, filter }: RecurringQuery,
  ): Promise<KeySearch<RecurringKey>> {
    const { email, name: text, ...others } = filter;
    const hasOthers = Object.values(others).some((value) => value !== null);
    const search = {
      next: (after: RecurringKey | null, take: number) =>
        this.repository.keysAfter(reader, vendor_id, email, after?.pre_key ?? '', take),
      matches: hasOthers ? matches(filter) : null,
    };
    if (text === null) return search;
    const wanted = { reader, vendor_id, text };
    const named = email === null ? await this.names.find(wanted) : null;
    if (named === null) return this.names.narrowed(search, wanted);
    return { next: nextIn(named), matches: search.matches };
  }

  private async paymentsOf(
    reader: Reader,
    { vendor_id, isMasked }: RecurringQuery,
    record_keys: readonly string[],
  ): Promise<FoundPayment[]> {
    if (record_keys.length === 0) return [];
    const criteria = { reader, vendor_id, record_keys, isMasked };
    const found = await this.recurring.shownPaymentsOf(criteria);
    const canceled = await this.cancels.of(vendor_id, found, reader);
    const byKey = new Map(found.map((payment) => [payment.pre_key, payment]));
    return record_keys.flatMap((pre_key) => {
      const payment = byKey.get(pre_key);
      const canceled_on = canceled.get(pre_key) ?? null;
      return payment === undefined ? [] : [{ ...payment, canceled_on }];
    });
  }
}

/** Returns what reads these subscriptions in the order of their keys. */
function nextIn(found: readonly RecurringKey[]): KeySearch<RecurringKey>['next'] {
  const isBehind = (key: RecurringKey, other: RecurringKey) =>
    comesAfter(key.pre_key, other.pre_key);
  return nextOf(
    found.toSorted((one, other) => (isBehind(one, other) ? 1 : -1)),
    isBehind,
  );
}

function matches({ statuses, product_ids, due_before, due_after }: RecurringFilter) {
  const words = statuses?.map(comparable);
  return ({ status, status_word, product_id, next_date }: RecurringKey): boolean => {
    if (words?.includes(comparable(status_word ?? status)) === false) return false;
    if (product_ids?.includes(product_id) === false) return false;
    if (due_before === null && due_after === null) return true;
    if (recurringStatusOf(status) !== 'ACTIVE' || next_date === null) return false;
    const day = dayOf(next_date);
    return (due_before === null || day < due_before) && (due_after === null || day > due_after);
  };
}

function comparable(word: string): string {
  return word.trim().toUpperCase();
}

/** Without a name, cursors are those of versions that had no such filter: no cursor ever expires. */
function identityOf({ vendor_id, filter }: RecurringQuery): QueryIdentity {
  const { name, ...others } = filter;
  const parameters = name === null ? others : { ...others, name };
  return { vendor_id, operation: 'recurring_payments', parameters };
}

/** @throws ApiError invalid_parameters if the text is not a cursor of this query */
function keyAt(identity: QueryIdentity, text: string): RecurringKey {
  const [pre_key] = placeInQuery(identity, text);
  if (typeof pre_key !== 'string') throw noCursor();
  return { pre_key, status: 'OTHER', status_word: null, product_id: 0, next_date: null };
}
