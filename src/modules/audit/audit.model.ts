/** The `user_id` of what an operator did by a command. */
export const OPERATOR = 0;
/** The `application_id` of what was done without a key: on the account pages or by a command. */
export const NO_APPLICATION = 0;

/** Who changed what: the user, through which API application, and what it was before and after. */
export interface AuditEntry {
  readonly user_id: number;
  readonly application_id: number;
  /** The name of the file that an import read; absent for what was asked for directly. */
  readonly source?: string;
  /** What was done, such as `affiliation.set`. */
  readonly action: string;
  /** What it was done to, such as `affiliate 7, product 12`. */
  readonly subject: string;
  /** Null where there was nothing before. */
  readonly before: object | null;
  readonly after: object;
}

export interface RecordedAuditEntry extends Omit<AuditEntry, 'source'> {
  readonly id: number;
  /** A moment in UTC. */
  readonly created: string;
  readonly source: string | null;
}

/** An entry as its line of the log tells it. */
export interface LoggedAuditEntry extends RecordedAuditEntry {
  /** True where the database was lost at the commit: nobody knows whether the entry is there. */
  readonly unknown: boolean;
}
