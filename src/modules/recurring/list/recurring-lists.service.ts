import { Injectable } from '@nestjs/common';
import { endOf as hasEnded } from '../../../ledger/records/recurring-status.js';
import { Database, type Reader } from '../../../platform/database/database.js';
import { endOf } from '../../../platform/database/entities/spellings.js';
import { recordOf } from '../../../platform/values/record-of.js';
import { daysAfter, startOfDay, todayInUtc } from '../../../platform/values/time.js';
import { ProductsService } from '../../products/index.js';
import type { RecurringPayment } from '../recurring-payment.model.js';
import { PersonSubscriptionsService } from '../person-subscriptions.service.js';
import { RecurringRepository } from '../recurring.repository.js';
import { RecurringService } from '../recurring.service.js';
import { NarrowedListsService } from './narrowed-lists.service.js';
import {
  EARLIEST,
  MAX_NEW,
  parseRecurringCursor,
  recurringPageOf,
  RECURRING_LISTS,
  STATUS_OF_LIST,
  type Due,
  type DueSelection,
  type DueTimes,
  type ListedPayment,
  type RecurringList,
  type RecurringListFilter,
  type RecurringOverview,
  type RecurringPage,
  type UpcomingPayments,
} from './recurring-list.model.js';
import { RecurringListsRepository } from './recurring-lists.repository.js';

const PAGE_SIZE = 50;
/** Maximum number of subscriptions of a product that are counted. */
const MAX_COUNTED = 10_000;
const NO_FILTER: RecurringListFilter = { product_id: null, customer: null };
/** A time after the creation of all subscriptions. */
const LATEST = '9999-12-31 23:59:59';
/** Number of days of upcoming payments, today included. */
export const UPCOMING_DAYS = 30;

/** Lists the subscriptions of a vendor by status. */
@Injectable()
export class RecurringListsService {
  constructor(
    private readonly repository: RecurringListsRepository,
    private readonly recurring: RecurringService,
    private readonly products: ProductsService,
    private readonly narrowed: NarrowedListsService,
    private readonly records: RecurringRepository,
    private readonly people: PersonSubscriptionsService,
    private readonly database: Database,
  ) {}

  /**
   * Returns one page of 50 subscriptions. Active ones are sorted by their next payment, soonest
   * first, and those without a date come last. The others are sorted newest first.
   * @param cursor a cursor of another page, or null for the first page
   * @param due selects some of the active ones; null for all
   * @param filter narrows the list; the pages of a customer lead forwards only
   * @throws ApiError invalid_parameters if the text is not a cursor
   */
  async page(
    vendor_id: number,
    list: RecurringList,
    cursor: string | null,
    due: DueSelection | null = null,
    filter: RecurringListFilter = NO_FILTER,
  ): Promise<RecurringPage> {
    const from = cursor === null ? null : parseRecurringCursor(cursor);
    const { product_id, customer } = filter;
    const page = { list, cursor: from, due: due === null ? null : timesOf(due), product_id };
    if (customer !== null) {
      const { payments, ...found } = await this.narrowed.page(vendor_id, page, customer, PAGE_SIZE);
      return { ...found, payments: await this.named(payments), previous: null };
    }
    const [found, total_count] = await Promise.all([
      this.repository.page(vendor_id, page, PAGE_SIZE + 1),
      product_id === null ? null : this.repository.count(vendor_id, page, MAX_COUNTED),
    ]);
    const positionOf = ({ pre_key, next_date, created }: RecurringPayment) => ({
      pre_key,
      at: list === 'active' ? next_date : created,
    });
    const { rows, ...cursors } = recurringPageOf(found, positionOf, from, PAGE_SIZE);
    return { payments: await this.named(rows), ...cursors, total_count };
  }

  /** Returns the number of subscriptions in each list. */
  async counts(
    vendor_id: number,
    reader?: Reader,
  ): Promise<Readonly<Record<RecurringList, number>>> {
    const counts = await this.repository.counts(vendor_id, reader);
    return recordOf(RECURRING_LISTS, (list) => counts.get(STATUS_OF_LIST[list]) ?? 0);
  }

  /** @param reader reads one state of the ledger; by default the newest data is read */
  async overview(vendor_id: number, reader?: Reader): Promise<RecurringOverview> {
    const first = startOfDay(daysAfter(todayInUtc(), 1 - UPCOMING_DAYS));
    const [upcoming, counts, created] = await Promise.all([
      this.upcoming(vendor_id, reader),
      this.counts(vendor_id, reader),
      this.repository.createdSince(vendor_id, first, MAX_NEW, reader),
    ]);
    return { upcoming, counts, created };
  }

  /** Counts the payments whose date lies before today. */
  overdue(vendor_id: number, reader?: Reader): Promise<Due> {
    return this.repository.dueBefore(vendor_id, todayInUtc(), reader);
  }

  /**
   * Returns the payments that are due today and on the following 29 days, and the overdue ones.
   */
  private async upcoming(vendor_id: number, reader?: Reader): Promise<UpcomingPayments> {
    const today = todayInUtc();
    const last = daysAfter(today, UPCOMING_DAYS - 1);
    const [days, overdue] = await Promise.all([
      this.repository.dueBetween(vendor_id, today, last, reader),
      this.overdue(vendor_id, reader),
    ]);
    const total = { agreements: 0, amount: 0n };
    for (const { agreements, amount } of days) {
      total.agreements += agreements;
      total.amount += amount;
    }
    return { days, total, overdue };
  }

  /**
   * Returns one subscription of the vendor.
   * @throws ApiError not_found if it does not exist or belongs to another vendor
   */
  async payment(vendor_id: number, pre_key: string): Promise<ListedPayment> {
    const payment = await this.recurring.paymentOf(vendor_id, pre_key);
    const [named] = await this.named([payment]);
    return named ?? { ...payment, product_name: '' };
  }

  /** Returns the vendor's subscriptions whose keys begin with a text, in the order of the keys. */
  async beginningWith(vendor_id: number, text: string, take: number): Promise<ListedPayment[]> {
    return this.named(await this.records.paymentsFrom(vendor_id, text, endOf(text), take));
  }

  /** Returns the subscriptions with a customer's e-mail address, those that go on first. */
  async ofCustomer(vendor_id: number, email: string, take: number): Promise<ListedPayment[]> {
    const person = { vendor_id, email, until: LATEST };
    const keys = await this.people.keysUntil(this.database, person, take);
    const found = await this.records.paymentsByKeys(this.database, keys);
    const payments = found.toSorted(
      (one, other) =>
        Number(hasEnded(one.status) !== null) - Number(hasEnded(other.status) !== null) ||
        (one.created < other.created ? 1 : -1),
    );
    return this.named(payments);
  }

  private async named(payments: readonly RecurringPayment[]): Promise<ListedPayment[]> {
    const ids = new Set(payments.map(({ product_id }) => product_id));
    const products = await this.products.productsByIds(ids);
    const names = new Map(products.map(({ id, name }) => [id, name]));
    return payments.map((payment) => ({
      ...payment,
      product_name: names.get(payment.product_id) ?? '',
    }));
  }
}

function timesOf(due: DueSelection): DueTimes {
  if (due === 'late') return { from: EARLIEST, until: startOfDay(todayInUtc()) };
  return { from: startOfDay(due.day), until: startOfDay(daysAfter(due.day, 1)) };
}
