import { Injectable } from '@nestjs/common';
import { isOneOf, runByKeys, selectByKeys } from '../../../database/bulk.js';
import type { Reader, Session, SqlRow } from '../../../database/database.js';
import { replaceEntities } from '../../../database/entities/entity-rows.js';
import { versionedOf, type Versioned } from '../../../ledger-format/record-version.js';
import { seenColumn, type GivenUser, type SeenUser } from './seen-user.model.js';
import { VendorUserEntity, type VendorUserRow } from './vendor-user.entity.js';

const KEY = ['vendor_id', 'user_id'] as const;
/** Users of one statement. */
const USERS = 512;

const SEEN = `u.id, ${seenColumn('name', '?')} AS name, ${seenColumn('email', '?')} AS email,
    ${seenColumn('display_name', '?')} AS display_name`;
const FROM = `FROM users u LEFT JOIN vendor_users own ON own.vendor_id = ? AND own.user_id = u.id`;
const SELECT_SEEN = `SELECT ${SEEN} ${FROM}`;
/** A name from the operator has no version of the vendor's source. */
const SELECT_GIVEN = `SELECT ${SEEN},
    CASE WHEN own.user_id IS NOT NULL THEN own.record_version
      WHEN u.source_vendor_id = ? THEN u.record_version END AS record_version ${FROM}`;

type SeenRow = SeenUser & Pick<VendorUserRow, 'record_version'>;
type GivenRow = GivenUser & Pick<VendorUserRow, 'record_version'>;

/**
 * All SQL on `vendor_users` but the joins of lists. By hand: statistics and relationships look up one user for
 * each request, as accounts.repository.ts does, and imports read and write in bulk.
 */
@Injectable()
export class SeenUsersRepository {
  /** Each of these users, with what a vendor sees. */
  async seenBy(reader: Reader, vendor_id: number, ids: readonly number[]): Promise<SeenUser[]> {
    const seen: SeenUser[] = [];
    for (let at = 0; at < ids.length; at += USERS) {
      const { sql, values } = isOneOf('u.id', ids.slice(at, at + USERS));
      const all = [vendor_id, vendor_id, vendor_id, vendor_id, ...values];
      seen.push(...(await reader.select<SeenUser>(`${SELECT_SEEN} WHERE ${sql}`, all)));
    }
    return seen;
  }

  /** Reads the locked users of whom a vendor sees something, with the versions of its own source's records. */
  async givenTo(
    session: Session,
    vendor_id: number,
    ids: readonly number[],
  ): Promise<Versioned<GivenUser>[]> {
    const given: Versioned<GivenUser>[] = [];
    for (let at = 0; at < ids.length; at += USERS) {
      const { sql, values } = isOneOf('u.id', ids.slice(at, at + USERS));
      const all = [vendor_id, vendor_id, vendor_id, vendor_id, vendor_id, ...values];
      const rows = await session.select<SeenRow>(`${SELECT_GIVEN} WHERE ${sql}`, all);
      given.push(...rows.filter(isGiven).map(versionedOf));
    }
    return given;
  }

  async save(
    session: Session,
    vendor_id: number,
    users: readonly Versioned<GivenUser>[],
  ): Promise<void> {
    const rows = users.map(({ content: { id: user_id, ...said }, record_version }) => {
      return { vendor_id, user_id, ...said, record_version };
    });
    await replaceEntities(session, VendorUserEntity, rows);
  }

  /** Forgets what the sources of all vendors said of locked users. */
  async forget(session: Session, ids: readonly number[]): Promise<void> {
    const users = ids.map((id): SqlRow => [id]);
    const select = `SELECT ${KEY.join(', ')} FROM vendor_users`;
    const found = await selectByKeys<VendorUserRow>(session, select, ['user_id'], users);
    const keys = found.map((row) => KEY.map((column) => row[column]));
    await runByKeys(session, 'DELETE FROM vendor_users', KEY, keys);
  }
}

function isGiven(row: SeenRow): row is GivenRow {
  return row.name !== null && row.email !== null;
}
