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

/**
 * Writes a copy of each audit entry to the log, which people with access to the database cannot
 * change. The log level does not apply to these lines.
 */
@Injectable()
export class AuditLines {
  readonly isOn: boolean;
  private readonly isJson: boolean;
  private stream: NodeJS.WritableStream = process.stdout;

  constructor(settings: Settings) {
    this.isOn = valueOf(settings, AUDIT.settings.auditLog);
    this.isJson = settings.environment === 'production';
  }

  /**
   * Changes the output. Commands need this, because their standard output is for their own results.
   */
  writeTo(stream: NodeJS.WritableStream): void {
    this.stream = stream;
  }

  write(entries: readonly LoggedAuditEntry[]): void {
    this.stream.write(entries.map((entry) => auditLineOf(entry, this.isJson)).join(''));
  }
}

/** Writes and reads the audit log, which records who changed what through the service. */
@Injectable()
export class AuditService {
  constructor(
    private readonly repository: AuditRepository,
    private readonly lines: AuditLines,
  ) {}

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

  /** Writes the log lines of entries after the commit. */
  private logAfterwards(session: Session, recorded: readonly RecordedAuditEntry[]): void {
    if (!this.lines.isOn || recorded.length === 0) return;
    session.onEnd((outcome) => {
      const unknown = outcome === 'unknown';
      this.lines.write(recorded.map((entry) => ({ ...entry, unknown })));
    });
  }
}
