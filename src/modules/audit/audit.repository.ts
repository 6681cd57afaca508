import { Injectable } from '@nestjs/common';
import { In, Repository } from 'typeorm';
import { isRecord } from '../../platform/values/is-record.js';
import { insertWithGeneratedIds } from '../../platform/database/bulk.js';
import type { Session } from '../../platform/database/database.js';
import { InjectRepository } from '../../platform/database/entities/inject-repository.js';
import { AuditEntryEntity, type AuditEntryRow } from './audit-entry.entity.js';
import type { AuditEntry, RecordedAuditEntry } from './audit.model.js';

const GIVEN_COLUMNS = [
  'created',
  'user_id',
  'application_id',
  'source',
  'action',
  'subject',
  'state_before',
  'state_after',
  'account_id',
] as const;

/** Runs all SQL on the audit log. */
@Injectable()
export class AuditRepository {
  constructor(
    @InjectRepository(AuditEntryEntity) private readonly entries: Repository<AuditEntryRow>,
  ) {}

  /** @returns the entry with the id that the database assigned */
  async add(session: Session, entry: AuditEntry, created: string): Promise<RecordedAuditEntry> {
    const entries = session.manager.withRepository(this.entries);
    const { identifiers } = await entries.insert(rowOf(entry, created));
    return recordedOf(entry, created, Number(identifiers[0]?.id));
  }

  /**
   * Adds the entries of a batch. The statement is written by hand: for several rows, TypeORM
   * assumes consecutive ids, which a Galera cluster does not assign.
   * @returns the entries with the ids that the database assigned
   */
  async addAll(session: Session, entries: readonly AuditEntry[], created: string) {
    const rows = entries.map((entry) => {
      const row = rowOf(entry, created);
      return GIVEN_COLUMNS.map((column) => row[column]);
    });
    const ids = await insertWithGeneratedIds(session, 'audit_log', GIVEN_COLUMNS, rows);
    return entries.map((entry, index) => recordedOf(entry, created, ids[index] ?? 0));
  }

  /** Returns the last entries, oldest first. */
  async lastEntries(count: number): Promise<RecordedAuditEntry[]> {
    const rows = await this.entries.find({ order: { id: 'DESC' }, take: count });
    return rows.reverse().map(entryOf);
  }

  async entriesByIds(ids: readonly number[]): Promise<RecordedAuditEntry[]> {
    return (await this.entries.findBy({ id: In(ids) })).map(entryOf);
  }
}

function rowOf(entry: AuditEntry, created: string) {
  const { before = null, after, source = null, account_id = entry.user_id, ...given } = entry;
  return {
    ...given,
    account_id,
    created,
    source,
    state_before: before === null ? null : JSON.stringify(before),
    state_after: JSON.stringify(after),
  };
}

function recordedOf(entry: AuditEntry, created: string, id: number): RecordedAuditEntry {
  const { user_id, application_id, source = null, action, subject, before = null, after } = entry;
  return { id, created, user_id, application_id, source, action, subject, before, after };
}

function entryOf({
  state_before,
  state_after,
  account_id: _,
  ...entry
}: AuditEntryRow): RecordedAuditEntry {
  return {
    ...entry,
    before: state_before === null ? null : stateOf(state_before),
    after: stateOf(state_after),
  };
}

function stateOf(text: string): object {
  const state: unknown = JSON.parse(text);
  if (!isRecord(state)) throw new Error('an audit entry does not contain an object');
  return state;
}
