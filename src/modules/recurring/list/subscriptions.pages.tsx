import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { endOf } from '../../../ledger/records/recurring-status.js';
import { redirectTo, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { PasswordConfirmation } from '../../../platform/pages/password-confirmation.js';
import {
  isDotSegment,
  ownPath,
  subscriptionPath,
  SUBSCRIPTIONS_PATH,
} from '../../../platform/pages/paths.js';
import { isolatedText } from '../../../platform/pages/ui/isolated-text.js';
import { authorOf, oneOf, type SignedInVisit, type Visit } from '../../../platform/pages/visit.js';
import { ApiApplicationsService } from '../../accounts/index.js';
import { ActivityService } from '../../audit/index.js';
import { ProductsService } from '../../products/index.js';
import { SubscriptionPaymentsService } from '../../transactions/index.js';
import { subscriptionSubject } from '../recurring-payment.model.js';
import { CancelTimesService } from '../cancel/cancel-times.service.js';
import { RecurringCancelService } from '../cancel/recurring-cancel.service.js';
import {
  parseDueSelection,
  RECURRING_LISTS,
  type ListedPayment,
  type RecurringListFilter,
} from './recurring-list.model.js';
import { RecurringListsService } from './recurring-lists.service.js';
import { customerOf } from './subscription-parts.view.js';
import { cancelPage, subscriptionPage } from './subscription.view.js';
import { subscriptionsPage } from './subscriptions.view.js';

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
    private readonly products: ProductsService,
    private readonly activity: ActivityService,
    private readonly applications: ApiApplicationsService,
    private readonly cancelTimes: CancelTimesService,
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
    const list = oneOf(RECURRING_LISTS, visit.query('list') || 'active');
    if (list === null) throw new ApiError('invalid_parameters', 'This list does not exist.');
    const cursor = visit.query('cursor');
    const asked = list === 'active' ? visit.query('due') : '';
    const due = asked === '' ? null : parseDueSelection(asked);
    const filter = filterIn(visit);
    const isPlain = cursor === '' && Object.values({ due, ...filter }).every((one) => one === null);
    const overview = list === 'active' && isPlain ? this.lists.overview(id) : null;
    const [page, products, shownOverview, counts, overdue] = await Promise.all([
      this.lists.page(id, list, cursor === '' ? null : cursor, due, filter),
      this.products.productsOf(id),
      overview,
      overview?.then((read) => read.counts) ?? this.lists.counts(id),
      overview?.then((read) => read.upcoming.overdue) ?? this.lists.overdue(id),
    ]);
    const keys = page.payments.map(({ pre_key }) => pre_key);
    const listed = {
      shown: { list, due, ...filter },
      cursor: cursor || undefined,
      counts,
      late: overdue.agreements,
      page,
      names: await this.payments.namesOf(id, keys),
      products,
      overview: shownOverview,
    };
    return { ...subscriptionsPage(listed), reads: [{ records: page.payments.length }] };
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const payment = await this.shownPayment(visit);
    const { id } = visit.user;
    const [made, history, canceled] = await Promise.all([
      this.payments.around(id, payment.pre_key, NEWEST),
      this.activity.historyOf(id, subscriptionSubject(payment), this.applications),
      this.cancelTimes.of(id, [payment]),
    ]);
    return subscriptionPage(payment, made, {
      back: ownPath(visit.query('back'), SUBSCRIPTIONS_PATH),
      history,
      canceled_on: canceled.get(payment.pre_key) ?? null,
      isCanceled: visit.query('done') === 'canceled',
    });
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
      const isCanceled = await this.cancels.cancel(authorOf(visit), pre_key);
      if (!isCanceled) return cancelPage(payment, COMPLETED);
      return redirectTo(subscriptionPath(pre_key, '', { done: 'canceled' }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.failure !== 'request_failed') throw error;
      return cancelPage(payment, error.detail);
    }
  }
}

/** Returns the subscription's key in the address of a page. */
function preKeyIn(visit: Visit): string {
  const key = visit.query('key');
  return isDotSegment(key) ? key : visit.textInPath('preKey');
}

/**
 * Reads the filter in the address of the list.
 * @throws ApiError invalid_parameters if the product is not an id
 */
function filterIn(visit: Visit): RecurringListFilter {
  const product = visit.query('product').trim();
  // Addresses of the previous version name the customer `email`.
  const customer = visit.query('customer').trim() || visit.query('email').trim();
  if (product !== '' && !/^\d{1,15}$/.test(product)) {
    throw new ApiError('invalid_parameters', 'A product is an id, such as 101.');
  }
  return {
    product_id: product === '' ? null : Number(product),
    customer: customer === '' ? null : customer,
  };
}
