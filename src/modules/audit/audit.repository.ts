import { Injectable } from '@nestjs/common';
import { In, Repository } from 'typeorm';
import { isRecord } from '../../common/validation/is-record.js';
import { insertWithGeneratedIds } from '../../database/bulk.js';
import type { Session } from '../../database/database.js';
import { columnsOfEntity } from '../../database/entities/entity-rows.js';
import { InjectRepository } from '../../database/entities/inject-repository.js';
import { AuditEntryEntity, type AuditEntryRow } from './audit-entry.entity.js';
import type { AuditEntry, RecordedAuditEntry } from './audit.model.js';

const GIVEN_COLUMNS = columnsOfEntity(AuditEntryEntity).filter((column) => column !== 'id');

/** Runs all SQL on the audit log. */
@Injectable()
export class AuditRepository {
  constructor(
    @InjectRepository(AuditEntryEntity) private readonly entries: Repository<AuditEntryRow>,
  ) {}

  /**
   * Adds entries. The statement is written by hand: for several rows, TypeORM assumes consecutive
   * ids, which a Galera cluster does not assign.
   * @returns the entries with the ids that the database assigned
   */
  async add(
    session: Session,
    entries: readonly AuditEntry[],
    created: string,
  ): Promise<RecordedAuditEntry[]> {
    const rows = entries.map(({ before, after, ...entry }) => [
      created,
      entry.user_id,
      entry.application_id,
      entry.source ?? null,
      entry.action,
      entry.subject,
      before === null ? null : JSON.stringify(before),
      JSON.stringify(after),
    ]);
    const ids = await insertWithGeneratedIds(session, 'audit_log', GIVEN_COLUMNS, rows);
    return entries.map(({ user_id, application_id, source = null, ...entry }, index) => {
      const { action, subject, before, after } = entry;
      const id = ids[index] ?? 0;
      return { id, created, user_id, application_id, source, action, subject, before, after };
    });
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

function entryOf({ state_before, state_after, ...entry }: AuditEntryRow): RecordedAuditEntry {
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
