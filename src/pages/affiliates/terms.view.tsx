import {
  APPROVAL_STATUSES,
  PERCENT,
  type Affiliation,
} from '../../modules/affiliates/affiliation.model.js';
import type { Product } from '../../modules/products/product.model.js';
import type { Affiliate } from '../../modules/reports/affiliates/affiliate-figures.model.js';
import type { Failure } from '../../common/errors/catalogue.js';
import type { Page } from '../http/page-answer.js';
import type { SignedInVisit } from '../session/visit.js';
import { Choices, Done, Field, Problem, type FormProblem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';
import { AFFILIATES_PATH } from './affiliates-query.js';
import { approvalOf, APPROVALS } from './terms-form.js';

export interface ShownTerms {
  readonly affiliate: Affiliate;
  readonly product: Product;
  /** Null if there are no affiliate terms. */
  readonly terms: Affiliation | null;
}

/** Messages that the form shows after it was sent. */
export interface TermsView {
  readonly isDone?: boolean;
  readonly problems?: readonly FormProblem[];
  /** Reason why nothing changed, if it is not a problem of a single field. */
  readonly refused?: { readonly failure: Failure; readonly detail: string };
}

export function termsPath(affiliate_id: number): string {
  return `${AFFILIATES_PATH}/${affiliate_id}/terms`;
}

export function termsPage(
  visit: SignedInVisit,
  shown: ShownTerms,
  { isDone = false, problems = [], refused }: TermsView,
): Page {
  const { affiliate, product } = shown;
  const isSent = problems.length > 0 || refused !== undefined;
  return {
    kind: 'page',
    title: `Terms of ${affiliate.name}`,
    failure: refused?.failure ?? (problems.length > 0 ? 'invalid_parameters' : undefined),
    view: (
      <>
        <p>
          <a href={`${AFFILIATES_PATH}/${affiliate.id}`}>Back to {affiliate.name}</a>
        </p>
        <h1>
          Terms of {affiliate.name} for {product.name}
        </h1>
        <Done>{isDone ? 'The terms were saved.' : null}</Done>
        <Problem>{refused?.detail}</Problem>
        {shown.terms === null && <p>They have no relationship yet. Saving creates it.</p>}
        <section class="card" aria-labelledby="set-title">
          <h2 id="set-title">Set the terms</h2>
          <Form visit={visit} action={termsPath(affiliate.id)}>
            <input type="hidden" name="product" value={String(product.id)} />
            <Fields
              valueOf={(name) => (isSent ? visit.field(name) : storedIn(shown.terms, name))}
              problems={problems}
            />
            <button>Save</button>
          </Form>
        </section>
      </>
    ),
  };
}

function storedIn(terms: Affiliation | null, name: keyof typeof STORED): string {
  return terms === null ? '' : String(STORED[name](terms) ?? '');
}

const STORED = {
  approval_status: approvalOf,
  custom_commission: (terms) => terms.custom_commission,
  custom_sales_page_url: (terms) => terms.custom_sales_page_url,
  custom_payment_1st_payout: (terms) => terms.custom_payment_1st_payout,
  custom_payment_trial_payout: (terms) => terms.custom_payment_trial_payout,
  affiliate_verification_email: () => null,
} as const satisfies Readonly<Record<string, (terms: Affiliation) => string | number | null>>;

function Fields({
  valueOf,
  problems,
}: {
  readonly valueOf: (name: keyof typeof STORED) => string;
  readonly problems: readonly FormProblem[];
}) {
  const field = (name: keyof typeof STORED) => ({ name, value: valueOf(name), problems });
  return (
    <>
      <Choices
        legend="Status"
        name="approval_status"
        value={valueOf('approval_status')}
        choices={APPROVAL_STATUSES.map((value) => ({ value, ...APPROVALS[value] }))}
        problems={problems}
      />
      <Field
        {...field('custom_commission')}
        label="Commission in percent (optional)"
        type="number"
        min={PERCENT.min}
        max={PERCENT.max}
        hint="Empty for no commission of their own."
      />
      <Field
        {...field('custom_payment_1st_payout')}
        label="Payout for the first payment (optional)"
        type="number"
        min={0}
        hint="A whole amount in the currency of your sales."
      />
      <Field
        {...field('custom_payment_trial_payout')}
        label="Payout for the trial period (optional)"
        type="number"
        min={0}
        hint="A whole amount in the currency of your sales."
      />
      <Field
        {...field('custom_sales_page_url')}
        label="Sales page (optional)"
        type="url"
        hint="Only for visitors whom this affiliate sends."
        autocomplete="off"
      />
      <Field
        {...field('affiliate_verification_email')}
        label="E-mail of the affiliate (optional)"
        type="email"
        hint="A check: if it is not the affiliate's, nothing changes."
        autocomplete="off"
      />
    </>
  );
}
