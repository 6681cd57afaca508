import type { RecordFields } from './record-fields.js';

const USER_STATUSES = ['active', 'suspended'] as const;

/** A vendor or an affiliate, or both (ledger format: user). */
export type UserRecord = Readonly<ReturnType<typeof readUser>>;

export function readUser(fields: RecordFields) {
  // Only checked: no response shows it (ledger format: user).
  fields.optionalText('processor_email');
  return {
    id: fields.id('id'),
    name: fields.plainText('name'),
    email: fields.plainText('email'),
    display_name: fields.optionalPlainText('display_name'),
    status: fields.optionalChoice('status', USER_STATUSES) ?? 'active',
  };
}
