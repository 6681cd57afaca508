import {
  httpUrlWords,
  integerWords,
  isHttpUrl,
  isIntegerIn,
} from '../../common/validation/validators.js';
import { SALES_PAGE_URL_LENGTH } from '../../ledger-format/affiliation.record.js';
import {
  APPROVAL_STATUSES,
  PAYOUT,
  PERCENT,
  type Affiliation,
  type AffiliationUpdate,
  type ApprovalStatus,
} from '../../modules/affiliates/affiliation.model.js';
import { FormProblem } from '../ui/form.view.js';
import type { Visit } from '../session/visit.js';

export const APPROVALS: Readonly<
  Record<ApprovalStatus, { readonly name: string; readonly explanation: string }>
> = {
  INSTANT: { name: 'Instant', explanation: 'Approves the affiliate.' },
  DELAYED: {
    name: 'Delayed',
    explanation: 'Approves the affiliate, with delayed commission payments.',
  },
  DENIED: { name: 'Denied', explanation: 'Denies the affiliate.' },
};

/** Returns null while the affiliate terms are only requested. */
export function approvalOf({ status, delayed_commission }: Affiliation): ApprovalStatus | null {
  if (status === 'REQUESTED') return null;
  if (status === 'DENIED') return 'DENIED';
  return delayed_commission ? 'DELAYED' : 'INSTANT';
}

/**
 * Returns the affiliate terms in the form, by the rules of the PUT of API 2.1, or the problems of
 * the form. An empty field clears the term.
 */
export function termsIn(visit: Visit): AffiliationUpdate | readonly FormProblem[] {
  const problems: FormProblem[] = [];
  const checked = (name: string, is: (text: string) => boolean, says: string) => {
    const text = visit.field(name).trim();
    if (text === '') return null;
    if (!is(text)) problems.push(new FormProblem(name, `It must be ${says}.`));
    return text;
  };
  const integer = (name: string, range: Record<'min' | 'max', number>) => {
    const text = checked(name, (value) => isIntegerIn(value, range), integerWords(range));
    return text === null ? null : Number(text);
  };
  const approval_status = APPROVAL_STATUSES.find((each) => each === visit.field('approval_status'));
  if (approval_status === undefined) {
    problems.push(new FormProblem('approval_status', 'Choose one of these.'));
  }
  const terms = {
    custom_commission: integer('custom_commission', PERCENT),
    custom_sales_page_url: checked(
      'custom_sales_page_url',
      (value) => isHttpUrl(value, SALES_PAGE_URL_LENGTH),
      httpUrlWords(SALES_PAGE_URL_LENGTH),
    ),
    custom_payment_1st_payout: integer('custom_payment_1st_payout', PAYOUT),
    custom_payment_trial_payout: integer('custom_payment_trial_payout', PAYOUT),
  };
  const email = visit.field('affiliate_verification_email').trim();
  if (approval_status === undefined || problems.length > 0) return problems;
  return { approval_status, terms, affiliate_verification_email: email === '' ? null : email };
}
