import { DomainError } from '../../../platform/errors/domain-error.js';

/** A requirement for every user has this `user_id`. No user has it. */
export const ALL_USERS = 0;

export const RECOVERY_CODES = 10;

export interface TwoFactorState {
  /** Time when two-factor sign-in was turned on, in UTC. Null if it is off. */
  readonly since: string | null;
  /** Number of unused recovery codes. */
  readonly codesLeft: number;
  /** True if the operator requires two-factor sign-in of this user. */
  readonly isRequired: boolean;
}

/**
 * A proposed secret has what an authenticator app needs. It is shown to the user and never logged.
 */
export interface ProposedSecret {
  /** The secret in base32. */
  readonly secret: string;
  /** The secret as an `otpauth:` link. */
  readonly link: string;
}

/** This is the result of turning two-factor sign-in on. */
export interface TurnedOn {
  /** Recovery codes in plain text. They are shown only once. */
  readonly recoveryCodes: readonly string[];
  /** New id of the password. All sessions have ended, and a new one begins with this id. */
  readonly password_id: string;
}

/** The user has no two-factor sign-in. */
export class NoTwoFactorError extends DomainError {}
