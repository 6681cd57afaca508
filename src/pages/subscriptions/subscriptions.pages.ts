import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import { endOf } from '../../ledger-format/recurring-status.js';
import { NO_APPLICATION } from '../../modules/audit/audit.model.js';
import { RecurringCancelService } from '../../modules/recurring/cancel/recurring-cancel.service.js';
import {
  RECURRING_LISTS,
  type ListedPayment,
} from '../../modules/recurring/list/recurring-list.model.js';
import { RecurringListsService } from '../../modules/recurring/list/recurring-lists.service.js';
import { AgreementPaymentsService } from '../../modules/transactions/agreements/agreement-payments.service.js';
import { PasswordConfirmation } from '../confirm/password-confirmation.js';
import { redirectTo, type PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import type { SignedInVisit } from '../session/visit.js';
import { isolatedText } from '../ui/isolated-text.js';
import { cancelPage } from './cancel.view.js';
import { canceledPath, cancelPath, preKeyIn, subscriptionPath } from './subscription-paths.js';
import { subscriptionPage } from './subscription.view.js';
import { customerOf, subscriptionsPage } from './subscriptions.view.js';

/** A position after every payment, so that the newest ones are shown. */
const NEWEST = { sale_date: '9999-12-31 23:59:59', arrival: Number.MAX_SAFE_INTEGER };
const COMPLETED = 'This subscription is completed: there is nothing left to cancel.';

/** Serves the pages of a vendor's subscriptions. */
@Injectable()
export class SubscriptionPages implements Pages {
  constructor(
    private readonly lists: RecurringListsService,
    private readonly payments: AgreementPaymentsService,
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
    return subscriptionPage(payment, made, visit.query('done'));
  }

  private async ask(visit: SignedInVisit): Promise<PageAnswer> {
    const payment = await this.shownPayment(visit);
    if (endOf(payment.status) !== null) return redirectTo(subscriptionPath(payment.pre_key));
    return cancelPage(visit, payment);
  }

  private shownPayment(visit: SignedInVisit): Promise<ListedPayment> {
    return this.lists.payment(visit.user.id, preKeyIn(visit));
  }

  /** Cancels a subscription like the PUT of API 2.0. */
  private async cancel(visit: SignedInVisit): Promise<PageAnswer> {
    const { id: user_id } = visit.user;
    const payment = await this.shownPayment(visit);
    const { pre_key } = payment;
    const prompt = await this.passwords.promptFor(visit, () =>
      Promise.resolve({
        action: cancelPath(pre_key),
        back: subscriptionPath(pre_key),
        isDangerous: true,
        sentence: `The subscription of ${isolatedText(customerOf(payment))} will be canceled.`,
        button: 'Cancel the subscription',
      }),
    );
    if (prompt !== null) return prompt;
    try {
      const by = { user_id, application_id: NO_APPLICATION };
      const isCanceled = await this.cancels.cancel(by, pre_key);
      return isCanceled ? redirectTo(canceledPath(pre_key)) : cancelPage(visit, payment, COMPLETED);
    } catch (error) {
      if (!(error instanceof ApiError) || error.failure !== 'request_failed') throw error;
      return cancelPage(visit, payment, error.detail);
    }
  }
}
