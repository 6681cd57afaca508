/** Changes by an operator with a command have this `user_id`. */
export const OPERATOR = 0;
/** Changes without a key, on the account pages or with a command, have this `application_id`. */
export const NO_APPLICATION = 0;

/** Says who makes a change: a user, with an application or without. */
export interface Author {
  /** OPERATOR for a change by a command. */
  readonly user_id: number;
  /** NO_APPLICATION for a change without a key. */
  readonly application_id: number;
}

/** Author of changes by commands, and by the service itself. */
export const BY_OPERATOR: Author = { user_id: OPERATOR, application_id: NO_APPLICATION };
