import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { auditLineOf } from './audit-line.model.js';
import type { LoggedAuditEntry } from './audit.model.js';

/**
 * What the log tells of audit entries, so that a copy is where nobody can change it who can change the
 * database. It is no matter of the log level: whoever wants fewer lines still wants these.
 */
@Injectable()
export class AuditLines {
  readonly isOn: boolean;
  private readonly isJson: boolean;
  private stream: NodeJS.WritableStream = process.stdout;

  constructor({ environment, auditLog }: Settings) {
    this.isOn = auditLog;
    this.isJson = environment === 'production';
  }

  /** For commands, whose standard output is their own. */
  writeTo(stream: NodeJS.WritableStream): void {
    this.stream = stream;
  }

  write(entries: readonly LoggedAuditEntry[]): void {
    this.stream.write(entries.map((entry) => auditLineOf(entry, this.isJson)).join(''));
  }
}
