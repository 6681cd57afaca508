import type { AuditEntryRow } from './audit-entry.entity.js';

/** Changes by an operator with a command have this `user_id`. */
export const OPERATOR = 0;
/** Changes without a key, on the account pages or with a command, have this `application_id`. */
export const NO_APPLICATION = 0;

/**
 * An audit entry describes a change: who made it, through which API application, and the state
 * before and after.
 */
export interface AuditEntry {
  readonly user_id: number;
  readonly application_id: number;
  /** Name of the imported file. Absent for direct changes. */
  readonly source?: string;
  /** Name of the action, such as `affiliation.set`. */
  readonly action: string;
  /** Subject of the change, such as `affiliate 7, product 12`. */
  readonly subject: string;
  /** State before the change, or null if the subject is new. */
  readonly before: object | null;
  readonly after: object;
}

/** Says who makes a change: a user, with an application or without. */
export type Author = Pick<AuditEntry, 'user_id' | 'application_id'>;

/** Author of changes by commands, and by the service itself. */
export const BY_OPERATOR: Author = { user_id: OPERATOR, application_id: NO_APPLICATION };

export type RecordedAuditEntry = Omit<AuditEntryRow, 'state_before' | 'state_after'> &
  Pick<AuditEntry, 'before' | 'after'>;

export interface LoggedAuditEntry extends RecordedAuditEntry {
  /**
   * True if the connection to the database was lost during the commit, so the entry may or may not
   * be stored.
   */
  readonly unknown: boolean;
}
