import { EntitySchema } from 'typeorm';
import { dateTime, key, text, wholeNumber } from '../../../database/columns.js';

export interface TwoFactorRow {
  readonly user_id: number;
  readonly encrypted_secret: string;
  /** When the first code was given. */
  readonly confirmed: string;
  /** The time step of the last code that was accepted, since each is good once. */
  readonly last_step: number;
}

/** The secret that a user's authenticator app has, too. */
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

/** A recovery code that was not used yet. */
export const RecoveryCodeEntity = new EntitySchema<RecoveryCodeRow>({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  columns: { user_id: key(wholeNumber()), code_hash: key(text(64)) },
});

export interface TwoFactorRequirementRow {
  /** Or ALL_USERS. */
  readonly user_id: number;
  readonly created: string;
}

/** A user who must have two-factor sign-in. */
export const TwoFactorRequirementEntity = new EntitySchema<TwoFactorRequirementRow>({
  name: 'TwoFactorRequirement',
  tableName: 'two_factor_requirements',
  columns: { user_id: key(wholeNumber()), created: dateTime() },
});
