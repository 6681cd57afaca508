import { Injectable } from '@nestjs/common';
import { keysetOf } from '../../../ledger/reads/keyset.js';
import { selectByKeys } from '../../../platform/database/bulk.js';
import { Database, type Reader, type SqlValue } from '../../../platform/database/database.js';
import { startOfDay } from '../../../platform/values/time.js';
import type { ActivityKey, ActivityScope } from './activity.model.js';

const KEYS = {
  selected: 'created, id, action',
  table: 'audit_log',
  order: ['created', 'id'],
  direction: 'DESC',
  also: ' AND created >= ?',
} as const;
const OF_ACCOUNT = keysetOf({ ...KEYS, where: 'account_id = ?' });
const OF_SUBJECT = keysetOf({ ...KEYS, where: 'account_id = ? AND subject = ?' });

/**
 * Reads the keys of the audit entries of an account with hand-written SQL, newest first. Each
 * statement reads a range of one index.
 */
@Injectable()
export class ActivityRepository {
  constructor(private readonly database: Database) {}

  keysBefore(
    { account_id, subject, first_day }: ActivityScope,
    { created, id }: Pick<ActivityKey, 'created' | 'id'>,
    take: number,
  ): Promise<ActivityKey[]> {
    const keyset = subject === null ? OF_ACCOUNT : OF_SUBJECT;
    const where: SqlValue[] = subject === null ? [account_id] : [account_id, subject];
    const also = [startOfDay(first_day)];
    return this.database.select<ActivityKey>(
      keyset.sql,
      keyset.values({ where, position: [created, id], also, take }),
    );
  }

  /** Returns the time of the last entry with an action on each of these subjects. */
  async lastTimes(
    account_id: number,
    action: string,
    subjects: readonly string[],
    reader: Reader = this.database,
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await selectByKeys<{ readonly subject: string; readonly last: string }>(
      reader,
      'SELECT subject, MAX(created) AS last FROM audit_log',
      ['subject'],
      subjects,
      'AND account_id = ? AND action = ? GROUP BY subject',
      [account_id, action],
    );
    return new Map(rows.map(({ subject, last }) => [subject, last]));
  }
}
