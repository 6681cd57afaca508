import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not, Repository } from 'typeorm';
import { recordOf } from '../../platform/values/record-of.js';
import { selectByKeys } from '../../platform/database/bulk.js';
import { Database, type Reader, type Session } from '../../platform/database/database.js';
import { InjectRepository } from '../../platform/database/entities/inject-repository.js';
import { columnsOf } from '../../platform/database/named-rows.js';
import { StoredRecords } from '../../ledger/writes/stored-records.js';
import type { RecordChange } from '../../ledger/records/overruled-fields.js';
import { addedAndChanged } from '../../ledger/records/record-version.js';
import {
  signInEmailOf,
  UnknownAccountError,
  type ListedUser,
  type SignInAccount,
  type User,
  type UserOfSource,
  type UserRow,
} from './account.model.js';
import { countRequirements } from './sessions/two-factor.repository.js';
import { ApiApplicationEntity, USER_COLUMNS, UserEntity } from './accounts.entity.js';
import { IS_PROVISIONAL, type ProvisionalUser } from './seen/provisional-user.model.js';

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

type ProvisionalRow = Omit<ProvisionalUser, 'has_password' | 'has_application'> & {
  readonly password_of: number | null;
  readonly applications: number;
};

const USERS_PER_PAGE = 1_000;
const USER = recordOf(USER_COLUMNS, () => true as const);
const SOURCED_COLUMNS = [...USER_COLUMNS, 'source_vendor_id', 'admitted'] as const;

