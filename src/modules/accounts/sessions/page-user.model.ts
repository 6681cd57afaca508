import type { User } from '../account.model.js';

/**
 * A page user is the user of a browser session, with the properties that decide which pages open.
 */
export interface PageUser {
  readonly user: User;
  readonly hasTwoFactor: boolean;
  readonly mustHaveTwoFactor: boolean;
  /** True if there may be notices of sign-ins. */
  readonly hasNotices: boolean;
}
