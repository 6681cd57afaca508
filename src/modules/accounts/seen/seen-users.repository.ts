import { Injectable } from '@nestjs/common';
import type { Versioned } from '../../../ledger/records/record-version.js';
import { isOneOf, runByKeys, selectByKeys, upsertRows } from '../../../platform/database/bulk.js';
import {
  Database,
  type Reader,
  type Session,
  type SqlRow,
} from '../../../platform/database/database.js';
import {
  insertEntities,
  replaceEntities,
} from '../../../platform/database/entities/entity-rows.js';
import {
  joinSeen,
  seenColumn,
  type GivenUser,
  type SeenUser,
  type VendorAffiliate,
} from '../../../ledger/reads/seen-user.model.js';
import { VendorUserEntity, type VendorUserRow } from '../accounts.entity.js';

const KEY = ['vendor_id', 'user_id'] as const;
const AFFILIATE = ['vendor_id', 'affiliate_id'] as const;
/** Number of users per statement. */
const USERS = 512;

const SEEN = `u.id, ${seenColumn('name', '?')} AS name, ${seenColumn('email', '?')} AS email,
    ${seenColumn('display_name', '?')} AS display_name`;
const FROM = `FROM users u ${joinSeen('?', 'u.id')}`;
const SELECT_SEEN = `SELECT ${SEEN} ${FROM}`;
/**
 * The version is null for a name from the operator, because it has no version of the vendor's
 * source.
 */
const SELECT_GIVEN = `SELECT ${SEEN},
    CASE WHEN own.user_id IS NOT NULL THEN own.record_version
      WHEN u.source_vendor_id = ? THEN u.record_version END AS record_version ${FROM}`;

const OWN_KEY = 'own.vendor_id, own.user_id';
const SELECT_SAID = `SELECT u.source_vendor_id AS vendor_id, u.id AS user_id, u.name, u.email, u.display_name,
    u.record_version FROM users u
  LEFT JOIN vendor_users own ON own.vendor_id = u.source_vendor_id AND own.user_id = u.id`;
/** This condition selects users whose source has sent nothing since it added them. */
const ALONE = 'AND u.source_vendor_id IS NOT NULL AND own.user_id IS NULL';

type SeenRow = SeenUser & Pick<VendorUserRow, 'record_version'>;
type GivenRow = GivenUser & Pick<VendorUserRow, 'record_version'>;
type UserKey = Pick<VendorUserRow, (typeof KEY)[number]>;

/**
 * Runs all SQL on `vendor_users` and `vendor_affiliates`, except the joins of lists. It is written
 * by hand: statistics and affiliate terms look up one user for each request, as in
 * accounts.repository.ts, and imports read and write in bulk.
 */
@Injectable()
export class SeenUsersRepository {
  constructor(private readonly database: Database) {}

  /** Returns the user with this id as a vendor sees it, or null if there is none. */
  async userSeenBy(vendor_id: number, id: number): Promise<SeenUser | null> {
    return (await this.usersSeenBy(vendor_id, [id]))[0] ?? null;
  }

  /**
   * Returns the users with these ids as a vendor sees them. Unknown ids are skipped. A vendor sees
   * the names from its own source or upstream, and the operator's names of the affiliates that the
   * operator's records gave to it, whichever came last. It never sees names from another vendor's
   * source.
   */
  usersSeenBy(vendor_id: number, ids: readonly number[], reader: Reader = this.database) {
    return selectSeen<SeenUser>(reader, SELECT_SEEN, vendor_id, ids);
  }

  /**
   * Returns the users that records gave to a vendor, as the vendor sees them, in the order of their
   * ids. Not all of them are affiliates.
   */
  allSeenBy(vendor_id: number, take: number): Promise<SeenUser[]> {
    const sql = `${SELECT_SEEN} JOIN (
          SELECT user_id AS id FROM vendor_users WHERE vendor_id = ?
          UNION SELECT affiliate_id FROM vendor_affiliates WHERE vendor_id = ?
        ) known ON known.id = u.id`;
    const vendors = vendorsIn(sql, vendor_id);
    return this.database.select<SeenUser>(`${sql} ORDER BY u.id LIMIT ?`, [...vendors, take]);
  }

