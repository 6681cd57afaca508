import { EntitySchema } from 'typeorm';
import { key, dateTime, text, wholeNumber } from '../../../database/columns.js';

export interface UserPasswordRow {
  readonly user_id: number;
  readonly password_hash: string;
  readonly changed: string;
  /** Random, and another one with each change: a session counts under this one alone. */
  readonly password_id: string;
}

/** What a user signs in to the account pages with; apart from users, whom an import replaces. */
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
