import { Injectable } from '@nestjs/common';
import { insertRows, isOneOf, replaceRows } from '../../../database/bulk.js';
import { Database, type Reader, type Session } from '../../../database/database.js';
import type { StoredTombstone, Tombstone } from './erased-person.model.js';

const KEY = ['vendor_id', 'person'] as const;
const COLUMNS = [...KEY, 'erased_at', 'is_pending'] as const;
const ONLY_KEY = 1;
/** In one condition. */
const PEOPLE = 500;

/** All SQL on the tombstones of erased people. By hand: an import looks up the people of each batch. */
@Injectable()
export class TombstonesRepository {
  constructor(private readonly database: Database) {}

  /** The last erasure of each of these vendors that has any. */
  lastErasures(
    reader: Reader,
    vendor_ids: readonly number[],
  ): Promise<Pick<Tombstone, 'vendor_id' | 'erased_at'>[]> {
    const vendors = isOneOf('vendor_id', vendor_ids);
    return reader.select(
      `SELECT vendor_id, MAX(erased_at) AS erased_at FROM erased_people
        WHERE ${vendors.sql} GROUP BY vendor_id`,
      vendors.values,
    );
  }

  /** The tombstones of these people at these vendors. */
  async tombstonesOf(
    reader: Reader,
    vendor_ids: readonly number[],
    people: readonly string[],
  ): Promise<Tombstone[]> {
    const vendors = isOneOf('vendor_id', vendor_ids);
    const found: Tombstone[] = [];
    for (let at = 0; at < people.length; at += PEOPLE) {
      const some = isOneOf('person', people.slice(at, at + PEOPLE));
      const rows = await reader.select<Tombstone>(
        `SELECT ${KEY.join(', ')}, erased_at FROM erased_people WHERE ${vendors.sql} AND ${some.sql}`,
        [...vendors.values, ...some.values],
      );
      found.push(...rows);
    }
    return found;
  }

  async save(session: Session, tombstones: readonly StoredTombstone[]): Promise<void> {
    const rows = tombstones.map((tombstone) => COLUMNS.map((column) => tombstone[column]));
    await replaceRows(session, 'erased_people', COLUMNS, rows, KEY);
  }

  /** Everything that was stored of the person is erased. A later erasure goes on. */
  async finish(session: Session, { vendor_id, person, erased_at }: Tombstone): Promise<void> {
    await session.run(
      'UPDATE erased_people SET is_pending = 0 WHERE vendor_id = ? AND person = ? AND erased_at = ?',
      [vendor_id, person, erased_at],
    );
  }

  /** The encrypted key of the hashes, or null before the first erasure. */
  async secret(reader: Reader): Promise<string | null> {
    const [row] = await reader.select<{ readonly secret: string }>(
      'SELECT secret FROM person_keys WHERE id = ?',
      [ONLY_KEY],
    );
    return row?.secret ?? null;
  }

  /** Fails where another process has just added one; the session is then repeated. */
  async addSecret(session: Session, secret: string): Promise<void> {
    await insertRows(session, 'person_keys', ['id', 'secret'], [[ONLY_KEY, secret]]);
  }

  async replaceSecret(session: Session, secret: string): Promise<void> {
    await session.run('UPDATE person_keys SET secret = ? WHERE id = ?', [secret, ONLY_KEY]);
  }

  /** Tombstones of all vendors after this one, in the order of their keys. */
  after(
    { vendor_id, person }: Pick<Tombstone, 'vendor_id' | 'person'>,
    take: number,
  ): Promise<StoredTombstone[]> {
    return this.database.select<StoredTombstone>(
      `SELECT ${COLUMNS.join(', ')} FROM erased_people
        WHERE vendor_id > ? OR (vendor_id = ? AND person > ?) ORDER BY vendor_id, person LIMIT ?`,
      [vendor_id, vendor_id, person, take],
    );
  }
}