  /**
   * Reads those of these locked users of whom a vendor sees a name, with the record versions of the
   * vendor's own source.
   */
  async givenTo(session: Session, vendor_id: number, ids: readonly number[]) {
    const rows = await selectSeen<SeenRow>(session, SELECT_GIVEN, vendor_id, ids);
    return rows.filter(isGiven).map(({ record_version, ...content }) => {
      return { content, overruled: null, record_version };
    });
  }

  async save(session: Session, vendor_id: number, users: readonly Versioned<GivenUser>[]) {
    const rows = users.map(({ content: { id: user_id, ...said }, record_version }) => {
      return { vendor_id, user_id, ...said, record_version };
    });
    await replaceEntities(session, VendorUserEntity, rows);
  }

  /**
   * Keeps what the sources that added these locked users sent about them, for the vendors of these
   * sources only.
   */
  async keepSaid(session: Session, ids: readonly number[]): Promise<void> {
    const said = await selectByKeys<VendorUserRow>(session, SELECT_SAID, ['u.id'], ids, ALONE);
    await insertEntities(
      session,
      VendorUserEntity,
      said.map((row) => ({ ...row })),
    );
  }

  /**
   * Deletes what sources sent about locked users, if the operator gave the users to the vendors of
   * these sources.
   */
  async forget(session: Session, ids: readonly number[]): Promise<void> {
    const select = `SELECT ${OWN_KEY} FROM vendor_users own JOIN vendor_affiliates given
      ON given.vendor_id = own.vendor_id AND given.affiliate_id = own.user_id`;
    await this.remove(session, await selectByKeys(session, select, ['own.user_id'], ids));
  }

  /**
   * Gives affiliates to vendors. The operator's record is then the latest, so what a source sent
   * about the operator's users is deleted.
   * @returns the affiliates that no record of the operator had given before
   */
  async give(session: Session, affiliates: readonly VendorAffiliate[]) {
    const stored = await selectByKeys<VendorAffiliate>(
      session,
      `SELECT ${AFFILIATE.join(', ')} FROM vendor_affiliates`,
      AFFILIATE,
      affiliates.map(keyOf),
    );
    const given = new Set(stored.map((affiliate) => keyOf(affiliate).join()));
    const fresh = affiliates.filter((affiliate) => !given.has(keyOf(affiliate).join()));
    const keys = fresh.map(keyOf);
    // Another session may give the same affiliates at the same time.
    const unchanged = [{ column: 'affiliate_id', by: 'replace' }] as const;
    await upsertRows(session, 'vendor_affiliates', AFFILIATE, keys, AFFILIATE, unchanged);
    const select = `SELECT ${OWN_KEY} FROM vendor_users own JOIN users u ON u.id = own.user_id`;
    const isOperators = 'AND u.source_vendor_id IS NULL';
    const own = ['own.vendor_id', 'own.user_id'];
    await this.remove(session, await selectByKeys(session, select, own, keys, isOperators));
    return fresh;
  }

  private async remove(session: Session, users: readonly UserKey[]): Promise<void> {
    const keys = users.map(({ vendor_id, user_id }) => [vendor_id, user_id]);
    await runByKeys(session, 'DELETE FROM vendor_users', KEY, keys);
  }
}

/** @param select a SELECT without its WHERE, whose placeholders stand for the vendor */
async function selectSeen<Row extends object>(
  reader: Reader,
  select: string,
  vendor_id: number,
  ids: readonly number[],
): Promise<Row[]> {
  const vendors = vendorsIn(select, vendor_id);
  const rows: Row[] = [];
  for (let at = 0; at < ids.length; at += USERS) {
    const { sql, values } = isOneOf('u.id', ids.slice(at, at + USERS));
    rows.push(...(await reader.select<Row>(`${select} WHERE ${sql}`, [...vendors, ...values])));
  }
  return rows;
}

/** Returns the values of a statement whose parameters all are the vendor. */
function vendorsIn(sql: string, vendor_id: number): number[] {
  return Array.from(sql.matchAll(/\?/g), () => vendor_id);
}

function keyOf({ vendor_id, affiliate_id }: VendorAffiliate): SqlRow {
  return [vendor_id, affiliate_id];
}

function isGiven(row: SeenRow): row is GivenRow {
  return row.name !== null && row.email !== null;
}
