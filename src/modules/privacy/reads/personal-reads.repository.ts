import { Injectable } from '@nestjs/common';
import { Database, type SqlValue } from '../../../database/database.js';
import { columnsOfEntity, replaceEntities } from '../../../database/entities/entity-rows.js';
import { endOfDay, startOfDay } from '../../../common/time.js';
import { PersonalReadEntity } from './personal-read.entity.js';
import {
  textOfKeys,
  type KeptReads,
  type ReadPosition,
  type ReadsCriteria,
} from './personal-read.model.js';

const TABLE = 'personal_reads';
const COLUMNS = columnsOfEntity(PersonalReadEntity);
const OTHERS = COLUMNS.filter((column) => column !== 'record_keys').join(', ');
const NEWEST = 'ORDER BY read_at DESC, writer DESC, number DESC LIMIT ?';
const IS_BEFORE = '(read_at < ? OR (read_at = ? AND (writer < ? OR (writer = ? AND number < ?))))';

/** This row was read, and matches the criteria if `is_match` is 1. */
type LookedAt = KeptReads & { readonly is_match: number };

/**
 * Runs all SQL on reads of personal data. It is written by hand because reads are written and
 * deleted in bulk.
 */
@Injectable()
export class PersonalReadsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds rows. If it is repeated after a commit with an unknown result, it writes the same rows.
   */
  async add(reads: readonly KeptReads[]): Promise<void> {
    const rows = reads.map((read) => ({ ...read }));
    await this.database.writeIdempotent((session) =>
      replaceEntities(session, PersonalReadEntity, rows),
    );
  }

  /**
   * Returns the next rows before a position, newest first. If the criteria name a record, rows
   * contain no other record's key.
   */
  lookBefore(
    criteria: ReadsCriteria,
    position: ReadPosition | null,
    limit: number,
  ): Promise<LookedAt[]> {
    const { record } = criteria;
    const { sql, values } = rangeOf(criteria, position);
    const select = (columns: string) =>
      `SELECT ${OTHERS}, ${columns} FROM ${TABLE} WHERE ${sql} ${NEWEST}`;
    if (record === null) {
      return this.database.select(select('record_keys, 1 AS is_match'), [...values, limit]);
    }
    // A search in the text is used, because an index of keys would need a row for each read (see
    // `docs/adr/0034-personal-data-ends.md`).
    const key = textOfKeys([record.record_key]);
    const isRead = 'INSTR(record_keys, ?) > 0';
    const lists = listsWith(record.days);
    const columns = `CASE WHEN record_keys IS NULL THEN NULL ELSE ? END AS record_keys,
      CASE WHEN ${isRead} OR ${lists.sql} THEN 1 ELSE 0 END AS is_match`;
    const asked = [key, key, ...lists.values, ...values, limit];
    return this.database.select(select(columns), asked);
  }

  /**
   * Returns the first vendor after an id for whose customers reads are kept.
   * @returns null if there is none
   */
  async vendorAfter(vendor_id: number): Promise<number | null> {
    const [row] = await this.database.select<{ readonly vendor_id: number | null }>(
      `SELECT MIN(vendor_id) AS vendor_id FROM ${TABLE} WHERE vendor_id > ?`,
      [vendor_id],
    );
    return row?.vendor_id ?? null;
  }

  /**
   * Deletes the oldest rows that are older than a date-time. @returns the number of deleted rows
   */
  async deleteOldest(vendor_id: number, olderThan: string, limit: number): Promise<number> {
    const oldest = `SELECT read_at FROM ${TABLE} WHERE vendor_id = ? AND read_at < ? ORDER BY read_at LIMIT ?`;
    const values = [vendor_id, olderThan, limit];
    const rows = await this.database.select<Pick<KeptReads, 'read_at'>>(oldest, values);
    const last = rows.at(-1)?.read_at;
    if (last === undefined) return 0;
    return this.database.writeIdempotent((session) =>
      session.run(`DELETE FROM ${TABLE} WHERE vendor_id = ? AND read_at <= ?`, [vendor_id, last]),
    );
  }
}

function rangeOf({ vendor_id, first_day, last_day }: ReadsCriteria, position: ReadPosition | null) {
  const conditions = ['vendor_id = ?'];
  const values: SqlValue[] = [vendor_id];
  const add = (sql: string, ...added: readonly SqlValue[]) => {
    conditions.push(sql);
    values.push(...added);
  };
  if (first_day !== null) add('read_at >= ?', startOfDay(first_day));
  if (last_day !== null) add('read_at <= ?', endOfDay(last_day));
  if (position !== null) {
    const { read_at, writer, number } = position;
    // The first condition lets the database use the primary key.
    add(`read_at <= ? AND ${IS_BEFORE}`, read_at, read_at, read_at, writer, writer, number);
  }
  return { sql: conditions.join(' AND '), values };
}

/** Returns a condition for lists whose range has one of the days, and for lists without a range. */
function listsWith(days: readonly string[]) {
  const has = days.map(() => ' OR (first_day <= ? AND last_day >= ?)').join('');
  const range = days.length === 0 ? '' : ` AND (first_day IS NULL${has})`;
  return {
    sql: `(record_keys IS NULL${range})`,
    values: days.flatMap((day) => [day, day]),
  };
}
