import type { User } from '../account.model.js';

/** How long a link works. */
export const LINK_HOURS = 24;

/** Why there is a link: the operator invited the user, or somebody said that the password is forgotten. */
export type LinkKind = 'invitation' | 'forgotten';

/** A link with which its user sets a password. It works once. */
export interface IssuedLink {
  readonly user: User;
  /** It contains the token: never logged, and stored nowhere. */
  readonly link: string;
  /** In UTC. */
  readonly expires: string;
}

/** Who has a link that works. */
export interface LinkedUser extends User {
  readonly kind: LinkKind;
  /** What the user signs in with once the password is set. */
  readonly sign_in_email: string;
}

/** The link was used, has expired, was followed by a later one, or never existed: nobody is told which. */
export class EndedLinkError extends Error {}

/** A user who is suspended cannot sign in, and gets no link. */
export class SuspendedUserError extends Error {}

/** No link can be made without PUBLIC_URL. */
export class PublicUrlMissingError extends Error {
  constructor() {
    super(
      'PUBLIC_URL is not set: links begin with it. Example: PUBLIC_URL=https://reports.example.com',
    );
  }
}

/** No link can be sent without SMTP_URL. */
export class MailMissingError extends Error {
  constructor() {
    super('SMTP_URL is not set: no link can be sent. Without --mail, links are printed.');
  }
}
