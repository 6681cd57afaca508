import { Injectable } from '@nestjs/common';
import { isRecord } from '../../common/record-fields.js';
import { insertRows } from '../../database/bulk.js';
import { Database, type Session } from '../../database/database.js';
import type { AuditEntry, RecordedAuditEntry } from './audit.model.js';

const WRITTEN_COLUMNS = [
  'created',
  'user_id',
  'application_id',
  'source',
  'action',
  'subject',
  'state_before',
  'state_after',
] as const;
type Row = [
  ...[number, string, number, number, string | null, string, string],
  ...[string | null, string],
];

/** All SQL on the audit log. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  async add(session: Session, entries: readonly AuditEntry[], created: string): Promise<void> {
    const rows = entries.map(({ before, after, ...entry }) => {
      const { user_id, application_id, source = null, action, subject } = entry;
      const states = [before === null ? null : JSON.stringify(before), JSON.stringify(after)];
      return [created, user_id, application_id, source, action, subject, ...states];
    });
    await insertRows(session, 'audit_log', WRITTEN_COLUMNS, rows);
  }

  /** The last entries, oldest first. */
  async lastEntries(count: number): Promise<RecordedAuditEntry[]> {
    const rows = await this.database.rows<Row>(
      `SELECT id, ${WRITTEN_COLUMNS.join(', ')}
       FROM audit_log ORDER BY id DESC LIMIT ?`,
      [count],
    );
    return rows.reverse().map((row) => ({
      id: row[0],
      created: row[1],
      user_id: row[2],
      application_id: row[3],
      source: row[4],
      action: row[5],
      subject: row[6],
      before: row[7] === null ? null : stateOf(row[7]),
      after: stateOf(row[8]),
    }));
  }
}

function stateOf(text: string): object {
  const state: unknown = JSON.parse(text);
  if (!isRecord(state)) throw new Error('an audit entry holds no object');
  return state;
}
