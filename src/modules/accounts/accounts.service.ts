import { Injectable } from '@nestjs/common';
import { Database, type Session } from '../../database/database.js';
import type { ListedUser, User } from './account.model.js';
import { AccountsRepository } from './accounts.repository.js';

const USERS_A_PAGE = 1_000;

/** Users; their API applications are in api-applications.service.ts. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly repository: AccountsRepository,
    private readonly database: Database,
  ) {}

  async userById(id: number): Promise<User | null> {
    return this.repository.userById(id);
  }

  /** Users by their ids; of an id that there is none of, none. */
  usersByIds(ids: readonly number[]): Promise<User[]> {
    return this.repository.usersByIds(this.database, ids);
  }

  /** Every user, in the order of their ids, with no more than a page of them in memory. */
  async *users(): AsyncGenerator<ListedUser> {
    let page = await this.repository.listedAfter(0, USERS_A_PAGE);
    for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
      yield* page;
      page = await this.repository.listedAfter(last.id, USERS_A_PAGE);
    }
  }

  /** The same as a session sees them. */
  storedUsers(session: Session, ids: Iterable<number>): Promise<User[]> {
    return this.repository.usersByIds(session, ids);
  }

  /** Adds users, or replaces those of the same ids. */
  saveUsers(session: Session, users: readonly User[]): Promise<void> {
    return this.repository.saveUsers(session, users);
  }

  async isEmpty(): Promise<boolean> {
    return !(await this.repository.hasAnyUser());
  }
}
