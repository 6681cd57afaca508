import { AddressList } from '../../../../platform/values/address-list.js';
import { dateTimeOf, dayOf, endOfDay, isCalendarDay } from '../../../../platform/values/time.js';
import { isApplicationName, NAME_RULE, type ApiApplication } from '../../account.model.js';
import {
  isUserAccess,
  USER_ACCESSES,
  type Access,
  type UserAccess,
} from '../../../../api/access/principal.js';
import { ACCESS_NAMES } from '../../../../platform/pages/own-keys.js';
import type { Visit } from '../../../../platform/pages/visit.js';
import { Choices, type Explained } from '../../../../platform/pages/forms/choices.view.js';
import { FormProblem, type TextField } from '../../../../platform/pages/ui/form.view.js';

const EXPLAINED: Readonly<Record<Access, Explained>> = {
  full: {
    name: ACCESS_NAMES.full,
    explanation:
      'Reads everything in this account, changes affiliate terms and cancels subscriptions.',
  },
  read: {
    name: ACCESS_NAMES.read,
    explanation: 'Reads everything in this account. Cannot change anything.',
  },
  masked: {
    name: ACCESS_NAMES.masked,
    explanation:
      'Names, e-mail and IP addresses, phone numbers, delivery addresses and tracking ids of customers are left empty. Cannot change anything.',
  },
  source: {
    name: ACCESS_NAMES.source,
    explanation:
      'Sends sales and other records of your products to this service. Cannot read anything.',
  },
};

const UNKNOWN = {
  name: 'Unknown',
  explanation: 'The key does not work. Choose an access below.',
};

/**
 * Returns the name and the explanation of an access level, as the forms show it. A key whose stored
 * access level is not a known one does not work.
 */
export function accessOf({ access }: Pick<ApiApplication, 'access'>): Explained {
  return Object.hasOwn(EXPLAINED, access) ? EXPLAINED[access] : UNKNOWN;
}

const CHOICES = Object.fromEntries(USER_ACCESSES.map((access) => [access, EXPLAINED[access]]));

/** @param value `initial` in a new form, `stored` in a form that changes the access */
export function AccessField(value: { readonly initial?: string; readonly stored?: string }) {
  return <Choices legend="Access" name="access" choices={CHOICES} {...value} />;
}

/** Values of the field that lets assistants change data. */
export const ASSISTANTS: Readonly<Record<string, Explained>> = {
  off: {
    name: 'Only read',
    explanation: 'Assistants change nothing, even with a key that can write.',
  },
  on: {
    name: 'Also change',
    explanation:
      'Assistants with a key that can write set affiliate terms and cancel subscriptions. They ask twice, but a misled assistant can confirm its own mistake.',
  },
};

/** @throws FormProblem if nothing is chosen */
export function mcpWritesIn(visit: Visit): boolean {
  const value = visit.field('mcp_writes');
  if (!Object.hasOwn(ASSISTANTS, value)) {
    throw new FormProblem('mcp_writes', 'Choose what assistants may do.');
  }
  return value === 'on';
}

export const NAME = {
  label: 'Name',
  name: 'name',
  autocomplete: 'off',
  maxLength: 255,
  required: true,
} as const satisfies TextField;
export const EXPIRY = {
  label: 'Expires (optional)',
  name: 'expires',
  type: 'date',
  hint: 'The last day on which the key works, in UTC.',
} as const satisfies TextField;
export const ADDRESSES = {
  label: 'Allow only these addresses (optional)',
  name: 'addresses',
  hint: 'Addresses or networks, such as 203.0.113.7, 198.51.100.0/24. Leave empty to allow any address.',
  autocomplete: 'off',
  spellcheck: false,
} as const satisfies TextField;

/** Times for which the old key works after a rotation: seconds and label by form value. */
export const OVERLAPS: ReadonlyMap<string, readonly [number, string]> = new Map([
  ['0', [0, 'Immediately']],
  ['1h', [3_600, '1 hour']],
  ['24h', [86_400, '24 hours']],
  ['7d', [7 * 86_400, '7 days']],
]);

const MAX_NAMED = 3;
const MAX_NAMED_LENGTH = 60;

/** @throws FormProblem if the name is not valid */
export function nameIn(visit: Visit): string {
  const name = visit.field('name').trim();
  if (!isApplicationName(name)) {
    throw new FormProblem('name', `The name ${NAME_RULE}`);
  }
  return name;
}

/** @throws FormProblem if no access level is chosen */
export function accessIn(visit: Visit): UserAccess {
  const access = visit.field('access');
  if (!isUserAccess(access)) throw new FormProblem('access', 'Choose what the key may do.');
  return access;
}

/**
 * Returns the end of the chosen day in UTC, or null if the field is empty.
 * @param stored present end, which is kept if the day is its day
 * @throws FormProblem if it is not a day, or is in the past
 */
export function expiryIn(visit: Visit, stored: string | null = null): string | null {
  const day = visit.field('expires').trim();
  if (day === '') return null;
  if (stored !== null && day === dayOf(stored)) return stored;
  if (!isCalendarDay(day)) {
    const message = `The last day must be a date such as 2030-12-31. ${quoted(day)} is not one.`;
    throw new FormProblem('expires', message);
  }
  if (endOfDay(day) < dateTimeOf(new Date())) {
    const message = 'The last day must not be in the past. To end a key now, revoke it.';
    throw new FormProblem('expires', message);
  }
  return endOfDay(day);
}

/**
 * Reads addresses and networks separated by commas or white space; returns null if the field is
 * empty.
 * @throws FormProblem if an entry is neither an address nor a network
 */
export function addressesIn(visit: Visit): AddressList | null {
  const parts = visit.field('addresses').split(/[\s,]+/);
  const text = parts.filter((part) => part !== '').join(',');
  if (text === '') return null;
  const list = AddressList.parse(text);
  if (list === null) throw new FormProblem('addresses', wrongAddresses(text));
  return list;
}

function wrongAddresses(text: string): string {
  const wrong = AddressList.invalidEntries(text);
  const named = wrong.slice(0, MAX_NAMED).map(quoted).join(', ');
  const more = wrong.length > MAX_NAMED ? ` and ${wrong.length - MAX_NAMED} more` : '';
  const error =
    wrong.length === 1 ? 'is not an address or a network' : 'are not addresses or networks';
  return `${named}${more} ${error}. An address is like 203.0.113.7 or 2001:db8::7, a network like 198.51.100.0/24.`;
}

function quoted(text: string): string {
  return `“${text.length > MAX_NAMED_LENGTH ? `${text.slice(0, MAX_NAMED_LENGTH)}…` : text}”`;
}

/**
 * Returns the time in seconds.
 * @throws FormProblem if no time is chosen
 */
export function overlapIn(visit: Visit): number {
  const overlap = OVERLAPS.get(visit.field('overlap'));
  if (overlap === undefined) {
    throw new FormProblem('overlap', 'Choose how long the old key still works.');
  }
  return overlap[0];
}
