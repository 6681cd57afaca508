import { Injectable } from '@nestjs/common';
import { valueOf } from '../../config/declared-settings.js';
import { Settings } from '../../config/settings.js';
import { AUDIT } from './audit.feature.js';
import { auditLineOf } from './audit-line.model.js';
import type { LoggedAuditEntry } from './audit.model.js';

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
