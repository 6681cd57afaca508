import { Injectable } from '@nestjs/common';
import { insertRows } from '../../../database/bulk.js';
import { Database, type Session } from '../../../database/database.js';
import type { CancelAsker, OpenCancel, WaitingCancels } from './recurring-cancel.model.js';

const COLUMNS = [
  'pre_key',
  'claim',
  'ends',
  'idempotency_key',
  'user_id',
  'application_id',
  'asked',
  'tries',
  'next_try',
] as const;
type Row = [string, string, string, string, number, number, string | null, number, string | null];

/** One that nobody is at, and whose next try is due. */
const IS_DUE = 'ends <= ? AND user_id > 0 AND (next_try IS NULL OR next_try <= ?)';

/** All SQL on cancels that are under way. */
@Injectable()
export class CancelClaimsRepository {
  constructor(private readonly database: Database) {}

  /** Reads a cancel and keeps it locked until the session's end. */
  async locked(session: Session, pre_key: string): Promise<OpenCancel | null> {
    const [row] = await session.rows<Row>(
      `SELECT ${COLUMNS.join(', ')} FROM recurring_cancels
       WHERE pre_key = ? ${session.dialect.forUpdate}`,
      [pre_key],
    );
    if (row === undefined) return null;
    const [, claim, ends, idempotency_key, user_id, application_id, asked, tries, next_try] = row;
    return {
      ...{ pre_key, claim, ends, idempotency_key, user_id, application_id },
      ...{ asked: asked ?? ends, tries, next_try },
    };
  }

  async add(session: Session, cancel: OpenCancel): Promise<void> {
    const row = COLUMNS.map((column) => cancel[column]);
    await insertRows(session, 'recurring_cancels', COLUMNS, [row]);
  }

  /** Changes who is at a cancel and when it is told again. */
  async change(session: Session, cancel: OpenCancel): Promise<void> {
    const [pre_key, ...changed] = COLUMNS;
    await session.run(
      `UPDATE recurring_cancels SET ${changed.map((column) => `${column} = ?`).join(', ')}
       WHERE ${pre_key} = ?`,
      [...changed.map((column) => cancel[column]), cancel[pre_key]],
    );
  }

  async drop(session: Session, pre_key: string, claim: string): Promise<void> {
    const sql = 'DELETE FROM recurring_cancels WHERE pre_key = ? AND claim = ?';
    await session.run(sql, [pre_key, claim]);
  }

  /** @param now a moment in UTC */
  async due(now: string, most: number): Promise<(CancelAsker & { readonly pre_key: string })[]> {
    const rows = await this.database.rows<[string, number, number]>(
      `SELECT pre_key, user_id, application_id FROM recurring_cancels
       WHERE ${IS_DUE} ORDER BY next_try LIMIT ?`,
      [now, now, most],
    );
    return rows.map(([pre_key, user_id, application_id]) => ({ pre_key, user_id, application_id }));
  }

  async waiting(): Promise<WaitingCancels> {
    const [row] = await this.database.rows<[number, string | null]>(
      'SELECT COUNT(*), MIN(asked) FROM recurring_cancels WHERE tries > 0',
      [],
    );
    return { count: row?.[0] ?? 0, oldest: row?.[1] ?? null };
  }
}
