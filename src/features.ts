import type { FeatureDeclaration } from './feature.js';
import { ACCOUNTS } from './modules/accounts/accounts.feature.js';
import { AFFILIATES } from './modules/affiliates/affiliates.feature.js';
import { AUDIT } from './modules/audit/audit.feature.js';
import { CHANGES } from './ledger/changes/changes.feature.js';
import { DEMO } from './modules/demo/demo.feature.js';
import { EXPORTS } from './modules/exports/exports.feature.js';
import { FOLLOWER } from './modules/follower/follower.feature.js';
import { RECORDS_IN } from './modules/records-in/records-in.feature.js';
import { MCP } from './modules/mcp/mcp.feature.js';
import { MIRROR } from './modules/mirror/mirror.feature.js';
import { PRIVACY } from './modules/privacy/privacy.feature.js';
import { PRODUCTS } from './modules/products/products.feature.js';
import { RECURRING } from './modules/recurring/recurring.feature.js';
import { REPORTS } from './modules/reports/reports.feature.js';
import { TRANSACTIONS } from './modules/transactions/transactions.feature.js';
import { VERIFICATION } from './modules/verification/verification.feature.js';
import { WEBHOOKS } from './modules/webhooks/webhooks.feature.js';

/**
 * All features of the service. Their controllers are added in this order, which decides the order
 * of operations in documents and lists, and their checks run in this order.
 */
export const FEATURES: readonly FeatureDeclaration[] = [
  ACCOUNTS,
  CHANGES,
  PRODUCTS,
  AFFILIATES,
  RECURRING,
  TRANSACTIONS,
  REPORTS,
  RECORDS_IN,
  PRIVACY,
  VERIFICATION,
  EXPORTS,
  WEBHOOKS,
  MIRROR,
  MCP,
  DEMO,
  AUDIT,
  FOLLOWER,
];
