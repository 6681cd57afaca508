import { EntitySchema } from 'typeorm';
import { dateTime, key, text, wholeNumber } from '../../../database/columns.js';
import type { LinkKind } from './password-link.model.js';

export interface PasswordLinkRow {
  readonly user_id: number;
  /** SHA-256 of the token, in hex. The stored hash cannot be used as a link. */
  readonly token_hash: string;
  readonly kind: LinkKind;
  /**
   * E-mail that the link was created for. The user signs in with it even if a record changes the
   * e-mail in the meantime.
   */
  readonly sign_in_email: string;
  readonly created: string;
  readonly expires: string;
}

/**
 * Each row is a link with which a user sets a password. A user has at most one link, so a new one
 * ends the old one.
 */
export const PasswordLinkEntity = new EntitySchema<PasswordLinkRow>({
  name: 'PasswordLink',
  tableName: 'password_links',
  columns: {
    user_id: key(wholeNumber()),
    token_hash: text(64),
    kind: text(32),
    sign_in_email: text(),
    created: dateTime(),
    expires: dateTime(),
  },
  indices: [
    { name: 'password_links_by_token', columns: ['token_hash'], unique: true },
    { name: 'password_links_by_expires', columns: ['expires'] },
  ],
});
