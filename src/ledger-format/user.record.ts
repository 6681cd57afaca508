import type { RecordFields } from './record-fields.js';

const USER_STATUSES = ['active', 'suspended'] as const;

/** Describes a user: a vendor, an affiliate, or both (docs/ledger-file.md). */
export type UserRecord = Readonly<ReturnType<typeof readUser>>;

export function readUser(fields: RecordFields) {
  // This field is checked but not stored, because no response shows it.
  fields.optionalText('processor_email');
  return {
    id: fields.id('id'),
    name: fields.plainText('name'),
    email: fields.plainText('email'),
    display_name: fields.optionalPlainText('display_name'),
    status: fields.optionalChoice('status', USER_STATUSES) ?? 'active',
  };
}
