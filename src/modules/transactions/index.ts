export { CountedRowsService } from './query/counted-rows.service.js';
export { FigureTotals } from './query/figure-totals.js';
export { type PageKeys, QueryKeysRepository } from './query/query-keys.repository.js';
export { QueryWalkService } from './query/query-walk.service.js';
export {
  countedIn,
  FILTER_NAMES,
  queryIn,
  TransactionFilters,
} from './query/transaction-filters.js';
export { type PageRequest, QueryPages } from './query/query-pages.js';
export {
  type DayRange,
  filterOf,
  MAX_IN_CURSOR,
  type QueryCursor,
  type QueryDate,
  type QueryPage,
  type TransactionFilter,
  type TransactionsQuery,
  type Viewer,
} from './query/query.model.js';
export {
  type TransactionWalk,
  TransactionWalkService,
  type WalkedTransactions,
} from './list/transaction-walk.service.js';
export {
  isNamed,
  type NameColumn,
  type NameSearch,
  nameSearches,
  type NamesOfSale,
  spelledRanges,
  type TextRange,
} from './name-search.js';
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
export { Status, statusText } from './status.view.js';
export { TransactionsModule } from './transactions.module.js';
