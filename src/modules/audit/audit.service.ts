import { Injectable } from '@nestjs/common';
import { momentOf } from '../../common/time.js';
import type { Session } from '../../database/database.js';
import type { AuditEntry, RecordedAuditEntry } from './audit.model.js';
import { AuditRepository } from './audit.repository.js';

/** The record of what was changed through the service, and by whom. */
@Injectable()
export class AuditService {
  constructor(private readonly repository: AuditRepository) {}

  /** Adds an entry in the transaction of the change itself: neither is there without the other. */
  record(session: Session, entry: AuditEntry): Promise<void> {
    return this.recordAll(session, [entry]);
  }

  /** The same for any number of entries. */
  recordAll(session: Session, entries: readonly AuditEntry[]): Promise<void> {
    return this.repository.add(session, entries, momentOf(new Date()));
  }

  lastEntries(count: number): Promise<RecordedAuditEntry[]> {
    return this.repository.lastEntries(count);
  }
}
