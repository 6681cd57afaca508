import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { InstalledFeatures } from '../../../feature.js';
import { Database, type EntityReader, type Session } from '../../../platform/database/database.js';
import type { Author } from '../../../platform/values/author.js';
import { dateTimeOf } from '../../../platform/values/time.js';
import { AccountsRepository } from '../../accounts/index.js';
import { AuditService } from '../../audit/index.js';
import { UpstreamsService } from '../../mirror/index.js';
import { PersonSubscriptionsService } from '../../recurring/index.js';
import { type Erasure, PersonSalesService } from '../../transactions/index.js';
import { ALL_VENDORS, type Tombstone } from '../tombstones/erased-person.model.js';
import { ErasuresSyncService } from '../tombstones/erasures-sync.service.js';
import { type PersonHashes, PersonKeysService } from '../tombstones/person-keys.service.js';
import { TombstonesRepository } from '../tombstones/tombstones.repository.js';
import {
  ExtensionRowsService,
  type PersonalTableList,
} from '../extension-rows/extension-rows.service.js';
import { OpenImportsRepository } from './open-imports.repository.js';
import {
  countsOf,
  emailToErase,
  type ErasedPerson,
  type ErasureOutcome,
  type ErasureReason,
  erasuresSubject,
  type PersonRecords,
  recordsOf,
  TooManyEarlyErasuresError,
} from './people.model.js';

/** Each vendor can have this many tombstones of customers without stored data. */
const MAX_EARLY = 1_000;

interface NewTombstone {
  /** E-mail in any letter case. */
  readonly email: string;
  readonly tombstone: Tombstone;
}

/** Removes texts that may quote erased data, such as answers of webhook receivers. */
@Injectable()
export class QuotedDataService {
  constructor(
    private readonly features: InstalledFeatures,
    private readonly modules: ModuleRef,
  ) {}

  async forget(session: Session, vendor_id: number): Promise<void> {
    for (const type of this.features.personalData) {
      await this.modules.get(type, { strict: false }).forgetPersonalData(session, vendor_id);
    }
  }
}

/** Maximum number of sales, of subscriptions, and of rows of extensions, in one transaction. */
const BATCH = 500;

/** This input of an erasure has the customer, the tombstone and the caller. */
interface Person extends NewTombstone {
  readonly hashes: PersonHashes;
  readonly by: Author;
}

/**
 * Erases customers. It first stores a tombstone in the database and in the file of erasures, so
 * that no later record brings the customer back. It then erases the stored data in batches. An
 * erasure that a crash or a full disk interrupted continues when the customer is erased again, when
 * the service starts, and while it runs.
 */
@Injectable()
export class ErasePersonService {
  constructor(
    private readonly database: Database,
    private readonly keys: PersonKeysService,
    private readonly tombstones: TombstonesRepository,
    private readonly file: ErasuresSyncService,
    private readonly sales: PersonSalesService,
    private readonly subscriptions: PersonSubscriptionsService,
    private readonly rows: ExtensionRowsService,
    private readonly imports: OpenImportsRepository,
    private readonly upstreams: UpstreamsService,
    private readonly quoted: QuotedDataService,
    private readonly accounts: AccountsRepository,
    private readonly audit: AuditService,
  ) {}

  /**
   * Erases the data of everything sold to the customer until now.
   * @param vendor_id null for all vendors
   * @throws InvalidPersonError, UnknownAccountError, UnreadablePersonKeyError,
   *   ForeignErasuresError, UnusableErasuresError, BusyErasuresError, TooManyEarlyErasuresError
   */
  async erase(text: string, vendor_id: number | null, by: Author): Promise<ErasureOutcome> {
    const email = emailToErase(text);
    if (vendor_id !== null) {
      await this.database.write((session) => this.accounts.lockKnownUser(session, vendor_id));
    }
    const hashes = await this.keys.ensure();
    const tombstone = {
      vendor_id: vendor_id ?? ALL_VENDORS,
      person: hashes.personOf(email),
      erased_at: dateTimeOf(new Date()),
    };
    // This check rejects an unusable file before anything is stored.
    await this.file.look();
    const reason = await this.store({ email, tombstone });
    if (reason === null) return { erased: [], reason };
    await this.file.add(tombstone);
    return { erased: await this.eraseStored({ email, tombstone, hashes, by }), reason };
  }

  /**
   * Returns true if an import or the first run of an upstream is unfinished, for the vendor or for
   * ALL_VENDORS.
   */
  async isArriving(vendor_id: number, reader: EntityReader = this.database): Promise<boolean> {
    if (await this.imports.isOpen(reader, vendor_id)) return true;
    return this.upstreams.hasFirstRun(reader, vendor_id === ALL_VENDORS ? null : vendor_id);
  }

  /** Erases the stored data of a customer whose tombstone is already stored. */
  private async eraseStored(person: Person): Promise<ErasedPerson[]> {
    const { tombstone, by } = person;
    if (tombstone.vendor_id !== ALL_VENDORS)
      return [await this.eraseAt(tombstone.vendor_id, person)];
    const erased: ErasedPerson[] = [];
    for (const vendor_id of await this.rows.vendorIds(await this.rows.tables())) {
      const one = await this.eraseAt(vendor_id, person);
      if (recordsOf(one) > 0) erased.push(one);
    }
    await this.endAtAll(tombstone, by, erased);
    return erased;
  }

