import type { PageAnswer } from '../page-answer.js';
import type { SignedInVisit, TypedForm, Visit } from '../visit.js';

/** Keeps forms that were sent after their session had ended. A feature provides it. */
export abstract class EndedForms {
  /** Leads to the sign-in if nobody is signed in, and then back to the page of the form. */
  abstract answer(visit: Visit, form: TypedForm): PageAnswer | Promise<PageAnswer>;

  /** Returns the form that is kept for the page that the user opens, once. */
  abstract take(visit: SignedInVisit): TypedForm | null;
}
