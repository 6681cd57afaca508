import { Injectable, Logger } from '@nestjs/common';
import { codeOf } from '../../../platform/errors/is-error.js';
import {
  Database,
  type Reader,
  type Session,
  type SqlRow,
} from '../../../platform/database/database.js';
import type { StoredPersonalTable } from '../../../platform/database/extensions/stored-personal-tables.js';
import { ChangesRepository } from '../../../ledger/changes/changes.repository.js';
import type { WrittenRecord } from '../../../ledger/records/written-transaction.js';
import { PersonSubscriptionsService } from '../../recurring/index.js';
import {
  type Erasure,
  type PersonAtVendor,
  PersonSalesService,
  type PersonUntil,
} from '../../transactions/index.js';
import {
  both,
  ExtensionRowsRepository,
  unemptied,
  type PersonalRow,
  type RowCondition,
} from './extension-rows.repository.js';

const PAGE = 200;
/** Codes of databases for rows that a table cannot have, such as those of a unique index. */
const REJECTED =
  /^(?:SQLITE_CONSTRAINT|ER_DUP_ENTRY|ER_BAD_NULL_ERROR|ER_CONSTRAINT_FAILED|ER_CHECK_CONSTRAINT_VIOLATED|ER_SIGNAL_EXCEPTION|ER_WARNING_NON_DEFAULT_VALUE_FOR_GENERATED_COLUMN)/;

/** Tables with personal data of extensions. */
export type PersonalTableList = readonly StoredPersonalTable[];

/** Rows that are emptied together. */
interface EmptiedRows {
  readonly vendor_id: number;
  /** Their primary keys. */
  readonly ids: readonly SqlRow[];
  /** Address that replaces their e-mail, or null. */
  readonly address: string | null;
}

/** Selects the rows of a person that are erased together. */
interface RowsErasure {
  readonly erasure: Erasure;
  /** Ids of sales and keys of subscriptions that are erased in the same transaction. */
  readonly ids: readonly string[];
  readonly keys: readonly string[];
}

/**
 * Finds and erases the rows of a person in tables of extensions. Works from the stored
 * declarations, so an extension need not be installed.
 */
@Injectable()
export class ExtensionRowsService {
  private readonly logger = new Logger('Extensions');

  constructor(
    private readonly database: Database,
    private readonly repository: ExtensionRowsRepository,
    private readonly changes: ChangesRepository,
    private readonly sales: PersonSalesService,
    private readonly subscriptions: PersonSubscriptionsService,
  ) {}

  tables(): Promise<PersonalTableList> {
    return this.repository.tables();
  }

  /** Returns all vendors with a ledger, and those with rows by e-mail, in their order. */
  async vendorIds(tables: PersonalTableList): Promise<number[]> {
    const vendors = await this.sales.vendorIds();
    const byEmail = tables.filter(({ by }) => by === 'email');
    if (byEmail.length === 0) return vendors;
    const all = new Set(vendors);
    for (const table of byEmail) {
      for (const vendor_id of await this.repository.vendorIds(table)) all.add(vendor_id);
    }
    return [...all].sort((left, right) => left - right);
  }

  /** Counts the rows of a person. */
  async count(tables: PersonalTableList, person: PersonAtVendor): Promise<number> {
    let count = 0;
    for (const table of tables) {
      for await (const where of this.conditions(table, person)) {
        count += await this.repository.count(table, person.vendor_id, where);
      }
    }
    return count;
  }

  /** Yields the rows of a person with all their columns, in batches. */
  async *records(
    tables: PersonalTableList,
    person: PersonAtVendor,
  ): AsyncGenerator<readonly WrittenRecord[]> {
    const { vendor_id } = person;
    for (const table of tables) {
      for await (const where of this.conditions(table, person)) {
        const pages = inPages((after) =>
          this.repository.contents(table, { vendor_id, where, after, take: PAGE }),
        );
        for await (const rows of pages) yield rows.map(({ content }) => recordOf(table, content));
      }
    }
  }

  /** Returns true if a table by e-mail has a row of the person until a date-time. */
  async has(reader: Reader, tables: PersonalTableList, person: PersonUntil): Promise<boolean> {
    const { vendor_id, email, until } = person;
    for (const table of tables) {
      if (table.by !== 'email') continue;
      const where = this.repository.until(table, this.repository.ofEmail(table, email), until);
      const range = { vendor_id, where, after: null, take: 1 };
      if ((await this.repository.rows(reader, table, range)).length > 0) return true;
    }
    return false;
  }