/**
 * Runs all SQL on users. The statements of imports, which read and write in bulk, are written by
 * hand.
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

  constructor(
    private readonly database: Database,
    @InjectRepository(UserEntity) private readonly users: Repository<UserRow>,
  ) {}

  userById(id: number): Promise<User | null> {
    return this.users.findOne({ select: USER, where: { id } });
  }

  /** @throws UnknownAccountError if there is no such user */
  async knownUser(id: number): Promise<User> {
    const user = await this.userById(id);
    if (user === null) throw unknownUser(id);
    return user;
  }

  /** Returns the users with these ids. Unknown ids are skipped. */
  usersByIds(ids: readonly number[], reader: Reader = this.database): Promise<User[]> {
    const select = `SELECT ${USER_COLUMNS.join(', ')} FROM users`;
    return selectByKeys<User>(reader, select, ['id'], ids);
  }

  /** Yields all users, ordered by id, and keeps one page of them in memory. */
  all(): AsyncGenerator<ListedUser> {
    return inPages((id) => this.listedAfter(id));
  }

  /** Yields all provisional users, ordered by id, and keeps one page of them in memory. */
  provisional(): AsyncGenerator<ProvisionalUser> {
    return inPages((id) => this.provisionalAfter(id));
  }

  private async listedAfter(id: number): Promise<ListedUser[]> {
    const rows = await this.users
      .createQueryBuilder('u')
      .select(columnsOf('u', USER_COLUMNS))
      .addSelect('p.user_id', 'password_of')
      .addSelect('t.confirmed', 'confirmed')
      .addSelect(countRequirements, 'requirements')
      .leftJoin('user_passwords', 'p', 'p.user_id = u.id')
      .leftJoin('user_two_factor', 't', 't.user_id = u.id')
      .where({ id: MoreThan(id) })
      .orderBy('u.id')
      .limit(USERS_PER_PAGE)
      .getRawMany<ListedUserRow>();
    return rows.map(({ password_of, confirmed, requirements, ...user }) => ({
      ...user,
      has_password: password_of !== null,
      has_two_factor: confirmed !== null,
      two_factor_required: requirements > 0,
    }));
  }

  private async provisionalAfter(id: number): Promise<ProvisionalUser[]> {
    const rows = await this.users
      .createQueryBuilder('u')
      .select(columnsOf('u', [...USER_COLUMNS, 'source_vendor_id']))
      .addSelect('p.user_id', 'password_of')
      .addSelect(
        (query) =>
          query
            .select('COUNT(*)')
            .from(ApiApplicationEntity, 'a')
            .where("a.user_id = u.id AND a.state = 'active' AND a.access <> 'source'"),
        'applications',
      )
      .leftJoin('user_passwords', 'p', 'p.user_id = u.id')
      .where({ id: MoreThan(id) })
      .andWhere(IS_PROVISIONAL)
      .orderBy('u.id')
      .limit(USERS_PER_PAGE)
      .getRawMany<ProvisionalRow>();
    return rows.map(({ password_of, applications, ...user }) => {
      return { ...user, has_password: password_of !== null, has_application: applications > 0 };
    });
  }

  /** Admits a locked user if a source created the user and the operator has not named the user. */
  async admit(session: Session, id: number): Promise<void> {
    const ofSource = { id, source_vendor_id: Not(IsNull()) };
    await this.in(session).update(ofSource, { admitted: 'operator' });
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
  async usersOfSource(session: Session, ids: readonly number[], source_vendor_id: number) {
    const own = (await this.rightsOf(session, ids)).filter(
      (user) => user.source_vendor_id === source_vendor_id && !hasAccess(user),
    );
    return own.map(({ id }) => id);
  }

  /** Makes the user sign in with the e-mail of the ledger from now on. */
  async resetSignInEmail(session: Session, id: number): Promise<void> {
    const user = await this.in(session).findOneBy({ id });
    if (user !== null) await this.setSignInEmail(session, id, signInEmailOf(user.email));
  }

  async setSignInEmail(session: Session, id: number, sign_in_email: string): Promise<void> {
    await this.in(session).update({ id }, { sign_in_email });
  }

  /** Returns the account with the e-mail that its user signs in with. */
  signInById(id: number): Promise<SignInAccount | null> {
    const select = { id: true, name: true, sign_in_email: true } as const;
    return this.users.findOne({ select, where: { id } });
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
    const { locked } = session.dialect;
    const found = await this.in(session).find({ select: { id: true }, where: { id }, ...locked });
    return found.length > 0;
  }

  /** Locks a user until the session ends. @throws UnknownAccountError if there is no such user */
  async lockKnownUser(session: Session, id: number): Promise<void> {
    if (!(await this.lockUser(session, id))) throw unknownUser(id);
  }

  /** Locks and returns a user with its source, or null if there is none. */
  async lockedUser(session: Session, id: number): Promise<UserOfSource | null> {
    const [stored] = await this.records.locked(session, [{ id }]);
    return stored?.content ?? null;
  }

  /** Returns the first user with this sign-in e-mail whom the operator added, or null. */
  async operatorsUserWith(session: Session, sign_in_email: string): Promise<UserOfSource | null> {
    const where = { sign_in_email, source_vendor_id: IsNull() };
    const order = { id: 'ASC' } as const;
    const found = await this.in(session).findOne({ select: { id: true }, where, order });
    return found === null ? null : this.lockedUser(session, found.id);
  }

  /** Returns the highest id of a user, or 0 if there is none. */
  async highestId(session: Session): Promise<number> {
    const highest = { select: { id: true }, order: { id: 'DESC' }, take: 1 } as const;
    const [user] = await this.in(session).find(highest);
    return user?.id ?? 0;
  }

  async isEmpty(): Promise<boolean> {
    return !(await this.users.exists());
  }

  private in({ manager }: Session): Repository<UserRow> {
    return manager.withRepository(this.users);
  }
}

/** Returns true if a user was admitted, or has a password or an application. */
export function hasAccess({ admitted, password_of, application_id }: UserRights): boolean {
  return admitted !== null || password_of !== null || application_id !== null;
}

/**
 * Yields all rows page by page.
 * @param after returns the next rows after an id, ordered by id
 */
async function* inPages<Row extends { readonly id: number }>(
  after: (id: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let last: number | undefined = 0; last !== undefined;) {
    const page: Row[] = await after(last);
    yield* page;
    last = page.at(-1)?.id;
  }
}

function unknownUser(id: number): UnknownAccountError {
  return new UnknownAccountError(`There is no user ${id}.`);
}

function withLedgerEmail(user: RecordChange<UserOfSource>): SavedUser {
  return { ...user, sign_in_email: signInEmailOf(user.content.email) };
}
