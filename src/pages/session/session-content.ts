import type { SessionData } from 'express-session';
import type { SignInPlace } from '../../modules/accounts/sign-ins/sign-in-network.model.js';

declare module 'express-session' {
  interface SessionData {
    user_id?: number;
    /** Id of the password that was used to sign in. */
    password_id?: string;
    /** Date and time in UTC of the last password entry. */
    password_given?: string;
    /**
     * True if a code was given, too. A user who has two-factor sign-in gets no page without it. False if one
     * was asked for: then the session opens nothing, even if the user turns two-factor sign-in off meanwhile.
     */
    code_given?: boolean;
    /** The secret of two-factor sign-in that is being set up, encrypted. */
    proposed_secret?: string;
    /** Where the session began. */
    place?: SignInPlace;
    /** True if the user is told of its beginning. */
    is_news?: boolean;
  }
}

/** Reads the content of a stored session. */
export function contentOf(json: string): SessionData {
  return JSON.parse(json) as SessionData;
}
