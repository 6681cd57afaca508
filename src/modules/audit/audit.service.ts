import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { valueOf } from '../../config/declared-settings.js';
import { Settings } from '../../config/settings.js';
import type { Session } from '../../platform/database/database.js';
import { dateTimeOf } from '../../platform/values/time.js';
import { AUDIT } from './audit.feature.js';
import {
  type AuditEntry,
  auditLineOf,
  type LoggedAuditEntry,
  type RecordedAuditEntry,
} from './audit.model.js';
import { AuditRepository } from './audit.repository.js';

/** Writes and reads the audit log, which records who changed what through the service. */
@Injectable()
export class AuditService {
  private readonly isLogged: boolean;
  private readonly isJson: boolean;
  private stream: NodeJS.WritableStream = process.stdout;

  constructor(
    private readonly repository: AuditRepository,
    settings: Settings,
  ) {
    this.isLogged = valueOf(settings, AUDIT.settings.auditLog);
    this.isJson = settings.environment === 'production';
  }

  /**
   * Changes the output of log lines. Commands need this, because their standard output is for their
   * own results.
   */
  logTo(stream: NodeJS.WritableStream): void {
    this.stream = stream;
  }

  /** Adds an entry in the transaction of the change itself, so that both are stored or neither. */
  async record(session: Session, entry: AuditEntry): Promise<void> {
    const recorded = await this.repository.add(session, entry, dateTimeOf(new Date()));
    this.logAfterwards(session, [recorded]);
  }

  /** Adds several entries in few statements. */
  async recordAll(session: Session, entries: readonly AuditEntry[]): Promise<void> {
    const recorded = await this.repository.addAll(session, entries, dateTimeOf(new Date()));
    this.logAfterwards(session, recorded);
  }

  /**
   * Returns the logged entries that the database lacks. All fields are compared, because after a
   * restore the database assigns the same ids again.
   */
  async missing(logged: readonly LoggedAuditEntry[]): Promise<LoggedAuditEntry[]> {
    const stored = await this.repository.entriesByIds(logged.map(({ id }) => id));
    const byId = new Map(stored.map((entry) => [entry.id, entry]));
    return logged.filter(
      ({ unknown: _, ...entry }) => !isDeepStrictEqual(byId.get(entry.id), entry),
    );
  }

  lastEntries(count: number): Promise<RecordedAuditEntry[]> {
    return this.repository.lastEntries(count);
  }

  /**
   * Writes a copy of each entry to the log after the commit, which people with access to the
   * database cannot change. The log level does not apply to these lines.
   */
  private logAfterwards(session: Session, recorded: readonly RecordedAuditEntry[]): void {
    if (!this.isLogged || recorded.length === 0) return;
    session.onEnd((outcome) => {
      const unknown = outcome === 'unknown';
      const lines = recorded.map((entry) => auditLineOf({ ...entry, unknown }, this.isJson));
      this.stream.write(lines.join(''));
    });
  }
}
