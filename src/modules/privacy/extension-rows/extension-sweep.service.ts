import { Injectable, Logger } from '@nestjs/common';
import { ChangesRepository } from '../../../ledger/changes/changes.repository.js';
import { Database, type SqlRow } from '../../../platform/database/database.js';
import type { StoredPersonalTable } from '../../../platform/database/extensions/stored-personal-tables.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { startOfDay } from '../../../platform/values/time.js';
import { isErasedAddress } from '../../../ledger/records/personal-data.js';
import { PersonSubscriptionsService } from '../../recurring/index.js';
import { PersonSalesService } from '../../transactions/index.js';
import { RetentionRepository } from '../retention/retention.repository.js';
import { ErasedPeopleService } from '../tombstones/erased-people.service.js';
import { ALL_VENDORS } from '../tombstones/erased-person.model.js';
import { TombstonesRepository } from '../tombstones/tombstones.repository.js';
import { ExtensionRowsRepository, type PersonalRow } from './extension-rows.repository.js';
import { ExtensionRowsService } from './extension-rows.service.js';

/** Kinds of the records of the ledger that rows belong to. */
const KINDS = {
  transaction: 'transaction',
  subscription: 'recurring_payment',
  email: null,
} as const;

/** Restricts a sweep. */
interface SweptRows {
  readonly extension?: string;
  readonly vendor_id?: number;
  /** Ends the sweep after the current batch. */
  readonly signal?: AbortSignal;
}

/** Outcome of a sweep of one table. */
export interface SweptTable {
  readonly table: string;
  /** Number of emptied rows; null if the table has no personal data, or no longer exists. */
  readonly rows: number | null;
}

/** The database knows no table of an extension with this name. */
class UnknownExtensionError extends DomainError {
  constructor(name: string) {
    super(`There is no table of an extension ${name}.`);
  }
}

/** Rules of a vendor that apply to rows of extensions. */
interface VendorRules {
  readonly vendor_id: number;
  /** Older data is not kept. Null for no such day. */
  readonly day: string | null;
  /** True if a customer was erased. */
  readonly hasErasures: boolean;
}

/** Rows to empty, and the address that replaces their e-mail; null for none. */
interface EmptiedRows {
  readonly ids: readonly SqlRow[];
  readonly address: string | null;
}

/**
 * Applies all erasures and retention to tables of extensions: a row may have been written after the
 * sale was erased, or restored from a backup. Several processes may do so at the same time.
 */
@Injectable()
export class ExtensionSweepService {
  private readonly logger = new Logger('Extensions');

  constructor(
    private readonly database: Database,
    private readonly repository: ExtensionRowsRepository,
    private readonly rows: ExtensionRowsService,
    private readonly sales: PersonSalesService,
    private readonly subscriptions: PersonSubscriptionsService,
    private readonly tombstones: TombstonesRepository,
    private readonly erased: ErasedPeopleService,
    private readonly retention: RetentionRepository,
    private readonly changes: ChangesRepository,
  ) {}

