import { isByKey, type RecordedAuditEntry, stateOf } from '../audit.model.js';
import { OPERATOR } from '../../../platform/values/author.js';
import { formatDateTime } from '../../../platform/values/time.js';

/** Kinds of activity, in the order in which forms offer them. */
export const ACTIVITY_KINDS = [
  'relationships',
  'applications',
  'webhooks',
  'recurring_payments',
  'upstreams',
  'sign_in',
  'products',
  'personal_data',
  'other',
] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** Kinds by the part of an action before its dot. */
const KINDS: ReadonlyMap<string, ActivityKind> = new Map([
  ['affiliation', 'relationships'],
  ['key', 'applications'],
  ['limits', 'applications'],
  ['webhook', 'webhooks'],
  ['recurring_payment', 'recurring_payments'],
  ['upstream', 'upstreams'],
  ['password', 'sign_in'],
  ['two_factor', 'sign_in'],
  ['user', 'sign_in'],
  ['product', 'products'],
  ['person', 'personal_data'],
  ['retention', 'personal_data'],
]);

export function kindOf(action: string): ActivityKind {
  return KINDS.get(action.split('.', 1)[0] ?? '') ?? 'other';
}

/** A field of an audited state that activity shows. */
export interface ActivityField {
  readonly label: string;
  /** True for names and addresses, which only keys with full access read. */
  readonly isPersonal?: boolean;
  /** True for a flag that is stored as 0 or 1. */
  readonly isFlag?: boolean;
}

/**
 * Fields that activity shows, by kind. Others, such as ids and hashes, stay in the audit log alone,
 * so that a new field of a state is not shown before it is listed here.
 */
const FIELDS: Readonly<Record<ActivityKind, Readonly<Record<string, ActivityField>>>> = {
  relationships: {
    status: { label: 'Status' },
    delayed_commission: { label: 'Paid after the hold' },
    custom_commission: { label: 'Commission in percent' },
    custom_sales_page_url: { label: 'Sales page' },
    custom_payment_1st_payout: { label: 'Payout for the first payment' },
    custom_payment_trial_payout: { label: 'Payout for the trial period' },
  },
  applications: {
    name: { label: 'Name' },
    state: { label: 'Status' },
    access: { label: 'Access' },
    mcp_writes: { label: 'Assistants may change data', isFlag: true },
    expires: { label: 'Expires' },
    old_key_ends: { label: 'Old key works until' },
    address_allow_list: { label: 'Allowed addresses', isPersonal: true },
    limits: { label: 'Rate limits' },
  },
  webhooks: {
    url: { label: 'Address', isPersonal: true },
    state: { label: 'Status' },
    position: { label: 'Sent up to change' },
    max_bytes: { label: 'Largest delivery, in bytes' },
    kinds: { label: 'Records' },
    reasons: { label: 'Events' },
    product_ids: { label: 'Products' },
  },
  recurring_payments: { status: { label: 'Status' } },
  upstreams: {
    url: { label: 'Address', isPersonal: true },
    state: { label: 'Status' },
    wanted: { label: 'Requested run' },
  },
  sign_in: {
    name: { label: 'Name', isPersonal: true },
    email: { label: 'E-mail', isPersonal: true },
    sign_in_email: { label: 'E-mail to sign in', isPersonal: true },
    display_name: { label: 'Display name', isPersonal: true },
    status: { label: 'Status' },
    required: { label: 'Required' },
    left: { label: 'Recovery codes left' },
    expires: { label: 'Link works until' },
  },
  products: { name: { label: 'Name' } },
  personal_data: {
    months: { label: 'Months kept' },
    retained_from: { label: 'Kept from' },
    sales: { label: 'Sales' },
    transactions: { label: 'Transactions' },
    recurring_payments: { label: 'Subscriptions' },
  },
  other: {},
};

/** A change of a field, as text. Null stands for no value. */
export interface ActivityChange extends ActivityField {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Author of a change: the user of the account, the operator, or another user. */
export type ActivityAuthor = 'account' | 'operator' | 'other';

/** An audit entry as its account sees it. */
export interface ActivityEntry {
  readonly id: number;
  /** Time of the change, in UTC. */
  readonly created: string;
  readonly by: ActivityAuthor;
  /** API application whose key made the change; null if none did. */
  readonly application_id: number | null;
  readonly action: string;
  readonly kind: ActivityKind;
  readonly subject: string;
  /** True if the subject is new. */
  readonly isNew: boolean;
  readonly changes: readonly ActivityChange[];
}

/** The entries of an account, or those on one subject of it. */
export interface ActivityScope {
  readonly account_id: number;
  readonly subject: string | null;
  readonly first_day: string;
}

/** Filters of an account's entries; null for no filter. */
export interface ActivityFilter {
  readonly kinds: readonly ActivityKind[] | null;
  readonly subject: string | null;
  /** Days in UTC; the range includes both. */
  readonly start_date: string | null;
  readonly end_date: string | null;
}

export const NO_ACTIVITY_FILTER: ActivityFilter = {
  kinds: null,
  subject: null,
  start_date: null,
  end_date: null,
};

/** The columns of an entry that order and filters compare. */
export type ActivityKey = Pick<RecordedAuditEntry, 'created' | 'id' | 'action'>;

/** Returns an audit entry as its account sees it. */
export function activityOf(account_id: number, entry: RecordedAuditEntry): ActivityEntry {
  const { id, created, user_id, application_id, action, subject, before } = entry;
  const kind = kindOf(action);
  return {
    id,
    created,
    by: authorOf(account_id, user_id),
    application_id: isByKey(entry) ? application_id : null,
    action,
    kind,
    subject,
    isNew: (before ?? null) === null,
    changes: changesOf(kind, entry),
  };
}

function authorOf(account_id: number, user_id: number): ActivityAuthor {
  if (user_id === OPERATOR) return 'operator';
  return user_id === account_id ? 'account' : 'other';
}

function changesOf(kind: ActivityKind, entry: RecordedAuditEntry): ActivityChange[] {
  const [was, is] = [stateOf(entry.before ?? null), stateOf(entry.after)];
  return Object.entries(FIELDS[kind]).flatMap(([field, shown]) => {
    const [before, after] = [textOf(was[field], shown), textOf(is[field], shown)];
    return before === after ? [] : { field, ...shown, before, after };
  });
}

function textOf(value: unknown, { isFlag = false }: ActivityField): string | null {
  if (isFlag) return String(value === 1);
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Returns the kinds in a checked text with commas. */
export function kindsIn(text: string): ActivityKind[] {
  const words = text.split(',');
  return ACTIVITY_KINDS.filter((kind) => words.includes(kind));
}

/** Returns an entry without the values of names, addresses and URLs. */
export function withoutPersonal(entry: ActivityEntry): ActivityEntry {
  const changes = entry.changes.map((change) =>
    change.isPersonal === true ? { ...change, before: null, after: null } : change,
  );
  return { ...entry, changes };
}

/** Returns an entry as the API shows it. */
export function presentActivity(entry: ActivityEntry, isFull: boolean) {
  const { id, created, by, application_id, kind, action, subject, changes } = isFull
    ? entry
    : withoutPersonal(entry);
  return {
    id,
    time: formatDateTime(created),
    by,
    application_id,
    kind,
    action,
    subject,
    changes: changes.map(({ field, before, after }) => ({ field, before, after })),
  };
}
