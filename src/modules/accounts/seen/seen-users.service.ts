import { Injectable } from '@nestjs/common';
import { Database, type Reader, type Session } from '../../../database/database.js';
import type { Stored } from '../../../ledger-format/overruled-fields.js';
import type { Versioned } from '../../../ledger-format/record-version.js';
import type { GivenUser, SeenUser, VendorAffiliate } from './seen-user.model.js';
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
  usersSeenBy(
    vendor_id: number,
    ids: readonly number[],
    reader: Reader = this.database,
  ): Promise<SeenUser[]> {
    return this.repository.seenBy(reader, vendor_id, ids);
  }

  /**
   * Reads those of these locked users of whom a vendor sees a name, with the record versions of the
   * vendor's own source.
   */
  usersGivenTo(
    session: Session,
    vendor_id: number,
    ids: readonly number[],
  ): Promise<Stored<GivenUser>[]> {
    return this.repository.givenTo(session, vendor_id, ids);
  }

  /** Stores what a vendor's own source sent about locked users. */
  saveGiven(
    session: Session,
    vendor_id: number,
    users: readonly Versioned<GivenUser>[],
  ): Promise<void> {
    return this.repository.save(session, vendor_id, users);
  }

  /**
   * Keeps what a source sent when it added these locked users, before the operator's record
   * replaces it.
   */
  keepSaid(session: Session, ids: readonly number[]): Promise<void> {
    return this.repository.keepSaid(session, ids);
  }

  /**
   * Makes all vendors see the operator's data of these locked users, if the operator's records gave
   * the users to them.
   */
  forgetGiven(session: Session, ids: readonly number[]): Promise<void> {
    return this.repository.forget(session, ids);
  }

  /**
   * Gives affiliates to vendors, as records of the operator do.
   * @returns the affiliates that no record of the operator had given before
   */
  give(
    session: Session,
    affiliates: readonly VendorAffiliate[],
  ): Promise<readonly VendorAffiliate[]> {
    return this.repository.give(session, affiliates);
  }
}
