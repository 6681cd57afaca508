import { Baseline1767600000000 } from './1767600000000-baseline.js';
import { Extensions1770000000000 } from './1770000000000-extensions.js';
import { ChangeReasons1771000000000 } from './1771000000000-change-reasons.js';
import { WebhookFilters1771100000000 } from './1771100000000-webhook-filters.js';
import { SumsOfParties1771200000000 } from './1771200000000-sums-of-parties.js';
import { McpWrites1771300000000 } from './1771300000000-mcp-writes.js';
import { McpUsedTokens1771310000000 } from './1771310000000-mcp-used-tokens.js';
import { ListenerWalks1771320000000 } from './1771320000000-listener-walks.js';
import { ClicksOfAffiliates1771330000000 } from './1771330000000-clicks-of-affiliates.js';
import { ActivityOfAccounts1771340000000 } from './1771340000000-activity-of-accounts.js';
import { UnpaidOfProducts1771350000000 } from './1771350000000-unpaid-of-products.js';
import { NamesOfCustomers1771360000000 } from './1771360000000-names-of-customers.js';
import { IndexesByProduct1771380000000 } from './1771380000000-indexes-by-product.js';

/** All migrations in their order. A released migration is never changed. */
export const MIGRATIONS = [
  Baseline1767600000000,
  Extensions1770000000000,
  ChangeReasons1771000000000,
  WebhookFilters1771100000000,
  SumsOfParties1771200000000,
  McpWrites1771300000000,
  McpUsedTokens1771310000000,
  ListenerWalks1771320000000,
  ClicksOfAffiliates1771330000000,
  ActivityOfAccounts1771340000000,
  UnpaidOfProducts1771350000000,
  NamesOfCustomers1771360000000,
  IndexesByProduct1771380000000,
  // A new migration is added at the end.
] as const;
