import type { AddressList } from '../../common/address-list.js';
import type { LimitWindows } from '../../common/limit-windows.js';
import { comparableEmail } from '../../common/email.js';
import { isPlainText } from '../../common/shown-text.js';
import type { UserRecord } from '../../ledger-format/user.record.js';

/** What the key of an application may do (ledger interface: Access of an API application). */
export const ACCESSES = ['full', 'read', 'masked', 'source'] as const;
export type Access = (typeof ACCESSES)[number];

/** What a user may choose; only an operator makes a source. */
export const USER_ACCESSES = ['full', 'read', 'masked'] as const;
export type UserAccess = (typeof USER_ACCESSES)[number];

export function isAccess(text: string): text is Access {
  return ACCESSES.some((access) => access === text);
}

export function isUserAccess(text: string): text is UserAccess {
  return USER_ACCESSES.some((access) => access === text);
}

/** The `user_id` of a source that writes for all vendors. No user has it. */
export const ALL_VENDORS = 0;

/** The caller: the user that a key belongs to, as a vendor and as an affiliate (decisions: Keys). */
export interface Principal {
  /** Of a source: its vendor, or ALL_VENDORS. */
  readonly user_id: number;
  readonly application_id: number;
  /** The hash of the key that was sent. */
  readonly key_hash: string;
  readonly access: Access;
  readonly suspended: boolean;
  /** The date-time from which the key is refused, in UTC, or null. */
  readonly expires: string | null;
  /** The only addresses that may use the key, or null for any. */
  readonly addresses: AddressList | null;
  /** The application's own limits, or null for the default limits. */
  readonly limits: LimitWindows | null;
  /** When the look-up of the key began, in milliseconds of this process's monotonic clock. */
  readonly lookedUpAt: number;
}

/** Whether both may do and see the same. */
export function isSamePrincipal(one: Principal, other: Principal): boolean {
  const mayOf = ({ user_id, application_id, access, suspended, addresses }: Principal) =>
    JSON.stringify([user_id, application_id, access, suspended, addresses?.text ?? null]);
  return mayOf(one) === mayOf(other);
}

/** @returns the only vendor that a source may write for, or null for all vendors */
export function vendorOfSource({ user_id }: Pick<Principal, 'user_id'>): number | null {
  return user_id === ALL_VENDORS ? null : user_id;
}

/** True if the caller gets everything without personal data. */
export function isMasked({ access }: Pick<Principal, 'access'>): boolean {
  return access === 'masked';
}

export type User = UserRecord;
export type UserStatus = User['status'];

/**
 * Why a user of a source may sign in before the first record of the operator: the operator admitted the user by a
 * command, or the user had a password or an application when the service was upgraded.
 */
export type Admission = 'operator' | 'upgrade';

/** A user with the vendor whose source said last what the row holds; null if the operator did. */
export interface UserOfSource extends User {
  readonly source_vendor_id: number | null;
  /** Null for users of the operator, and for users of a source whom nothing admitted. */
  readonly admitted: Admission | null;
}

/**
 * What the account pages call an affiliate: the display name, or else the name. One that is known from a sale
 * alone may have neither, and is called by its id.
 */
export function affiliateNameOf({
  id,
  name,
  display_name,
}: Pick<User, 'id' | 'display_name'> & { readonly name: string | null }): string {
  return [display_name, name].find((text) => text !== null && text !== '') ?? String(id);
}

/** An account with the e-mail that its user signs in with, which several accounts can share. */
export interface SignInAccount extends Pick<User, 'id' | 'name'> {
  readonly sign_in_email: string;
}

/** A user who gave the right password. */
export interface SignedInUser extends User {
  /** Ties a session to the password that it began with. */
  readonly password_id: string;
}

export interface ListedUser extends Omit<User, 'processor_email'> {
  /** True if the user can sign in to the account pages. */
  readonly has_password: boolean;
  readonly has_two_factor: boolean;
  /** True if the operator requires it of this user, or of all. */
  readonly two_factor_required: boolean;
}

/** A user signs in with the e-mail of the ledger: see comparableEmail for what does not count. */
export function signInEmailOf(email: string): string {
  return comparableEmail(email.trim());
}

const NAME_LENGTH = 255;

/** Rejects control characters, and characters that make a name look like another. */
export function isApplicationName(text: string): boolean {
  return text.trim() !== '' && text.length <= NAME_LENGTH && isPlainText(text);
}

export interface ApiApplication {
  readonly id: number;
  /** Of a source: its vendor, or ALL_VENDORS. */
  readonly user_id: number;
  readonly name: string;
  readonly state: 'active' | 'revoked';
  readonly access: Access;
  /** In UTC, as is `expires`; an application without `expires` does not expire. */
  readonly created: string;
  readonly expires: string | null;
  /** The only addresses and networks that may use its keys, as AddressList reads them, or null. */
  readonly address_allow_list: string | null;
  /** Its own limits, as parseLimitWindows reads them, or null for the default limits. */
  readonly limits: string | null;
}

export interface ListedApplication extends ApiApplication {
  /** In UTC, to the minute or so; null if none of its keys was ever used. */
  readonly last_used: string | null;
  /** When the old key stops working after a rotation, in UTC; null if no old key works. */
  readonly old_key_ends: string | null;
}

/** An application with the time at which its newest key was made, in UTC. */
export interface ApplicationWithKey extends Pick<ApiApplication, 'id' | 'name'> {
  readonly key_created: string;
}

/** An application with its key in plain text: shown to its owner, never logged. */
export interface IssuedKey {
  readonly application: ApiApplication;
  readonly key: string;
}

export interface RotatedKey extends IssuedKey {
  /** When the old key stops working, in UTC; null if it stopped immediately. */
  readonly old_key_ends: string | null;
}

/** A stored key: found by its hash, readable only with the secret. */
export interface StoredKey {
  readonly key_hash: string;
  readonly encrypted_key: string;
}

/** The user has the maximum number of active API applications. */
export class TooManyApplicationsError extends Error {
  constructor(max: number) {
    super(
      `There are ${max} active API applications already, and no more are allowed. Revoke one first.`,
    );
  }
}

/** There is no such user or API application, or it belongs to another user. */
export class UnknownAccountError extends Error {
  static ofApplication(id: number): UnknownAccountError {
    return new UnknownAccountError(`There is no application ${id}.`);
  }
}

/** A source is managed by the operator, and stays a source. */
export class SourceApplicationError extends Error {}

/** The current secret cannot decrypt a stored key: the secret or the row has changed. */
export class UnreadableKeyError extends Error {}
