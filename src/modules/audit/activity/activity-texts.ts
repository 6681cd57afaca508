import { ACCESS_NAMES } from '../../../platform/pages/own-keys.js';
import { dayText } from '../../../platform/pages/ui/day-text.js';
import { isolatedText } from '../../../platform/pages/ui/isolated-text.js';
import type { ActivityChange, ActivityEntry, ActivityKind } from './activity.model.js';

/** Names of the kinds of activity. */
export const KIND_NAMES: Readonly<Record<ActivityKind, string>> = {
  relationships: 'Affiliate terms',
  applications: 'API applications and keys',
  webhooks: 'Webhooks',
  recurring_payments: 'Subscriptions',
  upstreams: 'Import from another service',
  sign_in: 'Sign-in and two-factor',
  products: 'Products',
  personal_data: 'Customers’ data',
  other: 'Other',
};

/** Words for each action, beside those for who did it. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['affiliation.set', 'Changed affiliate terms'],
  ['affiliation.import', 'Changed affiliate terms by an import'],
  ['key.create', 'Created an API application'],
  ['key.revoke', 'Revoked an API application'],
  ['key.rotate', 'Created a new key'],
  ['key.end-overlap', 'Ended the old key'],
  ['key.allow', 'Changed the allowed addresses'],
  ['key.access', 'Changed the access of a key'],
  ['key.mcp-writes', 'Changed what assistants may do'],
  ['key.expire', 'Changed the last day of a key'],
  ['key.rename', 'Renamed an API application'],
  ['key.show', 'Showed a key'],
  ['limits.set', 'Set rate limits'],
  ['limits.clear', 'Removed rate limits'],
  ['webhook.create', 'Added a webhook endpoint'],
  ['webhook.delete', 'Removed a webhook endpoint'],
  ['webhook.url', 'Changed the address of a webhook endpoint'],
  ['webhook.filter', 'Changed what is sent to a webhook endpoint'],
  ['webhook.max_bytes', 'Changed the size of deliveries'],
  ['webhook.active', 'Resumed a webhook endpoint'],
  ['webhook.paused', 'Paused a webhook endpoint'],
  ['webhook.rotate', 'Created a new webhook secret'],
  ['webhook.show', 'Showed a webhook secret'],
  ['webhook.replay', 'Sent changes again'],
  ['webhook.skip', 'Skipped a delivery'],
  ['recurring_payment.cancel', 'Canceled a subscription'],
  ['recurring_payment.import', 'Changed a subscription by an import'],
  ['upstream.add', 'Connected another service'],
  ['upstream.active', 'Resumed the import from another service'],
  ['upstream.paused', 'Paused the import from another service'],
  ['upstream.run', 'Started an import from another service'],
  ['upstream.remove', 'Disconnected another service'],
  ['password.set', 'Set your password'],
  ['password.forgotten', 'Requested a link for a forgotten password'],
  ['two_factor.on', 'Turned two-factor sign-in on'],
  ['two_factor.off', 'Turned two-factor sign-in off'],
  ['two_factor.reset', 'Turned two-factor sign-in off for a lost device'],
  ['two_factor.require', 'Changed whether two-factor sign-in is required'],
  ['two_factor.recovery-code', 'Used a recovery code'],
  ['two_factor.new-recovery-codes', 'Created new recovery codes'],
  ['user.add', 'Added the account'],
  ['user.invite', 'Sent an invitation'],
  ['user.access-removed', 'Removed the password and the keys'],
  ['user.import', 'Changed the account by an import'],
  ['product.import', 'Changed a product by an import'],
  ['product.remove', 'Removed a product with its sales'],
  ['person.erase', 'Erased a customer’s data'],
  ['retention.set', 'Set how long customers’ data is kept'],
  ['retention.clear', 'Removed the limit for customers’ data'],
  ['retention.run', 'Removed old customers’ data'],
]);

/** Returns what was done, in words. */
export function doneText({ action, isNew, by }: ActivityEntry): string {
  if (isNew && action === 'affiliation.set') return 'Added affiliate terms';
  if (action === 'password.set' && by !== 'account') return 'Set a new password for you';
  return DONE.get(action) ?? action;
}

/**
 * Returns who did it, in words.
 * @param names names of the account's API applications, by id
 */
export function authorText(
  { by, application_id }: ActivityEntry,
  names: ReadonlyMap<number, string>,
): string {
  if (by === 'operator') return 'The operator';
  if (by === 'other') return 'Another account';
  if (application_id === null) return 'You';
  const name = names.get(application_id);
  return `API application ${name === undefined ? application_id : isolatedText(name)}`;
}

/** Returns the text of a value of a field. */
type ValueText = (value: string | null, field: string) => string;

/**
 * Returns a change as files have it.
 * @param textOf text of the values; `wordsOf` for those who read them
 */
export function changeText(
  { label, field, before, after }: ActivityChange,
  isNew: boolean,
  textOf: ValueText,
): string {
  const now = textOf(after, field);
  return isNew ? `${label}: ${now}` : `${label}: ${textOf(before, field)} → ${now}`;
}

const WORDS: ReadonlyMap<string | null, string> = new Map([
  [null, 'none'],
  ['true', 'yes'],
  ['false', 'no'],
]);

/** Returns a value as the API has it. */
export function valueText(value: string | null): string {
  return WORDS.get(value) ?? value ?? '';
}

/** Fields whose values are words of the API. */
const CODED: ReadonlySet<string> = new Set(['status', 'state', 'kinds', 'reasons']);
/** Words of the API for which the pages have others. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ACCESS_NAMES),
  ['DENIED', 'Rejected'],
  ['recurring_payment', 'Subscriptions'],
  ['relationship', 'Affiliate terms'],
]);
const DATE_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d):\d\d$/;

/** Returns a value in the words of the pages. */
export function wordsOf(value: string | null, field: string): string {
  if (value === null || WORDS.has(value)) return valueText(value);
  if (field === 'access') return NAMES.get(value) ?? value;
  if (CODED.has(field)) return value.split(', ').map(nameOf).join(', ');
  const [, day, time] = DATE_TIME.exec(value) ?? [];
  return day === undefined ? value : `${dayText(day)}, ${time}`;
}

/** Writes a word of the API, such as `charged_back`, as a name. */
function nameOf(word: string): string {
  const plain = word.toLowerCase().replaceAll('_', ' ');
  return NAMES.get(word) ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}
