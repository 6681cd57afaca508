import { EntitySchema } from 'typeorm';
import { key, dateTime, text, wholeNumber } from '../../../database/columns.js';

export interface UserPasswordRow {
  readonly user_id: number;
  readonly password_hash: string;
  readonly changed: string;
  /** Random id that is new with each change. Sessions are valid only with the current id. */
  readonly password_id: string;
}

/**
 * Each row is a password for the account pages. It is not in `users`, because an import replaces
 * rows there.
 */
export const UserPasswordEntity = new EntitySchema<UserPasswordRow>({
  name: 'UserPassword',
  tableName: 'user_passwords',
  columns: {
    user_id: key(wholeNumber()),
    password_hash: text(),
    changed: dateTime(),
    password_id: { ...text(36), default: '' },
  },
});
