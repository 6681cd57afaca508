/**
 * Compares types, and runs nothing. The type check fails if a presenter's result differs from the
 * OpenAPI document: by a field, a null or a word of a status.
 */
import type { components as V2_0 } from '../../openapi/v2.0.js';
import type { components as V2_1 } from '../../openapi/v2.1.js';
import type { components as V3_0 } from '../../openapi/v3.0.js';
import type { presentAffiliation as presentAffiliation2_0 } from '../../src/modules/affiliates/http/relationships.v2.0.controller.js';
import type { presentStatistics } from '../../src/modules/affiliates/http/statistics.v2.1.controller.js';
import type { presentAffiliation as presentAffiliation2_1 } from '../../src/modules/affiliates/http/relationships.v2.1.controller.js';
import type { presentProductName } from '../../src/modules/products/products.v2.1.controller.js';
import type { presentRecurringPayment } from '../../src/modules/recurring/recurring-payment.model.js';
import type {
  presentAffiliateTransaction,
  presentLatestTransaction,
  presentSummary,
} from '../../src/modules/transactions/http/transactions.v2.0.controller.js';
import type { presentTransactionDetail } from '../../src/modules/transactions/http/transaction-details.v2.1.controller.js';
import type { presentTransaction } from '../../src/ledger/reads/rendered-transaction.model.js';
import type { PagedMeta } from '../../src/api/validation/paging.js';

/** True if each type can replace the other. */
type Same<Left, Right> = [Left, Right] extends [Right, Left] ? true : false;
export type Demand<T extends true> = T;
export type Presented<Present extends (...parts: never[]) => unknown, Promised> = Same<
  ReturnType<Present>,
  Promised
>;

export type Answers3_0 = [
  Demand<Presented<typeof presentTransaction, V3_0['schemas']['transaction']>>,
  Demand<Same<PagedMeta, Pick<V3_0['schemas']['page'], keyof PagedMeta>>>,
];
export type Answers2_1 = [
  Demand<Presented<typeof presentAffiliation2_1, V2_1['schemas']['affiliation']>>,
  Demand<Presented<typeof presentStatistics, V2_1['schemas']['statistics']>>,
  Demand<Presented<typeof presentProductName, V2_1['schemas']['productName']>>,
  Demand<Presented<typeof presentTransactionDetail, V2_1['schemas']['transactionDetail']>>,
];
export type Answers2_0 = [
  Demand<Presented<typeof presentAffiliation2_0, V2_0['schemas']['affiliation']>>,
  Demand<Presented<typeof presentRecurringPayment, V2_0['schemas']['recurringPayment']>>,
  Demand<Presented<typeof presentSummary, V2_0['schemas']['summary']>>,
  Demand<Presented<typeof presentLatestTransaction, V2_0['schemas']['latestTransaction']>>,
  Demand<Presented<typeof presentAffiliateTransaction, V2_0['schemas']['affiliateTransaction']>>,
];
