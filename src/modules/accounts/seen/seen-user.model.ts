import type { User } from '../account.model.js';

const SEEN_COLUMNS = ['name', 'email', 'display_name'] as const;
type SeenColumn = (typeof SEEN_COLUMNS)[number];

/** The name and the e-mail that the source or upstream of a vendor gives to a user. */
export type GivenUser = Pick<User, 'id' | SeenColumn>;

/** A user whom records of the operator gave to a vendor as its affiliate. */
export interface VendorAffiliate {
  readonly vendor_id: number;
  readonly affiliate_id: number;
}

/** A user as a vendor sees it. The name and the e-mail are null if the vendor sees nothing. */
export interface SeenUser extends Pick<User, 'id' | 'display_name'> {
  readonly name: string | null;
  readonly email: string | null;
}

/**
 * Joins what a vendor sees of a user: what its own source or upstream said as `own`, and `given` if a record of the
 * operator gave it the user.
 * @param vendor an expression for the vendor
 * @param user an expression for the id of the user
 */
export function joinSeen(vendor: string, user: string): string {
  return `LEFT JOIN vendor_users own ON own.vendor_id = ${vendor} AND own.user_id = ${user}
    LEFT JOIN vendor_affiliates given ON given.vendor_id = ${vendor} AND given.affiliate_id = ${user}`;
}

/** Joins the affiliate of the transaction `t` as `u`, and what its vendor sees of it. */
export const SEEN_AFFILIATE = `LEFT JOIN users u ON u.id = t.affiliate_id
    ${joinSeen('t.vendor_id', 't.affiliate_id')}`;

/**
 * A column of the user `u` as a vendor sees it: what its own source or upstream said last, or else what that source
 * said when it added the user, or what the operator says of an affiliate whom its records gave to the vendor. It is
 * null if the vendor sees nothing.
 * @param vendor an expression for the vendor
 */
export function seenColumn(column: SeenColumn, vendor = 't.vendor_id'): string {
  return `CASE WHEN own.user_id IS NOT NULL THEN own.${column}
      WHEN u.source_vendor_id = ${vendor} THEN u.${column}
      WHEN given.vendor_id IS NOT NULL AND u.source_vendor_id IS NULL THEN u.${column} END`;
}

/** The display name, or the name if there is none. */
export const SEEN_NAME = `COALESCE(${seenColumn('display_name')}, ${seenColumn('name')})`;

/** The name of an affiliate on the account pages, as affiliateNameOf gives it; null for one that has no name. */
export const SEEN_PAGE_NAME = `COALESCE(NULLIF(${seenColumn('display_name')}, ''), NULLIF(${seenColumn('name')}, ''))`;
