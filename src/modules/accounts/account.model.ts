/** Who calls: the user that a key belongs to, as a vendor and as an affiliate (decisions: Keys). */
export interface Principal {
  readonly user_id: number;
  readonly application_id: number;
  readonly suspended: boolean;
  /** The moment from which the key is refused, in UTC, or null. */
  readonly expires: string | null;
}

export const USER_STATUSES = ['active', 'suspended'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export interface User {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly display_name: string | null;
  readonly processor_email: string;
  readonly status: UserStatus;
}

export type ApplicationState = 'active' | 'revoked';

export interface ApiApplication {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly state: ApplicationState;
  /** Moments in UTC; an application without `expires` does not expire. */
  readonly created: string;
  readonly expires: string | null;
}

/** An application with its key in clear: shown to its owner, never logged. */
export interface IssuedKey {
  readonly application: ApiApplication;
  readonly key: string;
}

/** A key as it is stored: found by its hash, readable only with the secret. */
export interface StoredKey {
  readonly key_hash: string;
  readonly encrypted_key: string;
}
