import { Injectable } from '@nestjs/common';
import { recordOf } from '../values/record-of.js';
import { Database, type Session } from '../database/database.js';
import type { EncryptedValues, StoredRow } from './secret-store.js';

/** Runs all SQL that re-encrypts values. */
@Injectable()
export class EncryptedValuesRepository {
  constructor(private readonly database: Database) {}

  /** Returns the next rows, ordered by their keys. @param last undefined for the first rows */
  after({ table, key }: EncryptedValues, last: StoredRow | undefined, take: number) {
    const rows = this.database.manager.getRepository<StoredRow>(table).createQueryBuilder('stored');
    if (last !== undefined) rows.where(`stored.${key} > :last`, { last: last[key] });
    return rows.orderBy(`stored.${key}`).limit(take).getMany();
  }

  /**
   * Changes the encrypted columns of a row, unless one of them has changed since it was read.
   * @returns false if one has changed
   */
  async replace(
    session: Session,
    { table, key }: EncryptedValues,
    row: StoredRow,
    changes: StoredRow,
  ): Promise<boolean> {
    const columns = [key, ...Object.keys(changes)];
    const same = recordOf(columns, (column) => row[column] ?? null);
    const update = session.manager.createQueryBuilder().update<StoredRow>(table).set(changes);
    return (await update.where(same).execute()).affected !== 0;
  }
}
