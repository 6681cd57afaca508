import type { UserRecord } from '../records/user.record.js';

type SeenColumn = 'name' | 'email' | 'display_name';

/** A given user has the names and the e-mail that the source or upstream of a vendor sent. */
export type GivenUser = Pick<UserRecord, 'id' | SeenColumn>;

/** An affiliate that a record of the operator gave to a vendor. */
export interface VendorAffiliate {
  readonly vendor_id: number;
  readonly affiliate_id: number;
}

/**
 * A seen user has the data that a vendor sees. The name and the e-mail are null if the vendor sees
 * nothing.
 */
export interface SeenUser extends Pick<UserRecord, 'id' | 'display_name'> {
  readonly name: string | null;
  readonly email: string | null;
}

/**
 * Returns joins for the data that a vendor sees of a user: `own` is what its own source or upstream
 * sent, and `given` exists if a record of the operator gave the user to the vendor.
 * @param vendor an SQL expression for the vendor
 * @param user an SQL expression for the id of the user
 */
export function joinSeen(vendor: string, user: string): string {
  return `LEFT JOIN vendor_users own ON own.vendor_id = ${vendor} AND own.user_id = ${user}
    LEFT JOIN vendor_affiliates given ON given.vendor_id = ${vendor} AND given.affiliate_id = ${user}`;
}

/**
 * These joins add the affiliate of the transaction `t` as `u`, and the data that its vendor sees.
 */
export const SEEN_AFFILIATE = `LEFT JOIN users u ON u.id = t.affiliate_id
    ${joinSeen('t.vendor_id', 't.affiliate_id')}`;

/**
 * Returns an SQL expression for a column of the user `u` as a vendor sees it. The first of these
 * that exists counts: what the vendor's own source or upstream sent last, what that source sent
 * when it added the user, or what the operator's record says of an affiliate given to the vendor.
 * It is null if the vendor sees nothing.
 * @param vendor an SQL expression for the vendor
 */
export function seenColumn(column: SeenColumn, vendor = 't.vendor_id'): string {
  return `CASE WHEN own.user_id IS NOT NULL THEN own.${column}
      WHEN u.source_vendor_id = ${vendor} THEN u.${column}
      WHEN given.vendor_id IS NOT NULL AND u.source_vendor_id IS NULL THEN u.${column} END`;
}

/** This SQL expression is the display name, or the name if there is no display name. */
export const SEEN_NAME = `COALESCE(${seenColumn('display_name')}, ${seenColumn('name')})`;

/**
 * This SQL expression is the affiliate's name on the account pages, as in affiliateNameOf. It is
 * null for an affiliate without a name.
 */
export const SEEN_PAGE_NAME = `COALESCE(NULLIF(${seenColumn('display_name')}, ''), NULLIF(${seenColumn('name')}, ''))`;
