import { Injectable } from '@nestjs/common';
import { Database, type EntityReader, type Session } from '../../../platform/database/database.js';
import { PersonSubscriptionsService } from '../../recurring/index.js';
import { PersonSalesService } from '../../transactions/index.js';
import { UpstreamsService } from '../../mirror/index.js';
import { OpenImportsRepository } from './open-imports.repository.js';
import { OpenImportsService } from './open-imports.service.js';
import { TooManyEarlyErasuresError, type ErasureReason } from './people.model.js';
import { ALL_VENDORS, type Tombstone } from '../tombstones/erased-person.model.js';
import { TombstonesRepository } from '../tombstones/tombstones.repository.js';

/** Each vendor can have this many tombstones of customers without stored data. */
const MAX_EARLY = 1_000;

export interface NewTombstone {
  /** E-mail in any letter case. */
  readonly email: string;
  readonly tombstone: Tombstone;
}

/**
 * Stores the tombstones of customers whose data is stored or may still arrive. Nobody else gets a
 * tombstone, so there are never more of them than sales and subscriptions.
 */
@Injectable()
export class NewTombstonesService {
  constructor(
    private readonly database: Database,
    private readonly tombstones: TombstonesRepository,
    private readonly sales: PersonSalesService,
    private readonly subscriptions: PersonSubscriptionsService,
    private readonly imports: OpenImportsService,
    private readonly early: OpenImportsRepository,
    private readonly upstreams: UpstreamsService,
  ) {}

  /**
   * Stores the tombstone if it is needed. It checks each vendor under a lock, so that no batch of
   * an import comes between.
   * @returns the reason for the tombstone, or null if there is none
   * @throws TooManyEarlyErasuresError if the vendor has too many tombstones without stored data
   */
  async store(person: NewTombstone): Promise<ErasureReason | null> {
    const { vendor_id } = person.tombstone;
    if (vendor_id !== ALL_VENDORS) {
      return this.database.write(async (session) => {
        if (await this.storeIfFound(session, vendor_id, person)) return 'found';
        const isArriving = await this.isArriving(vendor_id, session);
        return isArriving ? this.storeEarly(session, person) : null;
      });
    }
    const isArriving = await this.isArriving(ALL_VENDORS);
    for (const each of await this.sales.vendorIds()) {
      const isFound = await this.database.write((session) =>
        this.storeIfFound(session, each, person),
      );
      if (isFound) return 'found';
    }
    return isArriving ? this.database.write((session) => this.storeEarly(session, person)) : null;
  }

  /**
   * Returns true if an import or the first run of an upstream is unfinished, for the vendor or for
   * ALL_VENDORS.
   */
  async isArriving(vendor_id: number, reader: EntityReader = this.database): Promise<boolean> {
    if (await this.imports.isOpen(reader, vendor_id)) return true;
    return this.upstreams.hasFirstRun(reader, vendor_id === ALL_VENDORS ? null : vendor_id);
  }

  private async storeIfFound(
    session: Session,
    vendor_id: number,
    { email, tombstone }: NewTombstone,
  ): Promise<boolean> {
    await this.sales.lock(session, vendor_id);
    const person = { vendor_id, email, until: tombstone.erased_at };
    const isStored =
      (await this.sales.has(session, person)) || (await this.subscriptions.has(session, person));
    if (isStored) await this.tombstones.save(session, [tombstone]);
    return isStored;
  }

  private async storeEarly(session: Session, { tombstone }: NewTombstone): Promise<ErasureReason> {
    const count = await this.early.countEarly(session, tombstone.vendor_id);
    if (count > MAX_EARLY) throw new TooManyEarlyErasuresError(MAX_EARLY);
    await this.tombstones.save(session, [tombstone]);
    return 'early';
  }
}
