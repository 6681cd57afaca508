import { Injectable } from '@nestjs/common';
import { isRecord } from '../../common/record-fields.js';
import { Database, type Session } from '../../database/database.js';
import type { AuditEntry, RecordedAuditEntry } from './audit.model.js';

type Row = [number, string, number, number, string, string, string | null, string];

/** All SQL on the audit log. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  async add(session: Session, entry: AuditEntry, created: string): Promise<void> {
    const { user_id, application_id, action, subject, before, after } = entry;
    await session.run(
      `INSERT INTO audit_log
         (created, user_id, application_id, action, subject, state_before, state_after)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [
        created,
        user_id,
        application_id,
        action,
        subject,
        before === null ? null : JSON.stringify(before),
        JSON.stringify(after),
      ],
    );
  }

  /** The last entries, oldest first. */
  async lastEntries(count: number): Promise<RecordedAuditEntry[]> {
    const rows = await this.database.rows<Row>(
      `SELECT id, created, user_id, application_id, action, subject, state_before, state_after
       FROM audit_log ORDER BY id DESC LIMIT ?`,
      [count],
    );
    return rows.reverse().map((row) => ({
      id: row[0],
      created: row[1],
      user_id: row[2],
      application_id: row[3],
      action: row[4],
      subject: row[5],
      before: row[6] === null ? null : stateOf(row[6]),
      after: stateOf(row[7]),
    }));
  }
}

function stateOf(text: string): object {
  const state: unknown = JSON.parse(text);
  if (!isRecord(state)) throw new Error('an audit entry holds no object');
  return state;
}
