import type { Access } from '../../../src/modules/accounts/account.model.js';

/** Who asks: two vendors, a user who is an affiliate alone, and a suspended vendor. */
export const USERS = { vendor: 1, other: 2, affiliate: 3, suspended: 4 } as const;
export type Who = keyof typeof USERS;

/** Whose product, transaction or payment a request names, or one that nobody has. */
export type Whose = Who | 'nobody';

export const PRODUCT: Readonly<Record<Whose, number>> = {
  vendor: 10,
  other: 20,
  affiliate: 999,
  suspended: 40,
  nobody: 999,
};

/** What an operation answers to a key that may not see what it names. */
export type Refusal = 'foreign product' | 'hidden' | 'own list' | 'own feed from its start';

/** Which applications may use an operation: most that read, and most that write. */
export const READING: readonly Access[] = ['full', 'read', 'masked'];
export const WRITING: readonly Access[] = ['full'];

export interface Row {
  readonly operation: string;
  /** How a request names something of this user's; the same for all where it names nothing. */
  readonly path: (whose: Whose) => string;
  readonly refusal: Refusal;
  /** The accesses whose keys may use it; every other is 4030. */
  readonly allows: readonly Access[];
  readonly body?: object;
}
