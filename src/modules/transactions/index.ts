export {
  type IfSmall,
  SIZED,
  type SizedRow,
  areSmall,
  joinedIfSmall,
  rowsInPieces,
  smallOf,
} from './list/row-sizes.model.js';
export { type TransactionWalk, type WalkedTransactions } from './list/transaction-walk.model.js';
export { TransactionWalkService } from './list/transaction-walk.service.js';
export { TransactionsService } from './list/transactions.service.js';
export { type PersonAtVendor, type PersonSales } from './person-sales.model.js';
export { type Erasure, PersonSalesService } from './person-sales.service.js';
export {
  MAX_COUNTED,
  type SubscriptionPayment,
  type SubscriptionPayments,
} from './subscription-payments.model.js';
export { SubscriptionPaymentsService } from './subscription-payments.service.js';
export { TransactionsModule } from './transactions.module.js';
