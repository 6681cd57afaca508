import { isMailAddress } from '../../platform/values/email.js';
import type { SettingSource } from '../read-value.js';

/** The operator of the service, as the account pages name them. */
export interface OperatorContact {
  readonly name: string;
  /** An https or mailto URL. */
  readonly href: string;
}

const NAMED = /^([^<>\p{C}"]{1,100}) <([^<>\s]{1,500})>$/u;

/** Reads OPERATOR_CONTACT. @returns null if it is not set */
export function readOperatorContact(source: SettingSource): OperatorContact | null {
  const text = source.valueOf('OPERATOR_CONTACT');
  if (text === undefined) return null;
  const [, name, link = ''] = NAMED.exec(text) ?? [];
  if (name !== undefined && isContact(link)) return { name, href: new URL(link).href };
  return source.invalid(
    'OPERATOR_CONTACT',
    'must be a name with an https: or mailto: link in angle brackets',
    '"Acme Support <mailto:support@acme.example>"',
    null,
  );
}

function isContact(link: string): boolean {
  if (!URL.canParse(link)) return false;
  const { protocol, pathname, username, password } = new URL(link);
  if (protocol === 'mailto:') return isMailAddress(pathname) && link === `mailto:${pathname}`;
  return protocol === 'https:' && username + password === '';
}
