/** The `user_id` of the requirement that holds for every user. No user has it. */
export const ALL_USERS = 0;

export const RECOVERY_CODES = 10;

export interface TwoFactorState {
  /** In UTC; null if it is off. */
  readonly since: string | null;
  /** Recovery codes that were not used yet. */
  readonly codesLeft: number;
  /** True if the operator requires it of this user. */
  readonly isRequired: boolean;
}

/** What an authenticator app needs. Shown to the user, never logged. */
export interface ProposedSecret {
  /** In base32. */
  readonly secret: string;
  /** The same as an `otpauth:` link. */
  readonly link: string;
}

/** What turning it on gave. */
export interface TurnedOn {
  /** In plain text, for the only time. */
  readonly recoveryCodes: readonly string[];
  /** All sessions ended; a new one begins with this. */
  readonly password_id: string;
}

/** The user has no two-factor sign-in. */
export class NoTwoFactorError extends Error {}
