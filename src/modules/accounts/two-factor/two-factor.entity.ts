import { EntitySchema } from 'typeorm';
import { dateTime, key, text, wholeNumber } from '../../../database/columns.js';

export interface TwoFactorRow {
  readonly user_id: number;
  readonly encrypted_secret: string;
  /** Time of the first accepted code, in UTC. */
  readonly confirmed: string;
  /** Time step of the last accepted code. Each code is accepted once. */
  readonly last_step: number;
}

/** Each row is the secret that a user shares with an authenticator app. */
export const TwoFactorEntity = new EntitySchema<TwoFactorRow>({
  name: 'TwoFactor',
  tableName: 'user_two_factor',
  columns: {
    user_id: key(wholeNumber()),
    encrypted_secret: text(),
    confirmed: dateTime(),
    last_step: wholeNumber(),
  },
});

export interface RecoveryCodeRow {
  readonly user_id: number;
  readonly code_hash: string;
}

/** Each row is an unused recovery code. */
export const RecoveryCodeEntity = new EntitySchema<RecoveryCodeRow>({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  columns: { user_id: key(wholeNumber()), code_hash: key(text(64)) },
});

export interface TwoFactorRequirementRow {
  /** Id of a user, or ALL_USERS. */
  readonly user_id: number;
  readonly created: string;
}

/** Each row is a user who must use two-factor sign-in. */
export const TwoFactorRequirementEntity = new EntitySchema<TwoFactorRequirementRow>({
  name: 'TwoFactorRequirement',
  tableName: 'two_factor_requirements',
  columns: { user_id: key(wholeNumber()), created: dateTime() },
});
