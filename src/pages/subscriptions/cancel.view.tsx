import type { ListedPayment } from '../../modules/recurring/list/recurring-list.model.js';
import type { Page } from '../http/page-answer.js';
import { Money } from '../reports/figures.view.js';
import type { SignedInVisit } from '../session/visit.js';
import { Problem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';
import { cancelPath, subscriptionPath } from './subscription-paths.js';
import { customerOf, paymentsText } from './subscriptions.view.js';

/**
 * Explains the effects of a cancellation before it is sent.
 * @param problem reason why a cancellation failed, if it was tried
 */
export function cancelPage(
  visit: SignedInVisit,
  payment: ListedPayment,
  problem: string | null = null,
): Page {
  return {
    kind: 'page',
    title: 'Cancel a subscription',
    failure: problem === null ? undefined : 'request_failed',
    view: (
      <div class="narrow card">
        <h1>Cancel this subscription?</h1>
        <Problem>{problem}</Problem>
        <dl class="facts">
          <dt>Customer</dt>
          <dd>{customerOf(payment)}</dd>
          <dt>Product</dt>
          <dd>{payment.product_name}</dd>
          <dt>Price</dt>
          <dd>
            <Money cents={payment.price} />
          </dd>
          <dt>Payments made</dt>
          <dd>{paymentsText(payment)}</dd>
        </dl>
        <ul>
          <li>The customer is not charged again.</li>
          <li>What was paid stays paid. Nothing is refunded.</li>
          <li>This cannot be undone: only the customer can subscribe again.</li>
        </ul>
        <Form visit={visit} action={cancelPath(payment.pre_key)}>
          <button class="danger">Cancel the subscription</button>
        </Form>
        <p>
          <a href={subscriptionPath(payment.pre_key)}>Keep it</a>
        </p>
      </div>
    ),
  };
}
