import { Injectable } from '@nestjs/common';
import { Database, type Reader, type Session } from '../../../database/database.js';
import type { Versioned } from '../../../ledger-format/record-version.js';
import type { GivenUser, SeenUser } from './seen-user.model.js';
import { SeenUsersRepository } from './seen-users.repository.js';

/**
 * Tells how a vendor sees affiliates. It sees the names that the operator or its own source or upstream gave,
 * whichever came last, and never the names that another vendor's source gave.
 */
@Injectable()
export class SeenUsersService {
  constructor(
    private readonly repository: SeenUsersRepository,
    private readonly database: Database,
  ) {}

  /** The user with this id as a vendor sees it, or null if there is none. */
  async userSeenBy(vendor_id: number, id: number): Promise<SeenUser | null> {
    return (await this.usersSeenBy(vendor_id, [id]))[0] ?? null;
  }

  /** The users with these ids as a vendor sees them; unknown ids are skipped. */
  usersSeenBy(
    vendor_id: number,
    ids: readonly number[],
    reader: Reader = this.database,
  ): Promise<SeenUser[]> {
    return this.repository.seenBy(reader, vendor_id, ids);
  }

  /** Reads the locked users of whom a vendor sees something, with the versions of its own source's records. */
  usersGivenTo(
    session: Session,
    vendor_id: number,
    ids: readonly number[],
  ): Promise<Versioned<GivenUser>[]> {
    return this.repository.givenTo(session, vendor_id, ids);
  }

  /** Stores what a vendor's own source said of locked users. */
  saveGiven(
    session: Session,
    vendor_id: number,
    users: readonly Versioned<GivenUser>[],
  ): Promise<void> {
    return this.repository.save(session, vendor_id, users);
  }

  /** From now on every vendor sees what the operator says of these locked users. */
  forgetGiven(session: Session, ids: readonly number[]): Promise<void> {
    return this.repository.forget(session, ids);
  }
}
