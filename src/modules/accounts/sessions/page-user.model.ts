import type { User } from '../account.model.js';

/** The user of a browser session, with what decides which pages open. */
export interface PageUser {
  readonly user: User;
  readonly hasTwoFactor: boolean;
  readonly mustHaveTwoFactor: boolean;
  /** True if there may be sign-ins to be told of. */
  readonly hasNotices: boolean;
}
