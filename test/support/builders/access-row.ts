import type { Access } from '../../../src/api/access/principal.js';

/**
 * The users who send requests: two vendors, a user who is only an affiliate, and a suspended
 * vendor.
 */
export const USERS = { vendor: 1, other: 2, affiliate: 3, suspended: 4 } as const;
export type Who = keyof typeof USERS;

/**
 * Owner of the product, transaction or payment that a request names; `nobody` means that it does
 * not exist.
 */
export type Whose = Who | 'nobody';

export const PRODUCT: Readonly<Record<Whose, number>> = {
  vendor: 10,
  other: 20,
  affiliate: 999,
  suspended: 40,
  nobody: 999,
};

/** Response of an operation to a key that may not see the named record. */
export type Refusal = 'foreign product' | 'hidden' | 'own list' | 'own feed from its start';

/** Access levels of most operations that read, and of most that write. */
export const READING: readonly Access[] = ['full', 'read', 'masked'];
export const WRITING: readonly Access[] = ['full'];

export interface Row {
  readonly operation: string;
  /**
   * Returns the path that names a record of this user. If the path names no record, it is the same
   * for all users.
   */
  readonly path: (whose: Whose) => string;
  readonly refusal: Refusal;
  /** Access levels whose keys may use the operation; all others get code 4030. */
  readonly allows: readonly Access[];
  readonly body?: object;
}