  /** Ends an erasure at all vendors. */
  endAtAll(tombstone: Tombstone, by: Author, erased: readonly ErasedPerson[]): Promise<void> {
    return this.database.write(async (session) => {
      await this.tombstones.finish(session, tombstone);
      const { sales, ...others } = countsOf(
        sumOf(erased, 'sales'),
        sumOf(erased, 'recurring_payments'),
        sumOf(erased, 'extension_rows'),
      );
      const { vendor_id, person, erased_at } = tombstone;
      const total = { sales, vendors: erased.length, ...others };
      const after = { vendor_id, person, erased_at, ...total };
      await this.record(session, by, ALL_VENDORS, after);
    });
  }

  /**
   * Erases a vendor's data of the customer in batches. The last batch writes the audit log entry,
   * which does not name the customer.
   */
  async eraseAt(vendor_id: number, person: Person): Promise<ErasedPerson> {
    const { email, tombstone, hashes, by } = person;
    const until = tombstone.erased_at;
    const erasure = { vendor_id, email, until, address: hashes.addressAt(vendor_id, email) };
    const isOnly = tombstone.vendor_id === vendor_id;
    const tables = await this.rows.tables();
    let done: ErasedPerson = { vendor_id, sales: 0, recurring_payments: 0 };
    for (;;) {
      const { erased, isLast } = await this.database.writeErasing(async (session) => {
        const { isLast, ...some } = await this.eraseSome(session, erasure, tables);
        const erased = {
          vendor_id,
          ...countsOf(
            done.sales + some.sales,
            done.recurring_payments + some.recurring_payments,
            (done.extension_rows ?? 0) + some.extension_rows,
          ),
        };
        if (isLast && (isOnly || recordsOf(erased) > 0)) {
          const after = { ...erased, person: tombstone.person, erased_at: until };
          await this.record(session, by, vendor_id, after);
        }
        if (isLast && isOnly) await this.tombstones.finish(session, tombstone);
        return { erased, isLast };
      });
      if (isLast) return erased;
      done = erased;
    }
  }

  /**
   * Stores the tombstone of a customer whose data is stored or may still arrive. Nobody else gets
   * one, so there are never more of them than sales and subscriptions. It checks each vendor under
   * a lock, so that no batch of an import comes between.
   * @returns the reason for the tombstone, or null if there is none
   * @throws TooManyEarlyErasuresError if the vendor has too many tombstones without stored data
   */
  private async store(person: NewTombstone): Promise<ErasureReason | null> {
    const { vendor_id } = person.tombstone;
    const tables = await this.rows.tables();
    if (vendor_id !== ALL_VENDORS) {
      return this.database.write(async (session) => {
        if (await this.storeIfFound(session, vendor_id, person, tables)) return 'found';
        const isArriving = await this.isArriving(vendor_id, session);
        return isArriving ? this.storeEarly(session, person) : null;
      });
    }
    const isArriving = await this.isArriving(ALL_VENDORS);
    for (const each of await this.rows.vendorIds(tables)) {
      const isFound = await this.database.write((session) =>
        this.storeIfFound(session, each, person, tables),
      );
      if (isFound) return 'found';
    }
    return isArriving ? this.database.write((session) => this.storeEarly(session, person)) : null;
  }

  private async storeIfFound(
    session: Session,
    vendor_id: number,
    { email, tombstone }: NewTombstone,
    tables: PersonalTableList,
  ): Promise<boolean> {
    await this.sales.lock(session, vendor_id);
    const person = { vendor_id, email, until: tombstone.erased_at };
    const isStored =
      (await this.sales.has(session, person)) ||
      (await this.subscriptions.has(session, person)) ||
      (await this.rows.has(session, tables, person));
    if (isStored) await this.tombstones.save(session, [tombstone]);
    return isStored;
  }

  private async storeEarly(session: Session, { tombstone }: NewTombstone): Promise<ErasureReason> {
    const count = await this.imports.countEarly(session, tombstone.vendor_id);
    if (count > MAX_EARLY) throw new TooManyEarlyErasuresError(MAX_EARLY);
    await this.tombstones.save(session, [tombstone]);
    return 'early';
  }

  /** Erases up to a batch. `isLast` is false if there may be more. */
  private async eraseSome(session: Session, erasure: Erasure, tables: PersonalTableList) {
    await this.sales.lock(session, erasure.vendor_id);
    const ids = await this.sales.idsUntil(session, erasure, BATCH);
    const keys = await this.subscriptions.keysUntil(session, erasure, BATCH);
    const extension_rows = await this.rows.erase(session, tables, { erasure, ids, keys }, BATCH);
    if (extension_rows === BATCH) {
      return { sales: 0, recurring_payments: 0, extension_rows, isLast: false };
    }
    await this.sales.erase(session, erasure, ids);
    const replaced = await this.subscriptions.erase(session, erasure, keys);
    const sales = ids.length;
    const recurring_payments = replaced === 0 ? 0 : keys.length;
    if (sales + recurring_payments > 0) await this.quoted.forget(session, erasure.vendor_id);
    const isLast = sales < BATCH && recurring_payments < BATCH;
    return { sales, recurring_payments, extension_rows, isLast };
  }

  /** @param vendor_id ALL_VENDORS for the end of an erasure at all of them */
  private record(session: Session, by: Author, vendor_id: number, after: object): Promise<void> {
    return this.audit.record(session, {
      ...by,
      account_id: vendor_id,
      action: 'person.erase',
      subject: vendor_id === ALL_VENDORS ? 'person at all vendors' : erasuresSubject(vendor_id),
      after,
    });
  }
}

function sumOf(erased: readonly ErasedPerson[], count: keyof PersonRecords): number {
  return erased.reduce((sum, each) => sum + (each[count] ?? 0), 0);
}
