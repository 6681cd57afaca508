import { Injectable } from '@nestjs/common';
import { Database, type Reader, type Session } from '../../platform/database/database.js';
import type { RecordChange } from '../../ledger/records/overruled-fields.js';
import type { ListedUser, User, UserOfSource } from './account.model.js';
import { AccountsRepository } from './accounts.repository.js';

const USERS_PER_PAGE = 1_000;

/** Reads and writes users. Their API applications are in api-applications.service.ts. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly repository: AccountsRepository,
    private readonly database: Database,
  ) {}

  userById(id: number): Promise<User | null> {
    return this.repository.userById(id);
  }

  /** Returns the users with these ids. Unknown ids are skipped. */
  usersByIds(ids: readonly number[], reader: Reader = this.database): Promise<User[]> {
    return this.repository.usersByIds(reader, ids);
  }

  /** Locks a user until the session ends. @throws UnknownAccountError if there is no such user */
  lockKnownUser(session: Session, id: number): Promise<void> {
    return this.repository.lockKnownUser(session, id);
  }

  /** Yields all users, ordered by id, and keeps one page of them in memory. */
  async *users(): AsyncGenerator<ListedUser> {
    let page = await this.repository.listedAfter(0, USERS_PER_PAGE);
    for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
      yield* page;
      page = await this.repository.listedAfter(last.id, USERS_PER_PAGE);
    }
  }

  /** Locks users with their versions; `saveUsers` saves them. */
  get records(): Omit<AccountsRepository['records'], 'save'> {
    return this.repository.records;
  }

  /**
   * Inserts new users and replaces locked ones. Users who have a password keep their sign-in
   * e-mail.
   */
  saveUsers(session: Session, users: readonly RecordChange<UserOfSource>[]): Promise<void> {
    return this.repository.saveUsers(session, users);
  }

  /**
   * Selects the locked users known only from a vendor's source: those who were not admitted and
   * have no password or application.
   */
  usersOfSource(session: Session, ids: readonly number[], source_vendor_id: number) {
    return this.repository.usersOfSource(session, ids, source_vendor_id);
  }

  async isEmpty(): Promise<boolean> {
    return !(await this.repository.hasAnyUser());
  }
}
