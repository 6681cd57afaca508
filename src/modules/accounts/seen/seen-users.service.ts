import { Injectable } from '@nestjs/common';
import { ChangeSource, type ContentCriteria } from '../../../ledger/changes/change-source.model.js';
import { Database, type Reader } from '../../../platform/database/database.js';
import type { SeenUser } from '../../../ledger/reads/seen-user.model.js';
import { SeenUsersRepository } from './seen-users.repository.js';

/**
 * Returns the data that vendors see of affiliates. A vendor sees the names from its own source or
 * upstream, and the operator's names of the affiliates that the operator's records gave to it,
 * whichever came last. It never sees names from another vendor's source.
 */
@Injectable()
export class SeenUsersService {
  constructor(
    private readonly repository: SeenUsersRepository,
    private readonly database: Database,
  ) {}

  /** Returns the user with this id as a vendor sees it, or null if there is none. */
  async userSeenBy(vendor_id: number, id: number): Promise<SeenUser | null> {
    return (await this.usersSeenBy(vendor_id, [id]))[0] ?? null;
  }

  /** Returns the users with these ids as a vendor sees them. Unknown ids are skipped. */
  usersSeenBy(vendor_id: number, ids: readonly number[], reader: Reader = this.database) {
    return this.repository.seenBy(reader, vendor_id, ids);
  }

  /** Reads and writes what sources and records of the operator say of users, for imports. */
  get said(): Omit<SeenUsersRepository, 'seenBy'> {
    return this.repository;
  }
}

/**
 * Provides the affiliates of a vendor's transactions to the feed of changes. Their key is the id.
 */
@Injectable()
export class AffiliateChangeSource extends ChangeSource {
  readonly kind = 'affiliate';

  constructor(private readonly users: SeenUsersService) {
    super();
  }

  override async contentsOf({ reader, vendor_id, record_keys }: ContentCriteria) {
    const users = await this.users.usersSeenBy(vendor_id, record_keys.map(Number), reader);
    return new Map(
      users.map(({ id, display_name }) => [String(id), JSON.stringify({ id, display_name })]),
    );
  }
}
