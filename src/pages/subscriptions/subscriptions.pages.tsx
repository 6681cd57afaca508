import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import { startOfDay } from '../../common/time.js';
import { endOf } from '../../ledger-format/recurring-status.js';
import { RecurringCancelService } from '../../modules/recurring/cancel/recurring-cancel.service.js';
import { formatRecurringCursor } from '../../modules/recurring/list/recurring-cursor.model.js';
import {
  RECURRING_LISTS,
  type DueOnDay,
  type ListedPayment,
  type RecurringList,
  type RecurringPage,
  type UpcomingPayments,
} from '../../modules/recurring/list/recurring-list.model.js';
import { RecurringListsService } from '../../modules/recurring/list/recurring-lists.service.js';
import { SubscriptionPaymentsService } from '../../modules/transactions/subscriptions/subscription-payments.service.js';
import { PasswordConfirmation } from '../resource/password-confirmation.js';
import { pageOf, redirectTo, type Page, type PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import { preKeyIn, subscriptionPath, subscriptionsPath } from '../paths.js';
import { Figure } from '../range/figures.view.js';
import { authorOf, type SignedInVisit } from '../session/visit.js';
import { Panel, Tabs } from '../ui/facts.view.js';
import { isolatedText } from '../ui/isolated-text.js';
import { Neighbours } from '../ui/page-links.view.js';
import { amounts, counts, numbers, Table, times, type Column } from '../ui/table.view.js';
import { countText, Money, numberText } from '../ui/values.view.js';
import {
  cancelPage,
  customerOf,
  paymentsText,
  StatusBadge,
  subscriptionPage,
} from './subscription.view.js';

/** A position after every payment, so that the newest ones are shown. */
const NEWEST = { sale_date: '9999-12-31 23:59:59', arrival: Number.MAX_SAFE_INTEGER };
const COMPLETED = 'This subscription is completed: there is nothing left to cancel.';

/** Serves the pages of a vendor's subscriptions. */
@Injectable()
export class SubscriptionPages implements Pages {
  constructor(
    private readonly lists: RecurringListsService,
    private readonly payments: SubscriptionPaymentsService,
    private readonly cancels: RecurringCancelService,
    private readonly passwords: PasswordConfirmation,
  ) {}

  addTo(routes: PageRoutes): void {
    const shown = { operation: 'page.subscription', record: preKeyIn } as const;
    routes.get('/subscriptions', (visit) => this.list(visit), { operation: 'page.subscriptions' });
    routes.get('/subscriptions/:preKey', (visit) => this.show(visit), shown);
    routes.get('/subscriptions/:preKey/cancel', (visit) => this.ask(visit), shown);
    routes.post('/subscriptions/:preKey/cancel', (visit) => this.cancel(visit), shown);
  }

  private async list(visit: SignedInVisit): Promise<PageAnswer> {
    const { id } = visit.user;
    const wanted = visit.query('list');
    const list = RECURRING_LISTS.find((each) => each === (wanted === '' ? 'active' : wanted));
    if (list === undefined) throw new ApiError('invalid_parameters', 'This list does not exist.');
    const cursor = visit.query('cursor');
    const isFirst = cursor === '';
    const [counts, page, upcoming] = await Promise.all([
      this.lists.counts(id),
      this.lists.page(id, list, isFirst ? null : cursor),
      list === 'active' && isFirst ? this.lists.upcoming(id) : null,
    ]);
    const reads = [{ records: page.payments.length }];
    return { ...subscriptionsPage({ list, counts, page, upcoming }), reads };
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const { id } = visit.user;
    const payment = await this.shownPayment(visit);
    const made = await this.payments.around(id, payment.pre_key, NEWEST);
    return subscriptionPage(payment, made, visit.query('done') === 'canceled');
  }

  private async ask(visit: SignedInVisit): Promise<PageAnswer> {
    const payment = await this.shownPayment(visit);
    if (endOf(payment.status) !== null) return redirectTo(subscriptionPath(payment.pre_key));
    return cancelPage(payment);
  }

  private shownPayment(visit: SignedInVisit): Promise<ListedPayment> {
    return this.lists.payment(visit.user.id, preKeyIn(visit));
  }

  /** Cancels a subscription like the PUT of API 2.0. */
  private async cancel(visit: SignedInVisit): Promise<PageAnswer> {
    const payment = await this.shownPayment(visit);
    const { pre_key } = payment;
    const prompt = await this.passwords.promptFor(visit, () => ({
      action: subscriptionPath(pre_key, '/cancel'),
      back: subscriptionPath(pre_key),
      isDangerous: true,
      sentence: `The subscription of ${isolatedText(customerOf(payment))} will be canceled.`,
      button: 'Cancel the subscription',
    }));
    if (prompt !== null) return prompt;
    try {
      if (!(await this.cancels.cancel(authorOf(visit), pre_key))) {
        return cancelPage(payment, COMPLETED);
      }
      return redirectTo(subscriptionPath(pre_key, '', { done: 'canceled' }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.failure !== 'request_failed') throw error;
      return cancelPage(payment, error.detail);
    }
  }
}

const NAMES: Readonly<Record<RecurringList, string>> = {
  active: 'Active',
  canceled: 'Canceled',
  completed: 'Completed',
  other: 'Other',
};
const ORDERS: Readonly<Record<RecurringList, string>> = {
  active: 'next payment first',
  canceled: 'newest first',
  completed: 'newest first',
  other: 'newest first',
};

interface ShownSubscriptions {
  readonly list: RecurringList;
  readonly counts: Readonly<Record<RecurringList, number>>;
  readonly page: RecurringPage;
  /** Null except on the first page of active subscriptions. */
  readonly upcoming: UpcomingPayments | null;
}

function subscriptionsPage({ list, counts, page, upcoming }: ShownSubscriptions): Page {
  const { payments, previous, next } = page;
  const name = `${NAMES[list]} subscriptions`;
  return pageOf(
    { title: 'Subscriptions', isWide: true },
    <>
      <p>Recurring payments that customers agreed to.</p>
      <Lists list={list} counts={counts} />
      {upcoming !== null && <Upcoming upcoming={upcoming} />}
      <h2>
        {name}, {ORDERS[list]}
      </h2>
      {payments.length === 0 ? (
        <p class="empty">None.</p>
      ) : (
        <Table isWide label={name} columns={columnsOf(list)} rows={payments} />
      )}
      <Neighbours
        previous={{ words: 'Previous page', href: previous && subscriptionsPath(list, previous) }}
        next={{ words: 'Next page', href: next && subscriptionsPath(list, next) }}
      />
    </>,
  );
}

function Lists({ list, counts }: Pick<ShownSubscriptions, 'list' | 'counts'>) {
  const shown = RECURRING_LISTS.filter((each) => isShown(each, list, counts[each]));
  return (
    <Tabs
      label="Status"
      tabs={shown.map((each) => [each, `${NAMES[each]} (${numberText(counts[each])})`])}
      current={list}
      to={subscriptionsPath}
    />
  );
}

/**
 * Hides the list of other statuses if it is empty, because few vendors have subscriptions with
 * another status.
 */
function isShown(each: RecurringList, list: RecurringList, count: number): boolean {
  return each !== 'other' || each === list || count > 0;
}

function columnsOf(list: RecurringList): Column<ListedPayment>[] {
  return [
    {
      name: 'Customer',
      cell: (payment) => <a href={subscriptionPath(payment.pre_key)}>{customerOf(payment)}</a>,
    },
    { name: 'Product', cell: ({ product_name }) => product_name },
    amounts('Price', ({ price }) => price),
    numbers('Payments made', paymentsText),
    list === 'active'
      ? times('Next payment', ({ next_date }) => next_date)
      : times('Last payment', ({ last_date }) => last_date),
    times('Since', ({ created }) => created),
    { name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  ];
}

/** Shows the payments of active subscriptions that are due in the next 30 days. */
function Upcoming({ upcoming: { days, total, overdue } }: { readonly upcoming: UpcomingPayments }) {
  return (
    <Panel id="upcoming-title" title="Next payments, 30 days from today">
      <dl class="figures" aria-label="Payments that are due">
        <Figure name="Due in 30 days" note={countText(total.agreements, 'payment')}>
          <Money cents={total.amount} />
        </Figure>
        {overdue.agreements > 0 && (
          <Figure name="Overdue" note={`${countText(overdue.agreements, 'payment')} before today`}>
            <Money cents={overdue.amount} />
          </Figure>
        )}
      </dl>
      <p>At the price of a regular payment. Payments after the next one are not included.</p>
      {days.length > 0 && (
        <details>
          <summary>By day</summary>
          <Table label="Next payments by day" columns={DAY_COLUMNS} rows={days} />
        </details>
      )}
    </Panel>
  );
}

const DAY_COLUMNS: readonly Column<DueOnDay>[] = [
  { name: 'Day', cell: ({ day }) => <a href={pathFrom(day)}>{day}</a> },
  counts('Payments', ({ agreements }) => agreements),
  amounts('Total', ({ amount }) => amount),
];

/** Returns the path of the list of active subscriptions from this day. */
function pathFrom(day: string): string {
  const cursor = { direction: 'after', at: startOfDay(day), pre_key: '' } as const;
  return subscriptionsPath('active', formatRecurringCursor(cursor));
}
