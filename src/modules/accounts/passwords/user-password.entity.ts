import { EntitySchema } from 'typeorm';
import { key, dateTime, text, wholeNumber } from '../../../database/columns.js';

/** What a user signs in to the account pages with; apart from users, whom an import replaces. */
export const UserPasswordEntity = new EntitySchema({
  name: 'UserPassword',
  tableName: 'user_passwords',
  columns: {
    user_id: key(wholeNumber()),
    password_hash: text(),
    changed: dateTime(),
    /** Random, and another one with each change: a session counts under this one alone. */
    password_id: { ...text(36), default: '' },
  },
});
