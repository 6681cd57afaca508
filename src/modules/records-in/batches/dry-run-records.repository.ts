import { createHash } from 'node:crypto';
import { replaceRows, selectByKeys } from '../../../platform/database/bulk.js';
import type { Session, SqlRow } from '../../../platform/database/database.js';
import type { Stored } from '../../../ledger/records/overruled-fields.js';
import type { RecordType } from '../../../ledger/records/record-type.js';
import type { ProductCount } from '../../products/index.js';

const TABLE = 'dry_run_records';
const KEY = ['name'] as const;
/** Type of the rows that count the records of a product. */
const BELONGINGS = 'belongings';
const COLUMNS = [...KEY, 'record'] as const;

/**
 * The table contains only ASCII, so the charset and the collation of the database do not matter.
 */
export const DRY_RUN_RECORDS_TABLE = `CREATE TEMPORARY TABLE ${TABLE} (name CHAR(64) NOT NULL PRIMARY KEY, record LONGTEXT NOT NULL)`;

interface DryRunRecord<Content extends object> extends Stored<Content> {
  /** Set if the record may not move to another vendor. */
  readonly vendor_id: number | null;
}

/**
 * Stores the records that the batches of a dry run would have written so far, for later batches
 * that refer to them or change them. They are in a table because a file may be larger than memory.
 */
export class DryRunRecordsRepository {
  constructor(private readonly session: Session) {}

  /** Returns the records with these identities that earlier batches would have stored. */
  async of<Content extends object>(
    type: RecordType,
    identities: Iterable<string>,
  ): Promise<Map<string, DryRunRecord<Content>>> {
    const names = new Map([...identities].map((identity) => [nameOf(type, identity), identity]));
    const rows = await this.rowsOf(names.keys());
    const found = new Map<string, DryRunRecord<Content>>();
    for (const { name, record } of rows) {
      // `put` wrote this JSON, so it has this type.
      found.set(names.get(name) ?? '', JSON.parse(record) as DryRunRecord<Content>);
    }
    return found;
  }

  /**
   * Counts the records of each product that earlier batches would have added, minus those that they
   * would have moved to another product.
   */
  async belongings(product_ids: readonly number[]): Promise<ProductCount[]> {
    const names = new Map(product_ids.map((id) => [nameOf(BELONGINGS, String(id)), id]));
    const rows = await this.rowsOf(names.keys());
    return rows.map(({ name, record }) => {
      return { product_id: names.get(name) ?? 0, found: Number(record) };
    });
  }

  private rowsOf(names: Iterable<string>): Promise<Record<(typeof COLUMNS)[number], string>[]> {
    const select = `SELECT ${COLUMNS.join(', ')} FROM ${TABLE}`;
    return selectByKeys(this.session, select, KEY, [...names]);
  }

  /** @param changes change of the count, by product id */
  async addBelongings(changes: ReadonlyMap<number, number>): Promise<void> {
    const before = await this.belongings([...changes.keys()]);
    const known = new Map(before.map(({ product_id, found }) => [product_id, found]));
    const rows = Array.from(changes, ([id, change]): SqlRow => {
      return [nameOf(BELONGINGS, String(id)), String((known.get(id) ?? 0) + change)];
    });
    await replaceRows(this.session, TABLE, COLUMNS, rows, KEY);
  }

  async put(type: RecordType, records: ReadonlyMap<string, DryRunRecord<object>>): Promise<void> {
    const rows = Array.from(records, ([identity, record]): SqlRow => [
      nameOf(type, identity),
      asciiOf(record),
    ]);
    await replaceRows(this.session, TABLE, COLUMNS, rows, KEY);
  }
}

function nameOf(type: RecordType | typeof BELONGINGS, identity: string): string {
  return createHash('sha256').update(`${type} ${identity}`).digest('hex');
}

function asciiOf(record: object): string {
  return JSON.stringify(record).replace(
    /[\u0080-\uffff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
