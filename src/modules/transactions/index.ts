export {
  type TransactionWalk,
  TransactionWalkService,
  type WalkedTransactions,
} from './list/transaction-walk.service.js';
export { TransactionsRepository } from './list/transactions.repository.js';
export type { PersonSales } from './person-sales.repository.js';
export {
  type Erasure,
  type PersonAtVendor,
  PersonSalesService,
  type PersonUntil,
} from './person-sales.service.js';
export type { SubscriptionPayment } from './subscription-payments.repository.js';
export {
  MAX_COUNTED,
  type SubscriptionPayments,
  SubscriptionPaymentsService,
} from './subscription-payments.service.js';
export { TransactionsModule } from './transactions.module.js';
