import { DomainError } from '../../../platform/errors/domain-error.js';
import type { User } from '../account.model.js';

/** A link works for this many hours. */
export const LINK_HOURS = 24;

/**
 * A link exists for one of these reasons: the operator invited the user, or someone reported a
 * forgotten password.
 */
export type LinkKind = 'invitation' | 'forgotten';

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

/** Links cannot be created without PUBLIC_URL. */
export class PublicUrlMissingError extends DomainError {
  constructor() {
    super(
      'PUBLIC_URL is not set: links begin with it. Example: PUBLIC_URL=https://reports.example.com',
    );
  }
}

/** Links cannot be sent without SMTP_URL. */
export class MailMissingError extends DomainError {
  constructor() {
    super('SMTP_URL is not set: no link can be sent. Without --mail, links are printed.');
  }
}
