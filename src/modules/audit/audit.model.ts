import type { Author } from '../../platform/values/author.js';
import type { AuditEntryRow } from './audit-entry.entity.js';

/**
 * An audit entry describes a change: who made it, through which API application, and the state
 * before and after.
 */
export interface AuditEntry extends Author {
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

export type RecordedAuditEntry = Omit<AuditEntryRow, 'state_before' | 'state_after'> &
  Pick<AuditEntry, 'before' | 'after'>;

export interface LoggedAuditEntry extends RecordedAuditEntry {
  /**
   * True if the connection to the database was lost during the commit, so the entry may or may not
   * be stored.
   */
  readonly unknown: boolean;
}
