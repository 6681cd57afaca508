/** Tests for extensions of the Vendor Reporting API. See docs/extensions.md of the service. */
export { checkAccess } from './checks/access.js';
export { checkAll } from './checks/all.js';
export type { CheckOptions } from './checks/checked-service.js';
export { checkErased } from './checks/erased.js';
export { checkHostileValues } from './checks/hostile.js';
export { checkMasked } from './checks/masked.js';
export { checkStatements, type StatementOptions } from './checks/statements.js';
export {
  PRODUCT,
  READING,
  subscriptionOf,
  transactionOf,
  USERS,
  WRITING,
  type Access,
  type Named,
  type Row,
  type Who,
  type Whose,
} from './ledger/access-row.js';
export { customerOf, personalMark } from './ledger/checked-ledger.js';
export {
  affiliation,
  clicks,
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
  WITH_COMMISSION,
} from './ledger/records.js';
export { basic, envelopeOf } from './service/http.js';
export type { Answer, EnvelopeBody, Request } from './service/http.js';
export { TestService, type Ended, type TestServiceOptions } from './service/test-service.js';
export { PASSWORD, type Visitor } from './service/visitor.js';
