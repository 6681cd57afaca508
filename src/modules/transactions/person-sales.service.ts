import { Injectable } from '@nestjs/common';
import { Database, type Reader, type Session } from '../../platform/database/database.js';
import {
  emailLookups,
  emailsIn,
  type EmailLookup,
} from '../../platform/database/entities/spellings.js';
import {
  isErasedAddress,
  PERSONAL_TRANSACTIONS as PERSONAL,
} from '../../ledger/records/personal-data.js';
import { startOfDay } from '../../platform/values/time.js';
import type { TransactionRecord } from '../../ledger/records/transaction.record.js';
import { LedgerLocksRepository } from '../../ledger/revisions/ledger-locks.repository.js';
import { vendorsWithLedger } from '../../ledger/reads/transaction-row.model.js';
import { TransactionWritesService } from '../../ledger/writes/transaction-writes.service.js';
import {
  EMAIL_COLUMNS,
  PersonSalesRepository,
  type PersonSale,
  type PersonSales,
  type SalePosition,
  type SoldBefore,
} from './person-sales.repository.js';

const PAGE = 200;
const NEWEST = { sale_date: '9999-12-31 23:59:59', arrival: Number.MAX_SAFE_INTEGER };

/** Identifies a person among a vendor's customers. */
export interface PersonAtVendor {
  readonly vendor_id: number;
  /** E-mail address. The case of the letters A to Z does not matter. */
  readonly email: string;
}

/** Identifies a person, and the time up to which records count. */
export interface PersonUntil extends PersonAtVendor {
  /** In UTC. */
  readonly until: string;
}

/**
 * Selects what is erased of a person, and the address that replaces the e-mail addresses. Later
 * records stay as they are.
 */
export interface Erasure extends PersonUntil {
  readonly address: string;
}

/**
 * Finds and erases the sales of a person, and removes the personal data of sales before a day. A
 * sale belongs to the person whose e-mail address it has, as that of the customer or that at the
 * payment processor.
 */
@Injectable()
export class PersonSalesService {
  constructor(
    private readonly database: Database,
    private readonly repository: PersonSalesRepository,
    private readonly writes: TransactionWritesService,
    private readonly locks: LedgerLocksRepository,
  ) {}

  /** Returns all vendors with a ledger. */
  vendorIds(): Promise<number[]> {
    return vendorsWithLedger(this.database);
  }

  async count(person: PersonAtVendor): Promise<PersonSales> {
    let total: PersonSales = { sales: 0, first_sale: null, last_sale: null };
    for (const lookup of emailLookups(EMAIL_COLUMNS, person)) {
      total = sumOf(total, await this.repository.count(this.database, lookup));
    }
    return total;
  }

  /** Yields all sales of the person, each once, in batches. */
  async *records(person: PersonAtVendor): AsyncGenerator<readonly TransactionRecord[]> {
    for await (const ids of this.keysOf(person)) {
      const placed = await this.database.write((session) => this.writes.stored(session, ids));
      yield placed.map(({ content }) => content);
    }
  }

  /**
   * Locks a vendor's ledger and raises its revision. A writer on another node of a cluster does not
   * see the lock; the new revision makes it read again which people its records must not restore.
   */
  async lock(session: Session, vendor_id: number): Promise<void> {
    await this.writes.lock(session, [vendor_id], []);
    await this.locks.raiseRevisionsOfUsers(session, [vendor_id]);
  }

  /** Returns whether the ledger has a sale of the person that was made at `until` or earlier. */
  async has(reader: Reader, person: PersonUntil): Promise<boolean> {
    return (await this.idsUntil(reader, person, 1)).length > 0;
  }

  /** Erases the person's sales with these ids in a locked ledger. */
  async erase(session: Session, erasure: Erasure, ids: readonly string[]): Promise<void> {
    await this.writes.replace(session, erasure.vendor_id, ids, (record) =>
      PERSONAL.erased(record, erasure.address),
    );
  }

