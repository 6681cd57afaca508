import { RecordFields } from '../../ledger/records/record-fields.js';
import { jsonLogLine } from '../../platform/observability/service-logger.js';
import { NO_APPLICATION, type Author } from '../../platform/values/author.js';
import { isRecord, recordIn } from '../../platform/values/is-record.js';
import { shownText } from '../../platform/values/shown-text.js';
import { formatDateTime } from '../../platform/values/time.js';
import type { AuditEntryRow } from './audit-entry.entity.js';

/** Entries that belong to no account have this `account_id`. */
export const NO_ACCOUNT = 0;

/**
 * An audit entry describes a change: who made it, through which API application, and the state
 * before and after.
 */
export interface AuditEntry extends Author {
  /** Account whose activity shows the entry: that of the author by default, or NO_ACCOUNT. */
  readonly account_id?: number | undefined;
  /** Name of the imported file. Absent for direct changes. */
  readonly source?: string;
  /** Name of the action, such as `affiliation.set`. */
  readonly action: string;
  /** Subject of the change, such as `affiliate 7, product 12`. */
  readonly subject: string;
  /** State before the change. Null or absent if the subject is new. */
  readonly before?: object | null;
  readonly after: object;
}

export type RecordedAuditEntry = Omit<
  AuditEntryRow,
  'state_before' | 'state_after' | 'account_id'
> &
  Required<Pick<AuditEntry, 'before' | 'after'>>;

export interface LoggedAuditEntry extends RecordedAuditEntry {
  /**
   * True if the connection to the database was lost during the commit, so the entry may or may not
   * be stored.
   */
  readonly unknown: boolean;
}

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
  const value = recordIn(line.slice(start));
  if (line.slice(0, start).endsWith(PLAIN)) return entryOf(value);
  return value?.context === CONTEXT ? entryOf(value.message) : null;
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

/** Advice to the operator on an action that a restore undid. */
export interface Advice {
  /**
   * True if the restore revived something that was removed, such as a revoked key or a canceled
   * subscription.
   */
  readonly urgent: boolean;
  /** Text in which `{application}`, `{id}` of the subject and `{author}` stand for their ids. */
  readonly todo: string;
  /** Arguments of the command that repeats the action, also with ids. */
  readonly command?: string;
}

/** Returns true if a key made the change: the entries on keys name the changed application. */
export function isByKey({
  application_id,
  action,
}: Pick<AuditEntry, 'application_id' | 'action'>): boolean {
  return application_id !== NO_APPLICATION && !/^(?:key|limits)\./.test(action);
}

export type State = Readonly<Record<string, unknown>>;
/** Contains the advice on each action of a service, or computes it from the state after it. */
export type UndoneActions = Readonly<
  Record<string, Advice | ((after: State, lost: LoggedAuditEntry) => Advice)>
>;

/** Returns advice on a restore that revived something that was removed. */
export function urgent(todo: string, command?: string): Advice {
  return { urgent: true, todo, ...(command !== undefined && { command }) };
}

export function routine(todo: string, command?: string): Advice {
  return { ...urgent(todo, command), urgent: false };
}

export const CLI = 'npm run cli --';

/** Returns complete advice, or null if the actions do not include the lost one. */
export function adviceIn(actions: UndoneActions, lost: LoggedAuditEntry): Advice | null {
  const found = Object.hasOwn(actions, lost.action) ? actions[lost.action] : undefined;
  if (found === undefined) return null;
  const advice =
    typeof found === 'function' ? found(stateOf(lost.after), lost) : withIds(found, lost);
  const { todo, command } = advice;
  return { ...advice, todo: command === undefined ? todo : `${todo}: ${CLI} ${command}` };
}

function withIds(advice: Advice, lost: LoggedAuditEntry): Advice {
  const filled = (text: string) =>
    text
      .replace('{application}', String(lost.application_id))
      .replace('{id}', String(lastNumberOf(lost.subject)))
      .replace('{author}', String(lost.user_id));
  const { todo, command } = advice;
  return { ...advice, todo: filled(todo), ...(command && { command: filled(command) }) };
}

export function stateOf(state: object | null): State {
  return isRecord(state) ? state : {};
}

/** Formats a stored date-time. Any other text is returned unchanged, and the command rejects it. */
export function isoOf(dateTime: string): string {
  return /^[\d-]{10} [\d:]{8}$/.test(dateTime) ? formatDateTime(dateTime) : dateTime;
}

export function lastNumberOf(subject: string): number {
  return Number(/\d{1,16}$/.exec(subject)?.[0] ?? 0);
}

/** Quotes a text for a shell if it needs quotes. */
export function shellWord(text: string): string {
  return /^[\w./:,@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
