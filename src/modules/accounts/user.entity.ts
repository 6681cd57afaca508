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
    /** The e-mail in lower case: letter case aside, it is what the user signs in with. */
    sign_in_email: { ...text(), default: '' },
    display_name: optional(text()),
    /** Not used. Instances of the version before read it while an upgrade replaces them. */
    processor_email: { ...text(), default: '' },
    status: text(32),
  },
  indices: [{ name: 'users_by_sign_in_email', columns: ['sign_in_email'] }],
});
