export { CANCEL_ACTIONS } from './cancel/recurring-cancel.service.js';
export type { ListedPayment, RecurringOverview } from './list/recurring-list.model.js';
export { RecurringListsService, UPCOMING_DAYS } from './list/recurring-lists.service.js';
export { isLate, PaymentBadge } from './list/subscription-parts.view.js';
export { PersonSubscriptionsService } from './person-subscriptions.service.js';
export { RecurringQueriesService } from './query/recurring-queries.service.js';
export {
  presentRecurringPayment,
  type RecurringPayment,
  subscriptionSubject,
} from './recurring-payment.model.js';
export { RecurringModule } from './recurring.module.js';
export { RecurringService } from './recurring.service.js';
