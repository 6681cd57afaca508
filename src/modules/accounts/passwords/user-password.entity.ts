import { key, dateTime, text, wholeNumber } from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';

/**
 * Each row is a password for the account pages. It is not in `users`, because an import replaces
 * rows there.
 */
export const UserPasswordEntity = entityOf({
  name: 'UserPassword',
  tableName: 'user_passwords',
  columns: {
    user_id: key(wholeNumber()),
    password_hash: text(),
    changed: dateTime(),
    /** Random id that is new with each change. Sessions are valid only with the current id. */
    password_id: { ...text(36), default: '' },
  },
});
export type UserPasswordRow = EntityRow<typeof UserPasswordEntity>;
