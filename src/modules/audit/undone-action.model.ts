import { formatDateTime } from '../../platform/values/time.js';
import { isRecord } from '../../platform/values/is-record.js';
import type { LoggedAuditEntry } from './audit.model.js';

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
