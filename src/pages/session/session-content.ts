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
     * True if a code was entered, too; users with two-factor sign-in get no page without it. False
     * if a code was requested: the session then opens nothing, even if the user turns two-factor
     * sign-in off in the meantime.
     */
    code_given?: boolean;
    /** Encrypted secret of the two-factor sign-in that is being set up. */
    proposed_secret?: string;
    /** Address, network and browser with which the session began. */
    place?: SignInPlace;
    /** True if the user gets a notice of this sign-in. */
    is_news?: boolean;
  }
}

/** Reads the content of a stored session. */
export function contentOf(json: string): SessionData {
  return JSON.parse(json) as SessionData;
}
