import type { Page } from './page-answer.js';
import type { SignedInVisit } from './visit.js';

/** A sensitive action, as the page that requests the password describes it. */
export interface Confirmed {
  /** Path to which the form is sent again. */
  readonly action: string;
  readonly sentence: string;
  readonly button: string;
  readonly isDangerous?: boolean;
  /** Path of the page that the user comes from, if it is not that of the form. */
  readonly back?: string;
}

/**
 * Requests the password again before a sensitive action, and a code from users with two-factor
 * sign-in, unless both were entered recently. This protects against an unattended browser and a
 * stolen cookie. A feature provides it.
 */
export abstract class PasswordConfirmation {
  /**
   * Checks the password in the form, and the code, if they are needed.
   * @param secretField the field of the form that no page may show; `secretIn` reads it
   * @returns the page that requests them and keeps the other fields of the form, or null if the
   * action is allowed
   * @throws ApiError too_many_requests
   */
  abstract promptFor(
    visit: SignedInVisit,
    describe: () => Confirmed | Promise<Confirmed>,
    secretField?: string,
  ): Promise<Page | null>;

  /**
   * Returns the secret field of a form, which is encrypted if the password was requested in
   * between.
   * @throws FormProblem if it was encrypted in another session or with another secret
   */
  abstract secretIn(visit: SignedInVisit, field: string): string;
}
