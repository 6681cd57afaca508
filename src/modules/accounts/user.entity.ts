import { EntitySchema } from 'typeorm';
import { key, optional, text, wholeNumber } from '../../database/columns.js';

/** A vendor, an affiliate or both. */
export const UserEntity = new EntitySchema({
  name: 'User',
  tableName: 'users',
  columns: {
    id: key(wholeNumber()),
    name: text(),
    email: text(),
    display_name: optional(text()),
    processor_email: text(),
    status: text(32),
  },
});
