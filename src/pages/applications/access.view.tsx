import {
  USER_ACCESSES,
  type Access,
  type ApiApplication,
} from '../../modules/accounts/account.model.js';
import { Choices, type FormProblem } from '../ui/form.view.js';

interface Explained {
  readonly name: string;
  /** Describes what the key may do. */
  readonly explanation: string;
}

const EXPLAINED: Readonly<Record<Access, Explained>> = {
  full: {
    name: 'Full',
    explanation:
      'Reads everything in this account, changes affiliate terms and cancels recurring payments.',
  },
  read: {
    name: 'Read',
    explanation: 'Reads everything in this account. Cannot change anything.',
  },
  masked: {
    name: 'Masked',
    explanation:
      'Reads everything in this account without personal data: the names, e-mail and IP addresses, phone numbers, delivery addresses and tracking ids of customers are left empty. Cannot change anything.',
  },
  source: {
    name: 'Source',
    explanation:
      'Sends sales and other records of your products to this service. Cannot read anything.',
  },
};

/**
 * Returns the name of an access level, as the forms show it. A key whose stored access level is not
 * a known one does not work, and the name is "Unknown".
 */
export function accessName({ access }: Pick<ApiApplication, 'access'>): string {
  return Object.hasOwn(EXPLAINED, access) ? EXPLAINED[access].name : 'Unknown';
}

export function accessExplanation({ access }: Pick<ApiApplication, 'access'>): string {
  return Object.hasOwn(EXPLAINED, access)
    ? EXPLAINED[access].explanation
    : 'The key does not work. Choose an access below.';
}

interface FieldState {
  readonly value: string;
  readonly problems: readonly FormProblem[];
}

export function AccessField({ value, problems }: FieldState) {
  return (
    <Choices
      legend="Access"
      name="access"
      value={value}
      problems={problems}
      choices={USER_ACCESSES.map((access) => ({ value: access, ...EXPLAINED[access] }))}
    />
  );
}
