import { jsonLogLine } from '../../platform/observability/service-logger.js';
import { isRecord } from '../../platform/values/is-record.js';
import { RecordFields } from '../../ledger/records/record-fields.js';
import { shownText } from '../../platform/values/shown-text.js';
import type { LoggedAuditEntry } from './audit.model.js';

const CONTEXT = 'Audit';
const PLAIN = `${CONTEXT} `;
const DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/**
 * Returns the log line of an entry: JSON in production, otherwise readable text that can also be
 * parsed.
 */
export function auditLineOf({ unknown, ...entry }: LoggedAuditEntry, isJson: boolean): string {
  const logged = unknown ? { ...entry, outcome: 'unknown' } : entry;
  // JSON allows characters that control a terminal, so they are escaped.
  return isJson
    ? `${shownText(jsonLogLine(CONTEXT, logged).trimEnd())}\n`
    : `${PLAIN}${shownText(JSON.stringify(logged))}\n`;
}

/**
 * Reads a log line in either form, even with a prefix from a log collector.
 * @returns null if it is not an audit line
 */
export function parseAuditLine(line: string): LoggedAuditEntry | null {
  const start = line.indexOf('{');
  // Most log lines are about requests and need no parsing.
  if (start < 0 || !line.includes(CONTEXT)) return null;
  const value = parsed(line.slice(start));
  if (line.slice(0, start).endsWith(PLAIN)) return entryOf(value);
  return isRecord(value) && value.context === CONTEXT ? entryOf(value.message) : null;
}

function entryOf(value: unknown): LoggedAuditEntry | null {
  if (!isRecord(value)) return null;
  const { before, after, outcome } = value;
  if (!isRecord(after) || !(before === null || isRecord(before))) return null;
  const fields = new RecordFields(value);
  const entry = {
    id: fields.id('id'),
    created: fields.matching('created', DATE_TIME, 'a date-time'),
    user_id: fields.integer('user_id'),
    application_id: fields.integer('application_id'),
    // The rule for texts of a ledger may be stricter than in the version that wrote the log, so any
    // text is accepted.
    source: fields.optionalAnyText('source'),
    action: fields.anyText('action'),
    subject: fields.anyText('subject'),
    before,
    after,
    unknown: outcome === 'unknown',
  };
  return fields.faults.isEmpty ? entry : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
