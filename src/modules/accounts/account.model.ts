import type { AddressList } from '../../common/address-list.js';
import type { LimitWindows } from '../../common/limit-windows.js';
import { isPlainText } from '../../common/shown-text.js';
import type { UserRecord } from '../../ledger-format/user.record.js';

/** Who calls: the user that a key belongs to, as a vendor and as an affiliate (decisions: Keys). */
export interface Principal {
  readonly user_id: number;
  readonly application_id: number;
  readonly suspended: boolean;
  /** The moment from which the key is refused, in UTC, or null. */
  readonly expires: string | null;
  /** From where alone the key may be used, or null. */
  readonly addresses: AddressList | null;
  /** The application's own limits, or null where those of all hold. */
  readonly limits: LimitWindows | null;
  /** When the look-up began that found this, in milliseconds of this process's monotonic clock. */
  readonly lookedUpAt: number;
}

/** A user, as the ledger format has it. */
export type User = UserRecord;
export type UserStatus = User['status'];

/** A user who gave the right password. */
export interface SignedInUser extends User {
  /** Of that password: what a session counts under. */
  readonly password_id: string;
}

/** A user as a list of them shows it. */
export interface ListedUser extends Omit<User, 'processor_email'> {
  /** True where the user can sign in to the account pages. */
  readonly has_password: boolean;
}

/** Letter case aside, a user signs in with the e-mail of the ledger. */
export function signInEmailOf(email: string): string {
  return email.trim().toLowerCase();
}

const LONGEST_NAME = 255;

/** Without characters that a terminal or a log would obey, or that make a name look like another. */
export function isApplicationName(text: string): boolean {
  return text.trim() !== '' && text.length <= LONGEST_NAME && isPlainText(text);
}

export type ApplicationState = 'active' | 'revoked';

export interface ApiApplication {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly state: ApplicationState;
  /** Moments in UTC; an application without `expires` does not expire. */
  readonly created: string;
  readonly expires: string | null;
  /** Addresses and networks from which alone its keys work, as AddressList reads them, or null. */
  readonly address_allow_list: string | null;
  /** Its own limits, as parseLimitWindows reads them, or null where those of all hold. */
  readonly limits: string | null;
}

/** An application as a list of them shows it. */
export interface ListedApplication extends ApiApplication {
  /** A moment in UTC, to the minute or so; null where none of its keys was ever used. */
  readonly last_used: string | null;
  /** Until when an old key still works after a rotation, in UTC; null where none does. */
  readonly old_key_ends: string | null;
}

/** An application with its key in clear: shown to its owner, never logged. */
export interface IssuedKey {
  readonly application: ApiApplication;
  readonly key: string;
}

/** A rotation: the new key, and until when the old one works, in UTC. */
export interface RotatedKey extends IssuedKey {
  /** Null where the old key ended at once. */
  readonly old_key_ends: string | null;
}

/** A key as it is stored: found by its hash, readable only with the secret. */
export interface StoredKey {
  readonly key_hash: string;
  readonly encrypted_key: string;
}

/** A user has as many active API applications as one may have. */
export class TooManyApplicationsError extends Error {
  constructor(most: number) {
    super(
      `There are ${most} active API applications already, and no more are allowed. Revoke one first.`,
    );
  }
}

/** What names a user or an API application that is not there, or is not theirs who ask. */
export class UnknownAccountError extends Error {
  static ofApplication(id: number): UnknownAccountError {
    return new UnknownAccountError(`There is no application ${id}.`);
  }
}

/** A stored key that the present secret does not open: it is another one, or the row was changed. */
export class UnreadableKeyError extends Error {}