  /**
   * Empties the rows whose customer is erased, whose sale or subscription is older than the vendor
   * keeps personal data, or has left the ledger.
   * @returns the number of emptied rows of each table
   */
  async sweep({ extension, vendor_id, signal }: SweptRows = {}): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const table of await this.repository.tables(extension)) {
      counts.set(table.table_name, 0);
      const vendors =
        vendor_id === undefined ? await this.repository.vendorIds(table) : [vendor_id];
      for (const rules of await this.rulesOf(vendors, table)) {
        for await (const emptied of this.sweepVendor(table, rules)) {
          counts.set(table.table_name, (counts.get(table.table_name) ?? 0) + emptied);
          if (signal?.aborted === true) return counts;
        }
      }
    }
    for (const [table, emptied] of counts) {
      if (emptied > 0) this.logger.log(`Personal data in ${emptied} rows of ${table} was emptied`);
    }
    return counts;
  }

  /**
   * Sweeps the tables of one extension.
   * @throws UnknownExtensionError
   */
  async sweepTablesOf(extension: string): Promise<SweptTable[]> {
    const tables = await this.repository.tableNames(extension);
    if (tables.length === 0) throw new UnknownExtensionError(extension);
    const counts = await this.sweep({ extension });
    return tables.map((table) => ({ table, rows: counts.get(table) ?? null }));
  }

  /** Returns all vendors that may have personal data. */
  async vendorIds(): Promise<number[]> {
    return this.rows.vendorIds(await this.rows.tables());
  }

  /** Returns true if a table by e-mail has rows of a vendor that are older than a day. */
  async hasBefore(vendor_id: number, day: string): Promise<boolean> {
    for (const table of await this.rows.tables()) {
      if (table.by !== 'email') continue;
      for await (const rows of this.rows.unemptied(table, vendor_id)) {
        if (rows.some(({ date }) => date < startOfDay(day))) return true;
      }
    }
    return false;
  }

  /** Returns the vendors whose rows must be read, so that a sweep without a rule reads none. */
  private async rulesOf(
    vendors: readonly number[],
    { by }: StoredPersonalTable,
  ): Promise<VendorRules[]> {
    if (vendors.length === 0) return [];
    const erasures = await this.tombstones.lastErasures(this.database, [ALL_VENDORS, ...vendors]);
    const erasing = new Set(erasures.map(({ vendor_id }) => vendor_id));
    const retained = await this.retention.retainedFrom(this.database, vendors);
    const days = new Map(
      retained.map(({ vendor_id, retained_from }) => [vendor_id, retained_from]),
    );
    const rules: VendorRules[] = [];
    for (const vendor_id of vendors) {
      const day = days.get(vendor_id) ?? null;
      const hasErasures = erasing.has(ALL_VENDORS) || erasing.has(vendor_id);
      const isDue = hasErasures || day !== null;
      const kind = KINDS[by];
      const hasRemoved =
        !isDue && kind !== null && (await this.changes.hasRemoved(vendor_id, kind));
      if (isDue || hasRemoved) rules.push({ vendor_id, day, hasErasures });
    }
    return rules;
  }

  /** Yields the number of rows that each batch emptied. */
  private async *sweepVendor(
    table: StoredPersonalTable,
    rules: VendorRules,
  ): AsyncGenerator<number> {
    for await (const rows of this.rows.unemptied(table, rules.vendor_id)) {
      const due = (await this.dueAmong(table, rows, rules)).filter(({ ids }) => ids.length > 0);
      if (due.length === 0) continue;
      await this.database.writeErasing(async (session) => {
        for (const { ids, address } of due) {
          await this.rows.empty(session, table, { vendor_id: rules.vendor_id, ids, address });
        }
      });
      yield due.reduce((sum, { ids }) => sum + ids.length, 0);
    }
  }

  private async dueAmong(
    { by }: StoredPersonalTable,
    rows: readonly PersonalRow[],
    rules: VendorRules,
  ): Promise<EmptiedRows[]> {
    const { vendor_id, day } = rules;
    const kind = KINDS[by];
    if (kind === null) return this.dueByEmail(rows, rules);
    const keys = [...new Set(rows.map(({ key }) => key))];
    const old =
      kind === 'transaction'
        ? await this.sales.withoutPersonalData(vendor_id, keys, day)
        : await this.subscriptions.withoutPersonalData(keys, day);
    const removed = await this.changes.removedAmong(vendor_id, kind, keys);
    const due = new Set([...old, ...removed]);
    const ids = rows.filter(({ key }) => due.has(key)).map(({ id }) => id);
    return [{ ids, address: null }];
  }

  /** Old rows lose the e-mail, too; those of erased customers get the address in its place. */
  private async dueByEmail(
    rows: readonly PersonalRow[],
    { vendor_id, day, hasErasures }: VendorRules,
  ): Promise<EmptiedRows[]> {
    const isOld = ({ date }: PersonalRow) => day !== null && date < startOfDay(day);
    const due = new Map<string | null, SqlRow[]>([[null, rows.filter(isOld).map(({ id }) => id)]]);
    const others = rows
      .filter((row) => hasErasures && !isOld(row))
      .map((row) => ({ vendor_id, emails: [row.key], date: row.date, id: row.id }));
    if (others.length === 0) return listOf(due);
    const addressOf = await this.erased.among(this.database, others);
    for (const row of others) {
      const [email = ''] = row.emails;
      const address = isErasedAddress(email) ? email : addressOf(row);
      if (address !== null) due.set(address, [...(due.get(address) ?? []), row.id]);
    }
    return listOf(due);
  }
}

function listOf(due: ReadonlyMap<string | null, readonly SqlRow[]>): EmptiedRows[] {
  return Array.from(due, ([address, ids]) => ({ address, ids }));
}
