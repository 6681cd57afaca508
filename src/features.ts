import type { FeatureDeclaration } from './feature.js';
import { ACCOUNTS } from './modules/accounts/accounts.feature.js';
import { AFFILIATES } from './modules/affiliates/affiliates.feature.js';
import { AUDIT } from './modules/audit/audit.feature.js';
import { CHANGES } from './modules/changes/changes.feature.js';
import { DEMO } from './modules/demo/demo.feature.js';
import { EXPORTS } from './modules/exports/exports.feature.js';
import { IMPORT } from './modules/import/import.feature.js';
import { MIRROR } from './modules/mirror/mirror.feature.js';
import { PEOPLE } from './modules/people/people.feature.js';
import { PERSONAL_READS } from './modules/personal-reads/personal-reads.feature.js';
import { PRODUCTS } from './modules/products/products.feature.js';
import { RECURRING } from './modules/recurring/recurring.feature.js';
import { REPORTS } from './modules/reports/reports.feature.js';
import { RETENTION } from './modules/retention/retention.feature.js';
import { TRANSACTIONS } from './modules/transactions/transactions.feature.js';
import { VERIFICATION } from './modules/verification/verification.feature.js';
import { WEBHOOKS } from './modules/webhooks/webhooks.feature.js';

/**
 * All features of the service. Their controllers are added in this order, which decides the order of
 * operations in documents and lists.
 */
export const FEATURES: readonly FeatureDeclaration[] = [
  ACCOUNTS,
  CHANGES,
  PERSONAL_READS,
  PRODUCTS,
  AFFILIATES,
  RECURRING,
  TRANSACTIONS,
  REPORTS,
  PEOPLE,
  RETENTION,
  VERIFICATION,
  IMPORT,
  EXPORTS,
  WEBHOOKS,
  MIRROR,
  DEMO,
  AUDIT,
];
