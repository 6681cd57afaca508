import { Writable } from 'node:stream';
import { AuditService } from '../../../src/modules/audit/audit.service.js';
import type { AuditEntry } from '../../../src/modules/audit/audit.model.js';
import type { TestService } from '../servers/service.js';

/** Settings that write audit entries as lines of JSON. */
export const LOGGED = { NODE_ENV: 'production', REQUIRE_HTTPS: 'off', AUDIT_LOG: 'on' };

/** Collects the audit lines that a service writes from now on. */
export function auditLinesOf(service: TestService): string[] {
  const lines: string[] = [];
  const write = (chunk: Buffer, _: string, done: () => void) => {
    lines.push(...chunk.toString().trimEnd().split('\n'));
    done();
  };
  service.app.get(AuditService).logTo(new Writable({ write }));
  return lines;
}

/** Returns the message of a log line in production. */
export function messageOf(line: string): Record<string, unknown> {
  return (JSON.parse(line) as { message: Record<string, unknown> }).message;
}

/** Returns an audit entry of a change that was not made. */
export function someEntry(subject: string, after: object = { of: subject }): AuditEntry {
  return { user_id: 1, application_id: 0, action: 'tests.set', subject, before: null, after };
}
