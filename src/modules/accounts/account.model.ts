import { DomainError } from '../../platform/errors/domain-error.js';
import { comparableEmail } from '../../platform/values/email.js';
import { isPlainText } from '../../platform/values/shown-text.js';
import type { UserRecord } from '../../ledger/records/user.record.js';
import type { Access } from '../../api/access/principal.js';
import type { ApiKeyRow, StoredApplication, StoredUser } from './accounts.entity.js';

export type User = UserRecord;
export type UserStatus = User['status'];

/**
 * A user of a source may sign in before the operator's first record of the user for one of these
 * reasons. The operator admitted the user by a command, or the user had a password or an
 * application when the service was upgraded.
 */
type Admission = 'operator' | 'upgrade';

export interface UserRow extends StoredUser {
  readonly status: UserStatus;
  readonly admitted: Admission | null;
}

/**
 * A user of a source includes the vendor whose source wrote the row last. The vendor is null if the
 * operator wrote it last.
 */
export type UserOfSource = User & Pick<UserRow, 'source_vendor_id' | 'admitted'>;

/**
 * Returns the name of an affiliate on the account pages: the display name, else the name, else the
 * id. An affiliate that is known only from a sale may have neither name.
 */
export function affiliateNameOf({
  id,
  name,
  display_name,
}: Pick<User, 'id' | 'display_name'> & { readonly name: string | null }): string {
  return [display_name, name].find((text) => text !== null && text !== '') ?? String(id);
}

/**
 * A sign-in account includes the e-mail that its user signs in with. Several accounts can share it.
 */
export type SignInAccount = Pick<UserRow, 'id' | 'name' | 'sign_in_email'>;

/** A signed-in user is one who entered the right password. */
export interface SignedInUser extends User {
  /** Id that ties a session to the password that it began with. */
  readonly password_id: string;
}

export interface ListedUser extends Omit<User, 'processor_email'> {
  /** True if the user can sign in to the account pages. */
  readonly has_password: boolean;
  readonly has_two_factor: boolean;
  /** True if the operator requires two-factor sign-in of this user or of all users. */
  readonly two_factor_required: boolean;
}

/**
 * Returns the form in which the e-mail of the ledger is compared when a user signs in: see
 * comparableEmail.
 */
export function signInEmailOf(email: string): string {
  return comparableEmail(email.trim());
}

const NAME_LENGTH = 255;
/** The name of an application follows this rule. */
export const NAME_RULE =
  'must have 1 to 255 characters, without control characters, line breaks or text direction marks.';

/**
 * Returns false for control characters and for characters that make a name look like another one.
 */
export function isApplicationName(text: string): boolean {
  return text.trim() !== '' && text.length <= NAME_LENGTH && isPlainText(text);
}

export interface ApiApplicationRow extends StoredApplication {
  readonly state: 'active' | 'revoked';
  readonly access: Access;
}
export type ApiApplication = Omit<ApiApplicationRow, 'last_shown'>;

export interface ListedApplication extends ApiApplication {
  /** In UTC, accurate to about a minute. Null if none of its keys was ever used. */
  readonly last_used: string | null;
  /** Time at which the old key stops working after a rotation, in UTC. Null if no old key works. */
  readonly old_key_ends: string | null;
}

/** An application with a key includes the time when its newest key was created, in UTC. */
export interface ApplicationWithKey extends Pick<ApiApplication, 'id' | 'name'> {
  readonly key_created: string;
}

/** An issued key is in plain text. It is shown to its owner and never logged. */
export interface IssuedKey {
  readonly application: ApiApplication;
  readonly key: string;
}

export interface RotatedKey extends IssuedKey {
  /** Time at which the old key stops working, in UTC. Null if it stopped immediately. */
  readonly old_key_ends: string | null;
}

/** A stored key is found by its hash. It can be decrypted only with the secret. */
export type StoredKey = Pick<ApiKeyRow, 'key_hash' | 'encrypted_key'>;

/** The user has the maximum number of active API applications. */
export class TooManyApplicationsError extends Error {
  constructor(max: number) {
    super(
      `There are ${max} active API applications already, and no more are allowed. Revoke one first.`,
    );
  }
}

/** There is no such user or API application, or it belongs to another user. */
export class UnknownAccountError extends DomainError {
  static ofApplication(id: number): UnknownAccountError {
    return new UnknownAccountError(`There is no application ${id}.`);
  }
}

/** The operator manages sources. A source always stays a source. */
export class SourceApplicationError extends DomainError {}

/** The current secret cannot decrypt a stored key: the secret or the row has changed. */
export class UnreadableKeyError extends Error {}
