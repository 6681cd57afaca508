import { dateTime, key, text, wholeNumber } from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';

/** Each row is the secret that a user shares with an authenticator app. */
export const TwoFactorEntity = entityOf({
  name: 'TwoFactor',
  tableName: 'user_two_factor',
  columns: {
    user_id: key(wholeNumber()),
    encrypted_secret: text(),
    /** Time of the first accepted code, in UTC. */
    confirmed: dateTime(),
    /** Time step of the last accepted code. Each code is accepted once. */
    last_step: wholeNumber(),
  },
});
export type TwoFactorRow = EntityRow<typeof TwoFactorEntity>;

/** Each row is an unused recovery code. */
export const RecoveryCodeEntity = entityOf({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  columns: { user_id: key(wholeNumber()), code_hash: key(text(64)) },
});
export type RecoveryCodeRow = EntityRow<typeof RecoveryCodeEntity>;

/** Each row is a user who must use two-factor sign-in. Its id may be ALL_USERS. */
export const TwoFactorRequirementEntity = entityOf({
  name: 'TwoFactorRequirement',
  tableName: 'two_factor_requirements',
  columns: { user_id: key(wholeNumber()), created: dateTime() },
});
export type TwoFactorRequirementRow = EntityRow<typeof TwoFactorRequirementEntity>;
