import { Injectable } from '@nestjs/common';
import { Database, type Reader, type Session } from '../../../database/database.js';
import type { Versioned } from '../../../ledger-format/record-version.js';
import type { GivenUser, SeenUser, VendorAffiliate } from './seen-user.model.js';
import { SeenUsersRepository } from './seen-users.repository.js';

/**
 * Tells how a vendor sees affiliates. It sees the names that its own source or upstream gave, and those of the
 * operator for the affiliates whom the operator's records gave to it, whichever came last. It never sees the names
 * that another vendor's source gave.
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

  /** Keeps what a source said when it added these locked users, before the operator's record replaces it. */
  keepSaid(session: Session, ids: readonly number[]): Promise<void> {
    return this.repository.keepSaid(session, ids);
  }

  /** Shows what the operator says of locked users to all vendors to whom its records gave them. */
  forgetGiven(session: Session, ids: readonly number[]): Promise<void> {
    return this.repository.forget(session, ids);
  }

  /**
   * Gives affiliates to vendors, as records of the operator do.
   * @returns those whom no record of the operator had given before
   */
  give(
    session: Session,
    affiliates: readonly VendorAffiliate[],
  ): Promise<readonly VendorAffiliate[]> {
    return this.repository.give(session, affiliates);
  }
}
