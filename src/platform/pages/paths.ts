/**
 * Addresses of pages to which pages of other features link, so that pages do not import each other.
 */
export const REPORTS_PATH = '/account/reports';
export const HOME_PATH = REPORTS_PATH;
export const LIST_PATH = `${REPORTS_PATH}/transactions` as const;
export const COHORTS_PATH = `${REPORTS_PATH}/cohorts` as const;
export const EARNINGS_PATH = '/account/earnings';
export const OWN_TRACKING_PATH = `${EARNINGS_PATH}/tracking` as const;
export const AFFILIATES_PATH = '/account/affiliates';
export const SUBSCRIPTIONS_PATH = '/account/subscriptions';
export const TRACKING_PATH = '/account/tracking';
export const SEARCH_PATH = '/account/search';
export const CUSTOMERS_PATH = '/account/customers';
export const PEOPLE_PATH = '/account/people';
export const APPLICATIONS_PATH = '/account/applications';
export const WEBHOOKS_PATH = '/account/webhooks';
export const UPSTREAM_PATH = '/account/upstream';
export const DATA_PROTECTION_PATH = '/account/data-protection';
export const ACTIVITY_PATH = '/account/activity';
export const SECURITY_PATH = '/account/security';
export const SET_UP_PATH = `${SECURITY_PATH}/two-factor` as const;
export const SIGN_IN_PATH = '/account/sign-in';
export const CODE_PATH = `${SIGN_IN_PATH}/code` as const;
export const FORGOTTEN_PATH = '/account/forgot-password';

const TRANSACTIONS_PATH = '/account/transactions';
/** Matches only paths of the account, to prevent open redirects. */
const OWN_PATH = /^\/account(?:[/?][^\\]*)?$/;

/** Returns the path from a form or an address if it belongs to the account, or else `otherwise`. */
export function ownPath(path: string, otherwise: string): string {
  return OWN_PATH.test(path) ? path : otherwise;
}

export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

/**
 * Returns the URL of a transaction's page; the ids `.` and `..` are in the query.
 * @param back address of the list to which the page leads back
 */
export function transactionPath(transaction_id: string, back?: string): string {
  const isDot = isDotSegment(transaction_id);
  const path = isDot ? '' : `/${encodeURIComponent(transaction_id)}`;
  return withQuery(`${TRANSACTIONS_PATH}${path}`, {
    ...(isDot ? { id: transaction_id } : {}),
    ...(back === undefined ? {} : { back }),
  });
}

/** Returns the URL of a search for everything that belongs to a customer. */
export function searchPath(email: string): string {
  return withQuery(SEARCH_PATH, { q: email });
}

/** Returns the path of a customer's page. */
export function customerPath(email: string): string {
  return withQuery(CUSTOMERS_PATH, { email });
}

/** Returns the path of the list of the customers whose name begins with a text. */
export function customersNamed(name: string, more: Readonly<Record<string, string>> = {}): string {
  return withQuery(CUSTOMERS_PATH, { name, ...more });
}

/** Returns the path of the page with the kept data of a customer. */
export function personPath(email: string, part: '' | '/erase' | '.json' = ''): string {
  return withQuery(PEOPLE_PATH + part, { email });
}

/** Returns the path of a subscription's page. The keys `.` and `..` are in the query. */
export function subscriptionPath(
  pre_key: string,
  part: '' | '/cancel' = '',
  more: Readonly<Record<string, string>> = {},
): string {
  const isDot = isDotSegment(pre_key);
  const path = `${SUBSCRIPTIONS_PATH}/${isDot ? 'key' : encodeURIComponent(pre_key)}${part}`;
  return withQuery(path, { ...(isDot ? { key: pre_key } : {}), ...more });
}

export function termsPath(affiliate_id: number): string {
  return `${AFFILIATES_PATH}/${affiliate_id}/terms`;
}

/** Returns the path of the page with all changes of a thing, by its subject in the audit log. */
export function activityPath(subject: string): string {
  return withQuery(ACTIVITY_PATH, { subject });
}

/** Returns the path of the page with the reads of a record. */
export function readsPath(query: Readonly<Record<string, string>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return withQuery(DATA_PROTECTION_PATH, Object.fromEntries(given));
}

/**
 * Returns whether a key is `.` or `..`. Browsers remove these segments from a path, even if they
 * are encoded, so links have such a key in the query instead.
 */
export function isDotSegment(key: string): boolean {
  return key === '.' || key === '..';
}
