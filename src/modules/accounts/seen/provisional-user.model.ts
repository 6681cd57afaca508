import type { ListedUser, UserOfSource } from '../account.model.js';

/**
 * This condition is true for the user `u` if a source or an upstream created the user, and no
 * record or command of the operator has named or admitted the user.
 */
export const IS_PROVISIONAL =
  "(u.source_vendor_id IS NOT NULL AND COALESCE(u.admitted, '') <> 'operator')";

/**
 * This condition is true for the user `u` if the user may sign in: the user is the operator's or
 * was admitted.
 */
export const MAY_SIGN_IN = '(u.source_vendor_id IS NULL OR u.admitted IS NOT NULL)';

/** A provisional user is one that the operator has not named. */
export interface ProvisionalUser extends Pick<
  ListedUser,
  'id' | 'name' | 'email' | 'display_name' | 'status' | 'has_password'
> {
  /** Vendor whose source or upstream created the user. */
  readonly source_vendor_id: number;
  /** True if the user has an API application that is not revoked. */
  readonly has_application: boolean;
}

/** A named user comes from a source and is now named by the operator's first record. */
export type NamedUser = Pick<UserOfSource, 'id' | 'email'>;
