import { jsonLogLine } from '../../observability/log/log-line.js';
import { isRecord } from '../../common/validation/is-record.js';
import { RecordFields } from '../../ledger-format/record-fields.js';
import { shownText } from '../../common/shown-text.js';
import type { LoggedAuditEntry } from './audit.model.js';

const CONTEXT = 'Audit';
const PLAIN = `${CONTEXT} `;
const MOMENT = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** The line of the log: JSON in production, for people and for a later look otherwise. */
export function auditLineOf({ unknown, ...entry }: LoggedAuditEntry, isJson: boolean): string {
  const told = unknown ? { ...entry, outcome: 'unknown' } : entry;
  // What JSON lets stand, a terminal may obey all the same.
  return isJson
    ? `${shownText(jsonLogLine(CONTEXT, told).trimEnd())}\n`
    : `${PLAIN}${shownText(JSON.stringify(told))}\n`;
}

/**
 * Reads a line of the log, of either form; what collects logs may have put something before it.
 * @returns null where it is no audit line
 */
export function parseAuditLine(line: string): LoggedAuditEntry | null {
  const start = line.indexOf('{');
  // Most lines of a log are of requests.
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
    created: fields.matching('created', MOMENT, 'a moment'),
    user_id: fields.integer('user_id'),
    application_id: fields.integer('application_id'),
    source: fields.optionalText('source'),
    action: fields.text('action'),
    subject: fields.text('subject'),
    ...{ before, after, unknown: outcome === 'unknown' },
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
