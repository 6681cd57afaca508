import { EntitySchema } from 'typeorm';
import { key, dateTime, text, wholeNumber } from '../../../database/columns.js';

export interface UserPasswordRow {
  readonly user_id: number;
  readonly password_hash: string;
  readonly changed: string;
  /** Random, and new with each change: sessions are valid only with the current one. */
  readonly password_id: string;
}

/** The password for the account pages; not in `users`, whose rows an import replaces. */
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
