import type { ListedUser, UserOfSource } from '../account.model.js';

/**
 * True for the user `u` if the operator has not named it: a source or an upstream created it, and no command of the
 * operator admitted it.
 */
export const IS_PROVISIONAL =
  "(u.source_vendor_id IS NOT NULL AND COALESCE(u.admitted, '') <> 'operator')";

/** True for the user `u` if it may sign in: it is the operator's, or was admitted. */
export const MAY_SIGN_IN = '(u.source_vendor_id IS NULL OR u.admitted IS NOT NULL)';

/** A user whom the operator has not named. */
export interface ProvisionalUser extends Pick<
  ListedUser,
  'id' | 'name' | 'email' | 'display_name' | 'status' | 'has_password'
> {
  /** The vendor whose source or upstream created the user. */
  readonly source_vendor_id: number;
  /** True if the user has an API application that is not revoked. */
  readonly has_application: boolean;
}

/** A user of a source whom the operator's first record names. */
export type NamedUser = Pick<UserOfSource, 'id' | 'email'>;
