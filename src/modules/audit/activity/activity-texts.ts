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

/** Words for each action, which follow its author in a sentence. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['affiliation.set', 'changed affiliate terms'],
  ['affiliation.import', 'changed affiliate terms by an import'],
  ['key.create', 'created an API application'],
  ['key.revoke', 'revoked an API application'],
  ['key.rotate', 'created a new key'],
  ['key.end-overlap', 'ended the old key'],
  ['key.allow', 'changed the allowed addresses'],
  ['key.access', 'changed the access of a key'],
  ['key.mcp-writes', 'changed what assistants may do'],
  ['key.expire', 'changed the last day of a key'],
  ['key.rename', 'renamed an API application'],
  ['key.show', 'showed a key'],
  ['limits.set', 'set rate limits'],
  ['limits.clear', 'removed rate limits'],
  ['webhook.create', 'added a webhook endpoint'],
  ['webhook.delete', 'removed a webhook endpoint'],
  ['webhook.url', 'changed the address of a webhook endpoint'],
  ['webhook.filter', 'changed what is sent to a webhook endpoint'],
  ['webhook.max_bytes', 'changed the size of deliveries'],
  ['webhook.active', 'resumed a webhook endpoint'],
  ['webhook.paused', 'paused a webhook endpoint'],
  ['webhook.rotate', 'created a new webhook secret'],
  ['webhook.show', 'showed a webhook secret'],
  ['webhook.replay', 'sent changes again'],
  ['webhook.skip', 'skipped a delivery'],
  ['recurring_payment.cancel', 'canceled a subscription'],
  ['recurring_payment.import', 'changed a subscription by an import'],
  ['upstream.add', 'connected another service'],
  ['upstream.active', 'resumed the import from another service'],
  ['upstream.paused', 'paused the import from another service'],
  ['upstream.run', 'started an import from another service'],
  ['upstream.remove', 'disconnected another service'],
  ['password.set', 'set your password'],
  ['password.forgotten', 'requested a link for a forgotten password'],
  ['two_factor.on', 'turned two-factor sign-in on'],
  ['two_factor.off', 'turned two-factor sign-in off'],
  ['two_factor.reset', 'turned two-factor sign-in off for a lost device'],
  ['two_factor.require', 'changed whether two-factor sign-in is required'],
  ['two_factor.recovery-code', 'used a recovery code'],
  ['two_factor.new-recovery-codes', 'created new recovery codes'],
  ['user.add', 'added the account'],
  ['user.invite', 'sent an invitation'],
  ['user.access-removed', 'removed the password and the keys'],
  ['user.import', 'changed the account by an import'],
  ['product.import', 'changed a product by an import'],
  ['product.remove', 'removed a product with its sales'],
  ['person.erase', 'erased a customer’s data'],
  ['retention.set', 'set how long customers’ data is kept'],
  ['retention.clear', 'removed the limit for customers’ data'],
  ['retention.run', 'removed old customers’ data'],
]);

/** A line of a history, in words. */
export interface ActivityLine {
  readonly created: string;
  /** Sentence that says who did what, such as `You created a new key`. */
  readonly what: string;
  /** Changed fields, such as `Status: Approved → Rejected`. */
  readonly changes: readonly string[];
}

/**
 * Describes an entry in words.
 * @param names names of the account's API applications, by id
 */
export function activityLine(
  entry: ActivityEntry,
  names: ReadonlyMap<number, string> = new Map(),
): ActivityLine {
  const { created, isNew } = entry;
  return {
    created,
    what: sentenceOf(entry, authorText(entry, names)),
    changes: entry.changes.map((change) => changeText(change, isNew, wordsOf)),
  };
}

function sentenceOf({ action, isNew }: ActivityEntry, author: string): string {
  if (isNew && action === 'affiliation.set') return `${author} added affiliate terms`;
  const done = DONE.get(action);
  return done === undefined ? `${author}: ${action}` : `${author} ${done}`;
}

function authorText(
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

/** @param textOf text of the values; `wordsOf` for those who read the pages */
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
