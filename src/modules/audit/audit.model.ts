/** The `user_id` of changes that an operator made with a command. */
export const OPERATOR = 0;
/** The `application_id` of changes made without a key: on the account pages or with a command. */
export const NO_APPLICATION = 0;

/** A change: who made it, through which API application, and the state before and after. */
export interface AuditEntry {
  readonly user_id: number;
  readonly application_id: number;
  /** The name of the imported file; absent for direct changes. */
  readonly source?: string;
  /** Such as `affiliation.set`. */
  readonly action: string;
  /** Such as `affiliate 7, product 12`. */
  readonly subject: string;
  /** Null if the subject is new. */
  readonly before: object | null;
  readonly after: object;
}

export interface RecordedAuditEntry extends Omit<AuditEntry, 'source'> {
  readonly id: number;
  /** In UTC. */
  readonly created: string;
  readonly source: string | null;
}

export interface LoggedAuditEntry extends RecordedAuditEntry {
  /** True if the database was lost during the commit, so the entry may or may not be stored. */
  readonly unknown: boolean;
}