  /**
   * Erases up to `take` rows of a person. It runs before the sales and subscriptions are erased,
   * because rows are found by them.
   * @returns the number of rows; if it is below `take`, none is left
   */
  async erase(
    session: Session,
    tables: PersonalTableList,
    rows: RowsErasure,
    take: number,
  ): Promise<number> {
    const { vendor_id, address } = rows.erasure;
    let erased = 0;
    for (const table of tables) {
      const where = this.erasedRows(table, rows);
      if (where === null || erased === take) continue;
      const range = { vendor_id, where, after: null, take: take - erased };
      const found = await this.repository.rows(session, table, range);
      if (found.length === 0) continue;
      const ids = found.map(({ id }) => id);
      if (await this.empty(session, table, { vendor_id, ids, address })) erased += found.length;
    }
    return erased;
  }

  /**
   * Empties rows, and adds their changes to the feed. A table that rejects this does not stop an
   * erasure of the ledger; the log names it each time.
   * @returns false if the table rejects it
   */
  async empty(session: Session, table: StoredPersonalTable, rows: EmptiedRows): Promise<boolean> {
    try {
      await this.repository.empty(session, table, rows.ids, rows.address);
    } catch (error) {
      if (!REJECTED.test(codeOf(error) ?? '')) throw error;
      const { table_name, extension } = table;
      const problem = `rejects the erasure of personal data (${codeOf(error) ?? ''})`;
      this.logger.error(`Extension ${extension}: the table ${table_name} ${problem}`);
      return false;
    }
    await this.recordChanges(session, table, rows);
    return true;
  }

  private async recordChanges(
    session: Session,
    { change, primaryKey }: StoredPersonalTable,
    { vendor_id, ids }: EmptiedRows,
  ): Promise<void> {
    if (change === null) return;
    const at = primaryKey.indexOf(change.key);
    const keys = new Set(ids.map((id) => String(id[at])));
    const changes = Array.from(keys, (record_key) => ({
      vendor_id,
      kind: change.kind,
      record_key,
    }));
    await this.changes.record(session, changes);
  }

  /** Yields the e-mails of a vendor's rows with personal data, in batches. */
  async *emails(tables: PersonalTableList, vendor_id: number): AsyncGenerator<readonly string[]> {
    for (const table of tables) {
      if (table.by !== 'email') continue;
      for await (const rows of this.unemptied(table, vendor_id)) {
        yield [...new Set(rows.map(({ key }) => key))];
      }
    }
  }

  /** Yields a vendor's rows with personal data, in batches. */
  unemptied(table: StoredPersonalTable, vendor_id: number): AsyncGenerator<readonly PersonalRow[]> {
    const where = unemptied(table);
    return inPages((after) =>
      this.repository.rows(this.database, table, { vendor_id, where, after, take: PAGE }),
    );
  }

  private erasedRows(
    table: StoredPersonalTable,
    { erasure, ids, keys }: RowsErasure,
  ): RowCondition | null {
    if (table.by === 'email') {
      const found = this.repository.ofEmail(table, erasure.email);
      return both(this.repository.until(table, found, erasure.until), unemptied(table));
    }
    const records = table.by === 'transaction' ? ids : keys;
    if (records.length === 0) return null;
    return both(this.repository.ofKeys(table, records), unemptied(table));
  }

  /** Yields conditions that together find each row of a person once. */
  private async *conditions(
    table: StoredPersonalTable,
    person: PersonAtVendor,
  ): AsyncGenerator<RowCondition> {
    if (table.by === 'email') {
      yield this.repository.ofEmail(table, person.email);
      return;
    }
    const records = table.by === 'transaction' ? this.sales : this.subscriptions;
    for await (const keys of records.keysOf(person)) yield this.repository.ofKeys(table, keys);
  }
}

/**
 * Yields rows in batches, in the order of their primary key.
 * @param read returns the next rows after a primary key, or the first rows for null
 */
async function* inPages<Row extends { readonly id: SqlRow }>(
  read: (after: SqlRow | null) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: SqlRow | null | undefined = null;
  while (after !== undefined) {
    const rows: readonly Row[] = await read(after);
    if (rows.length > 0) yield rows;
    after = rows.at(-1)?.id;
  }
}

/** Returns a row as a record of an export. Bytes are written in base64. */
function recordOf({ table_name }: StoredPersonalTable, content: WrittenRecord): WrittenRecord {
  const { vendor_id, ...rest } = Object.fromEntries(
    Object.entries(content).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ]),
  );
  return { vendor_id, type: table_name, ...rest };
}
