import { DomainError } from '../../../platform/errors/domain-error.js';
import type { User } from '../account.model.js';
import { LinkKind } from '../accounts.entity.js';

/** Number of Unicode characters in the composed form NFC. */
export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 128;

/**
 * Decoding replaces bytes that are not UTF-8 by this character, so many texts would become the same
 * password.
 */
const REPLACEMENT = '\uFFFD';

/** The password is too short, too long, easily guessed or not UTF-8. */
export class PasswordRefusedError extends DomainError {}

/**
 * Checks a new password.
 * @param password the password in the normal form NFC
 * @throws PasswordRefusedError if the password is not allowed
 */
export function checkPassword(password: string, { email, name }: User): void {
  if (password.includes(REPLACEMENT)) {
    throw new PasswordRefusedError('The password contains bytes that are not UTF-8.');
  }
  const { length } = Array.from(password);
  if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) {
    throw new PasswordRefusedError(
      `The password must have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.`,
    );
  }
  const lower = password.toLowerCase();
  const isGuessable = [email, name].some((word) => word.toLowerCase() === lower);
  if (isGuessable || new Set(password).size < 4) {
    throw new PasswordRefusedError('The password is too easy to guess.');
  }
}

/** A link works for this many hours. */
export const LINK_HOURS = 24;

/** An issued link lets its user set a password. It works once. */
export interface IssuedLink {
  readonly user: User;
  /** The link contains the token. It is never logged or stored. */
  readonly link: string;
  /** Time when the link expires, in UTC. */
  readonly expires: string;
}

/** A linked user has a link that works. */
export interface LinkedUser extends User {
  readonly kind: LinkKind;
  /** E-mail that the user signs in with once the password is set. */
  readonly sign_in_email: string;
}

/**
 * The link was used, expired, was replaced by a later one, or never existed. The error does not
 * reveal which.
 */
export class EndedLinkError extends Error {}

/** A suspended user cannot sign in and gets no link. */
export class SuspendedUserError extends Error {}