  /** Yields the ids of all sales of the person, each once, in batches. */
  async *keysOf(person: PersonAtVendor): AsyncGenerator<readonly string[]> {
    for (const lookup of emailLookups(EMAIL_COLUMNS, person)) {
      for await (const sales of this.walk(lookup)) {
        yield sales.map(({ transaction_id }) => transaction_id);
      }
    }
  }

  /**
   * Returns those of these sales of a vendor that keep no personal data: their customer is erased,
   * or they were made before a day.
   * @param day null for none
   */
  async withoutPersonalData(
    vendor_id: number,
    ids: readonly string[],
    day: string | null,
  ): Promise<string[]> {
    const sales = await this.repository.emailsOf(vendor_id, ids);
    return sales
      .filter(({ customer_email, sale_date }) => {
        const isOld = day !== null && sale_date < startOfDay(day);
        return isOld || isErasedAddress(customer_email);
      })
      .map(({ transaction_id }) => transaction_id);
  }

  /** Yields all e-mail addresses of a vendor's sales, in batches. */
  emails(vendor_id: number): AsyncGenerator<readonly string[]> {
    return emailsIn(this.database, 'transactions', EMAIL_COLUMNS, vendor_id);
  }

  /** Returns true if there is a sale before a day, with or without personal data. */
  async hasBefore(reader: Reader, range: SoldBefore): Promise<boolean> {
    return (await this.repository.soldBefore(reader, range, 1)).length > 0;
  }

  /**
   * Removes the personal data of the next sales before a day, oldest first.
   * @returns the number of changed sales, and the last sale of the batch; null if no sale was left
   */
  async emptyNext(session: Session, range: SoldBefore, limit: number) {
    const sold = await this.repository.soldBefore(session, range, limit);
    const last = sold.at(-1);
    if (last === undefined) return { emptied: 0, last: null };
    const ids = sold.map(({ transaction_id }) => transaction_id);
    const emptied = await this.writes.replace(session, range.vendor_id, ids, (record) =>
      PERSONAL.isBefore(record, range.day) ? PERSONAL.emptied(record) : record,
    );
    return { emptied, last: { sale_date: last.sale_date, arrival: last.arrival } };
  }

  /** Counts the vendor's sales with personal data up to a position. */
  countPersonal(vendor_id: number, upTo: SalePosition): Promise<number> {
    return this.repository.countPersonal(vendor_id, upTo);
  }

  /** Returns the ids of up to `take` of the person's sales that were made at `until` or earlier. */
  async idsUntil(reader: Reader, person: PersonUntil, take: number): Promise<string[]> {
    const last = { sale_date: person.until, arrival: NEWEST.arrival };
    const ids: string[] = [];
    for (const lookup of emailLookups(EMAIL_COLUMNS, person)) {
      if (ids.length >= take) break;
      const found = await this.repository.salesBefore(reader, lookup, last, take - ids.length);
      ids.push(...found.map(({ transaction_id }) => transaction_id));
    }
    return ids;
  }

  private async *walk(lookup: EmailLookup): AsyncGenerator<readonly PersonSale[]> {
    const reader: Reader = this.database;
    let position: PersonSale | typeof NEWEST | undefined = NEWEST;
    while (position !== undefined) {
      const sales: PersonSale[] = await this.repository.salesBefore(reader, lookup, position, PAGE);
      if (sales.length > 0) yield sales;
      position = sales.at(-1);
    }
  }
}

function sumOf(left: PersonSales, right: PersonSales): PersonSales {
  const firsts = [left.first_sale, right.first_sale].filter((date) => date !== null).sort();
  const lasts = [left.last_sale, right.last_sale].filter((date) => date !== null).sort();
  return {
    sales: left.sales + right.sales,
    first_sale: firsts[0] ?? null,
    last_sale: lasts.at(-1) ?? null,
  };
}
