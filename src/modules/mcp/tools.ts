import type { CoreVersion } from '../../api/versions/api-versions.js';
import { USER_ACCESSES, type Principal, type UserAccess } from '../../api/access/principal.js';
import { endOf } from '../../ledger/records/recurring-status.js';

/** Declares a tool. Its parameters are those of the operation that it calls. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The operation, as in its OpenAPI document. */
  readonly operation: { readonly version: CoreVersion; readonly path: string };
}

/** Declares a tool that reads. */
export interface ReadingTool extends Tool {
  /** Parameters of the operation that the tool does not take. */
  readonly without?: readonly string[];
  /**
   * How a long answer is split: by the operation, which has `limit` and a cursor, or by the tool,
   * with an `offset` into the results. `none` is for operations with one result.
   */
  readonly pages: 'limit' | 'offset' | 'none';
  /** Access levels that see the tool. Default: all that may read. */
  readonly access?: readonly UserAccess[];
}

const AMOUNTS = 'Amounts are decimal texts, date-times are in UTC.';

/** The tools that read. The operations that they call decide who may use them. */
export const READING_TOOLS: readonly ReadingTool[] = [
  {
    name: 'list_transactions',
    title: 'List transactions',
    description: `Returns transactions that match all given filters, newest first unless \`order\` says otherwise. Lists in filters have commas. Go on with \`after\` set to \`next_cursor\` of the answer; null means that there are no more. If \`searched_to\` is there, the search has only come so far: go on as well. ${AMOUNTS}`,
    operation: { version: 'ledger-1', path: '/ledger/v1/transactions' },
    pages: 'limit',
  },
  {
    name: 'get_transaction',
    title: 'Get a transaction',
    description: `Returns one transaction by its transaction_id: the sale, its customer, its payouts and its refund. ${AMOUNTS}`,
    operation: { version: '3.0', path: '/v3.0/transactions/{transaction_id}' },
    pages: 'none',
  },
  {
    name: 'list_recurring_payments',
    title: 'List recurring payments',
    description: `Returns recurring payments (subscriptions and payment plans) that match all given filters. Lists in filters have commas. Go on with \`after\` set to \`next_cursor\` of the answer; null means that there are no more. If \`searched_to\` is there, the search has only come so far: go on as well. ${AMOUNTS}`,
    operation: { version: 'ledger-1', path: '/ledger/v1/recurring_payments' },
    pages: 'limit',
  },
  {
    name: 'list_affiliates',
    title: 'List affiliates',
    description:
      'Returns the affiliates of the vendor with their first and last sale. Go on with `after` set to `next_cursor` of the answer; null means that there are no more.',
    operation: { version: 'ledger-1', path: '/ledger/v1/affiliates' },
    pages: 'limit',
  },
  {
    name: 'find_customer',
    title: 'Find customers',
    description: `Returns what customers bought over all time, by the whole e-mail address or by the beginning of a name: first and last sale, number of sales, gross, refunds, earnings and active recurring payments. ${AMOUNTS}`,
    operation: { version: 'ledger-1', path: '/ledger/v1/customers' },
    pages: 'limit',
    access: ['full', 'read'],
  },
  {
    name: 'figures',
    title: 'Get figures',
    description: `Returns exact figures of a range of days, by product, affiliate or tracked value and by interval, highest gross first. \`totals\` has the figures of the whole range, so add nothing up. figures_catalogue defines the measures. ${AMOUNTS} Rates are texts with 4 decimals.`,
    operation: { version: 'ledger-1', path: '/ledger/v1/figures' },
    pages: 'offset',
  },
  {
    name: 'figures_catalogue',
    title: 'Get the catalogue of figures',
    description:
      'Returns the measures, groups and intervals that figures takes, with the definition and the unit of each measure.',
    operation: { version: 'ledger-1', path: '/ledger/v1/figures/catalogue' },
    pages: 'none',
  },
  {
    name: 'cohorts',
    title: 'Get refunds by month of sale',
    description: `Returns 24 months of sales, newest first, with what was refunded and charged back until the end of the month of the sale, of the month after it, and so on. \`older\` of the answer is the value of \`until\` for the months before, null if there are none. ${AMOUNTS} Rates are texts with 4 decimals.`,
    operation: { version: 'ledger-1', path: '/ledger/v1/figures/cohorts' },
    pages: 'offset',
  },
  {
    name: 'list_products',
    title: 'List products',
    description: 'Returns the ids and names of all products of the vendor.',
    operation: { version: '2.1', path: '/v2.1/products/names' },
    pages: 'offset',
  },
  {
    name: 'changes_since',
    title: 'List changes since a cursor',
    description: `Returns what changed in the ledger after a cursor, in the order in which it was committed. Without a cursor it begins with the oldest change. Call it again with \`after\` set to the \`cursor\` of the answer until \`has_more\` is false. ${AMOUNTS}`,
    operation: { version: 'ledger-1', path: '/ledger/v1/changes' },
    without: ['wait'],
    pages: 'limit',
  },
  {
    name: 'list_activity',
    title: 'List changes of the account',
    description:
      'Returns who changed affiliate terms, API applications, webhooks, subscriptions and settings of the account, when, and from what to what, newest first. Lists in filters have commas. Go on with `after` set to `next_cursor` of the answer; null means that there are no more. If `searched_to` is there, the search has only come so far: go on as well. Date-times are in UTC.',
    operation: { version: 'ledger-1', path: '/ledger/v1/activity' },
    pages: 'limit',
  },
];

/**
 * Declares a tool that changes something with PUT. GET of the same path reads what it changes, which
 * the first call shows.
 */
export interface WritingTool extends Tool {
  /** The body of each call, for an operation whose body has a single value. */
  readonly body?: object;
  /** True if the operation also adds what is not there yet. */
  readonly adds: boolean;
  /** Returns how something with this `status` has ended, or null if there is something to change. */
  readonly endOf?: (status: string) => string | null;
}

const CONFIRMED =
  'A first call without `confirmation_token` changes nothing: it returns what would change, and a token. Show this to the user, and only if the user agrees, call again with the same arguments and the token.';

/** The tools that change something, for keys that may. */
export const WRITING_TOOLS: readonly WritingTool[] = [
  {
    name: 'set_affiliate_terms',
    title: 'Set the terms of an affiliate',
    description: `Approves or denies an affiliate for a product, and sets the affiliate's commission. ${CONFIRMED}`,
    operation: { version: '2.1', path: '/v2.1/affiliates/{affiliate_id}/products/{product_id}' },
    adds: true,
  },
  {
    name: 'cancel_recurring_payment',
    title: 'Cancel a recurring payment',
    description: `Cancels a recurring payment at the payment processor. This cannot be undone. ${CONFIRMED}`,
    operation: { version: '2.0', path: '/v2.0/recurring_payment/{preKey}' },
    body: { status: 'CANCEL' },
    adds: false,
    endOf,
  },
];

/** Returns true if the caller sees the tools that change something. */
export function mayWrite({ access, mcp_writes }: Principal): boolean {
  return access === 'full' && mcp_writes;
}

/** Returns true if keys with this access level see the tool. */
export function isVisible({ access = USER_ACCESSES }: ReadingTool, level: string): boolean {
  return access.some((each) => each === level);
}
