import { dateTime, key, text, wholeNumber } from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';
import type { LinkKind } from './password-link.model.js';

/**
 * Each row is a link with which a user sets a password. A user has at most one link, so a new one
 * ends the old one.
 */
export const PasswordLinkEntity = entityOf({
  name: 'PasswordLink',
  tableName: 'password_links',
  columns: {
    user_id: key(wholeNumber()),
    /** SHA-256 of the token, in hex. The stored hash cannot be used as a link. */
    token_hash: text(64),
    kind: text(32),
    /**
     * E-mail that the link was created for. The user signs in with it even if a record changes the
     * e-mail in the meantime.
     */
    sign_in_email: text(),
    created: dateTime(),
    expires: dateTime(),
  },
  indices: [
    { name: 'password_links_by_token', columns: ['token_hash'], unique: true },
    { name: 'password_links_by_expires', columns: ['expires'] },
  ],
});
export interface PasswordLinkRow extends EntityRow<typeof PasswordLinkEntity> {
  readonly kind: LinkKind;
}
