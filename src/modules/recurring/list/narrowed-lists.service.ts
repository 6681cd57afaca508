import { Injectable } from '@nestjs/common';
import {
  nextOf,
  searchPage,
  type KeyPage,
  type KeySearch,
} from '../../../ledger/reads/key-search.js';
import { comesAfter, lowerCase } from '../../../platform/database/entities/spellings.js';
import { Database } from '../../../platform/database/database.js';
import { SubscriptionNamesService } from '../names/subscription-names.service.js';
import type { RecurringPayment } from '../recurring-payment.model.js';
import { RecurringService } from '../recurring.service.js';
import {
  formatRecurringCursor,
  STATUS_OF_LIST,
  type ListPage,
  type RecurringCursor,
  type RecurringList,
} from './recurring-list.model.js';
import { RecurringListsRepository, type ListedKey } from './recurring-lists.repository.js';

/** Maximum number of subscriptions with one e-mail address that a list shows. */
const MAX_OF_EMAIL = 10_000;

/** Contains a page of a narrowed list, and the cursor of the next page. */
export interface NarrowedPage extends Omit<KeyPage<ListedKey>, 'keys' | 'next'> {
  readonly payments: readonly RecurringPayment[];
  readonly next: string | null;
}

/**
 * Narrows the lists of subscriptions to a customer. No index serves a name of very many customers, so
 * that a page of many other subscriptions ends early and says so.
 */
@Injectable()
export class NarrowedListsService {
  constructor(
    private readonly database: Database,
    private readonly repository: RecurringListsRepository,
    private readonly recurring: RecurringService,
    private readonly names: SubscriptionNamesService,
  ) {}

  /**
   * Returns one page of a list, in its order. Pages lead forwards only.
   * @param customer e-mail address or beginning of a name
   */
  async page(
    vendor_id: number,
    page: ListPage,
    customer: string,
    size: number,
  ): Promise<NarrowedPage> {
    const search = await this.searchOf(vendor_id, page, customer);
    const after = page.cursor === null ? null : keyAt(page.cursor);
    const { keys, next, ...found } = await searchPage(search, after, size);
    const record_keys = keys.map(({ pre_key }) => pre_key);
    return {
      ...found,
      payments: await this.paymentsOf(vendor_id, record_keys),
      next: next && formatRecurringCursor(positionOf(page.list, next)),
    };
  }

  private async searchOf(
    vendor_id: number,
    page: ListPage,
    customer: string,
  ): Promise<KeySearch<ListedKey>> {
    const next = (after: ListedKey | null, take: number) => {
      const cursor = after && positionOf(page.list, after);
      return this.repository.keys(vendor_id, { ...page, cursor }, take);
    };
    const email = lowerCase(customer);
    const ofEmail = await this.repository.keysOfEmail(vendor_id, page.list, email, MAX_OF_EMAIL);
    const wanted = { reader: this.database, vendor_id, text: customer };
    const named = customer.includes('@') ? [] : await this.names.find(wanted);
    if (named !== null) {
      return { next: nextIn(page, [...ofEmail, ...named]), matches: null };
    }
    const pre_keys = ofEmail.map(({ pre_key }) => pre_key);
    return this.names.narrowed({ next, matches: null }, wanted, pre_keys);
  }

  private async paymentsOf(
    vendor_id: number,
    record_keys: readonly string[],
  ): Promise<RecurringPayment[]> {
    if (record_keys.length === 0) return [];
    const criteria = { reader: this.database, vendor_id, record_keys, isMasked: false };
    const found = await this.recurring.shownPaymentsOf(criteria);
    const byKey = new Map(found.map((payment) => [payment.pre_key, payment]));
    return record_keys.flatMap((pre_key) => byKey.get(pre_key) ?? []);
  }
}

/** Returns what reads these subscriptions in the order of a list; those that it lacks are left out. */
function nextIn(page: ListPage, found: readonly ListedKey[]): KeySearch<ListedKey>['next'] {
  const byKey = new Map(found.map((key) => [key.pre_key, key]));
  return nextOf(listedIn(page, [...byKey.values()]), (key, other) =>
    isBehind(page.list, key, other),
  );
}

/** Returns those of these subscriptions that a list has, in its order. */
function listedIn(
  { list, due, product_id }: ListPage,
  keys: readonly ListedKey[],
): readonly ListedKey[] {
  const isOfProduct = (key: ListedKey) => product_id === null || key.product_id === product_id;
  const isDue = ({ next_date }: ListedKey) =>
    due === null || (next_date !== null && next_date >= due.from && next_date < due.until);
  return keys
    .filter((key) => key.status === STATUS_OF_LIST[list] && isOfProduct(key) && isDue(key))
    .sort((left, right) => (isBehind(list, left, right) ? 1 : -1));
}

/** Returns whether a subscription follows another one in a list. */
function isBehind(list: RecurringList, key: ListedKey, other: ListedKey): boolean {
  if (list !== 'active') {
    if (key.created !== other.created) return key.created < other.created;
    return comesAfter(other.pre_key, key.pre_key);
  }
  if (key.next_date === other.next_date) return comesAfter(key.pre_key, other.pre_key);
  if (key.next_date === null || other.next_date === null) return key.next_date === null;
  return key.next_date > other.next_date;
}

function positionOf(
  list: RecurringList,
  { pre_key, next_date, created }: ListedKey,
): RecurringCursor {
  return { direction: 'after', pre_key, at: list === 'active' ? next_date : created };
}

function keyAt({ pre_key, at }: RecurringCursor): ListedKey {
  return { pre_key, next_date: at, created: at ?? '', status: 'OTHER', product_id: 0 };
}
