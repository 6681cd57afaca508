import { Injectable } from '@nestjs/common';
import { selectByKeys } from '../../database/bulk.js';
import { Database, type Reader, type Session } from '../../database/database.js';
import { StoredRecords } from '../../database/stored-records.js';
import type { RecordChange } from '../../ledger-format/overruled-fields.js';
import { addedAndChanged } from '../../ledger-format/record-version.js';
import {
  signInEmailOf,
  UnknownAccountError,
  type ListedUser,
  type SignInAccount,
  type User,
  type UserOfSource,
  type UserRow,
} from './account.model.js';
import { ALL_USERS } from './two-factor/two-factor.model.js';

/** These fields decide whether a record may change a user and which access it may remove. */
export type UserRights = Pick<UserRow, 'id' | 'sign_in_email' | 'source_vendor_id' | 'admitted'> & {
  readonly password_of: number | null;
  readonly application_id: number | null;
};

interface SavedUser extends RecordChange<UserOfSource> {
  readonly sign_in_email: string;
}

type StoredUserRow = UserOfSource & Pick<UserRow, 'record_version'>;

type ListedUserRow = User & {
  readonly password_of: number | null;
  readonly confirmed: string | null;
  readonly requirements: number;
};

const USER_COLUMNS = ['id', 'name', 'email', 'display_name', 'status'] as const;
const SOURCED_COLUMNS = [...USER_COLUMNS, 'source_vendor_id', 'admitted'] as const;

/**
 * Runs all SQL on users. Statements are written by hand: requests for affiliate terms and
 * statistics look up one user each, for which TypeORM costs much CPU time (see
 * `docs/adr/0003-own-statements.md`), and imports read and write in bulk.
 */
@Injectable()
export class AccountsRepository {
  readonly records = new StoredRecords({
    name: 'users',
    key: ['id'],
    columns: [...SOURCED_COLUMNS, 'sign_in_email', 'record_version'],
    readColumns: [...SOURCED_COLUMNS, 'record_version'],
    isLockedInOrder: true,
    contentOf: ({ record_version: _, ...user }: StoredUserRow): UserOfSource => user,
    rowOf: ({ content, sign_in_email }: SavedUser) => ({ ...content, sign_in_email }),
  });

  constructor(private readonly database: Database) {}

  async userById(id: number): Promise<User | null> {
    return (await this.usersByIds(this.database, [id]))[0] ?? null;
  }

  usersByIds(reader: Reader, ids: Iterable<number>): Promise<User[]> {
    const select = `SELECT ${USER_COLUMNS.join(', ')} FROM users`;
    return selectByKeys<User>(reader, select, ['id'], [...ids]);
  }

  /** Returns the next users after an id, ordered by id. */
  async listedAfter(id: number, limit: number): Promise<ListedUser[]> {
    const rows = await this.database.select<ListedUserRow>(
      `SELECT u.id, u.name, u.email, u.display_name, u.status, p.user_id AS password_of, t.confirmed,
         (SELECT COUNT(*) FROM two_factor_requirements r WHERE r.user_id IN (?, u.id)) AS requirements
       FROM users u LEFT JOIN user_passwords p ON p.user_id = u.id
         LEFT JOIN user_two_factor t ON t.user_id = u.id
       WHERE u.id > ? ORDER BY u.id LIMIT ?`,
      [ALL_USERS, id, limit],
    );
    return rows.map(({ password_of, confirmed, requirements, ...user }) => ({
      ...user,
      has_password: password_of !== null,
      has_two_factor: confirmed !== null,
      two_factor_required: requirements > 0,
    }));
  }

  /**
   * Inserts new users and replaces locked ones. Users who have a password keep their sign-in
   * e-mail, which only the user or the operator changes.
   */
  async saveUsers(session: Session, users: readonly RecordChange<UserOfSource>[]): Promise<void> {
    const { added, changed } = addedAndChanged(users);
    await this.records.save(session, added.map(withLedgerEmail));
    const ids = changed.map(({ content }) => content.id);
    const kept = new Map(
      (await this.rightsOf(session, ids))
        .filter(({ password_of }) => password_of !== null)
        .map(({ id, sign_in_email }) => [id, sign_in_email]),
    );
    const replaced = changed.map(withLedgerEmail).map((user) => {
      return { ...user, sign_in_email: kept.get(user.content.id) ?? user.sign_in_email };
    });
    await this.records.save(session, replaced);
  }

  /**
   * Selects the users known only from a vendor's source: those who were not admitted and have no
   * password or application.
   */
  async usersOfSource(
    session: Session,
    ids: readonly number[],
    source_vendor_id: number,
  ): Promise<number[]> {
    const own = (await this.rightsOf(session, ids)).filter(
      (user) =>
        user.source_vendor_id === source_vendor_id &&
        user.admitted === null &&
        user.password_of === null &&
        user.application_id === null,
    );
    return own.map(({ id }) => id);
  }

  /** Makes the user sign in with the e-mail of the ledger from now on. */
  async resetSignInEmail(session: Session, id: number): Promise<void> {
    for (const { email } of await this.usersByIds(session, [id])) {
      await this.setSignInEmail(session, id, signInEmailOf(email));
    }
  }

  async setSignInEmail(session: Session, id: number, sign_in_email: string): Promise<void> {
    await session.run('UPDATE users SET sign_in_email = ? WHERE id = ?', [sign_in_email, id]);
  }

  /** Returns the account with the e-mail that its user signs in with. */
  async signInById(id: number): Promise<SignInAccount | null> {
    const sql = 'SELECT id, name, sign_in_email FROM users WHERE id = ?';
    const [row] = await this.database.select<SignInAccount>(sql, [id]);
    return row ?? null;
  }

  /**
   * Returns the rights of users. The caller has locked them: passwords and applications are given
   * only to locked users.
   */
  rightsOf(session: Session, ids: readonly number[]): Promise<UserRights[]> {
    return selectByKeys<UserRights>(
      session,
      `SELECT u.id, u.sign_in_email, u.source_vendor_id, u.admitted, p.user_id AS password_of,
         (SELECT MIN(a.id) FROM api_applications a WHERE a.user_id = u.id) AS application_id
       FROM users u LEFT JOIN user_passwords p ON p.user_id = u.id`,
      ['u.id'],
      ids,
    );
  }

  /** Locks a user until the session ends. @returns false if there is no such user */
  async lockUser(session: Session, id: number): Promise<boolean> {
    const sql = `SELECT id FROM users WHERE id = ? ${session.dialect.forUpdate}`;
    return (await session.select(sql, [id])).length > 0;
  }

  /** Locks a user until the session ends. @throws UnknownAccountError if there is no such user */
  async lockKnownUser(session: Session, id: number): Promise<void> {
    if (await this.lockUser(session, id)) return;
    throw new UnknownAccountError(`There is no user ${id}.`);
  }

  async hasAnyUser(): Promise<boolean> {
    return (await this.database.select('SELECT id FROM users LIMIT 1', [])).length > 0;
  }
}

function withLedgerEmail(user: RecordChange<UserOfSource>): SavedUser {
  return { ...user, sign_in_email: signInEmailOf(user.content.email) };
}
