import { Injectable } from '@nestjs/common';
import { isRecord } from '../../common/is-record.js';
import { insertNumberedRows, rowsByKeys } from '../../database/bulk.js';
import { Database, type Session } from '../../database/database.js';
import type { AuditEntry, RecordedAuditEntry } from './audit.model.js';

const GIVEN_COLUMNS = [
  ...['created', 'user_id', 'application_id', 'source', 'action', 'subject'],
  ...['state_before', 'state_after'],
] as const;
const SELECT = `SELECT id, ${GIVEN_COLUMNS.join(', ')} FROM audit_log`;

type Row = [
  ...[number, string, number, number, string | null, string, string],
  ...[string | null, string],
];

/** All SQL on the audit log. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** @returns the entries with the ids that the database gave them */
  async add(
    session: Session,
    entries: readonly AuditEntry[],
    created: string,
  ): Promise<RecordedAuditEntry[]> {
    const rows = entries.map(({ before, after, ...entry }) => [
      ...[created, entry.user_id, entry.application_id, entry.source ?? null],
      ...[entry.action, entry.subject],
      ...[before === null ? null : JSON.stringify(before), JSON.stringify(after)],
    ]);
    const ids = await insertNumberedRows(session, 'audit_log', GIVEN_COLUMNS, rows);
    return entries.map(({ user_id, application_id, source = null, ...entry }, index) => {
      const { action, subject, before, after } = entry;
      const id = ids[index] ?? 0;
      return { id, created, user_id, application_id, source, action, subject, before, after };
    });
  }

  /** The last entries, oldest first. */
  async lastEntries(count: number): Promise<RecordedAuditEntry[]> {
    const rows = await this.database.rows<Row>(`${SELECT} ORDER BY id DESC LIMIT ?`, [count]);
    return rows.reverse().map(entryOf);
  }

  async entriesByIds(ids: readonly number[]): Promise<RecordedAuditEntry[]> {
    const keys = ids.map((id) => [id]);
    return (await rowsByKeys<Row>(this.database, SELECT, ['id'], keys)).map(entryOf);
  }
}

function entryOf(row: Row): RecordedAuditEntry {
  return {
    id: row[0],
    created: row[1],
    user_id: row[2],
    application_id: row[3],
    source: row[4],
    action: row[5],
    subject: row[6],
    before: row[7] === null ? null : stateOf(row[7]),
    after: stateOf(row[8]),
  };
}

function stateOf(text: string): object {
  const state: unknown = JSON.parse(text);
  if (!isRecord(state)) throw new Error('an audit entry holds no object');
  return state;
}
