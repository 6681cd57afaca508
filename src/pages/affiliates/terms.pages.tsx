import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import type { Failure } from '../../common/errors/catalogue.js';
import {
  httpUrlWords,
  integerWords,
  isHttpUrl,
  isIntegerIn,
} from '../../common/validation/validators.js';
import { SALES_PAGE_URL_LENGTH } from '../../ledger-format/user.record.js';
import { AffiliatesService } from '../../modules/affiliates/affiliates.service.js';
import {
  APPROVAL_STATUSES,
  PAYOUT,
  PERCENT,
  type AffiliateTerms,
  type TermsUpdate,
  type ApprovalStatus,
} from '../../modules/affiliates/affiliate-terms.model.js';
import { RelationshipWritesService } from '../../modules/affiliates/relationship-writes.service.js';
import type { Product } from '../../modules/products/product.model.js';
import { ProductsService } from '../../modules/products/products.service.js';
import type { Affiliate } from '../../modules/reports/affiliates/affiliate-figures.model.js';
import { AffiliateReportsService } from '../../modules/reports/affiliates/affiliate-reports.service.js';
import { pageOf, redirectTo, type Page, type PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import { AFFILIATES_PATH, termsPath } from '../paths.js';
import { authorOf, NO_ID, type SignedInVisit, type Visit } from '../session/visit.js';
import { Panel } from '../ui/facts.view.js';
import { Choices, Fields, Form, FormProblem, Problem, type Explained } from '../ui/form.view.js';

interface ShownTerms {
  readonly affiliate: Affiliate;
  readonly product: Product;
  /** Null if there are no affiliate terms. */
  readonly terms: AffiliateTerms | null;
}

/** Messages that the form shows after it was sent. */
interface TermsView {
  readonly isDone?: boolean;
  readonly problems?: readonly FormProblem[];
  /** Reason why nothing changed, if it is not a problem of a single field. */
  readonly refused?: { readonly failure: Failure; readonly detail: string };
}

const PATH = '/affiliates/:id/terms';

/** Serves the affiliate terms for one product; the form does the same as the PUT of API 2.1. */
@Injectable()
export class TermsPages implements Pages {
  constructor(
    private readonly reports: AffiliateReportsService,
    private readonly affiliates: AffiliatesService,
    private readonly writes: RelationshipWritesService,
    private readonly products: ProductsService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get(PATH, async (visit) => {
      const shown = await this.shownTo(visit, visit.query('product'));
      return termsPage(visit, shown, { isDone: visit.query('done') === 'saved' });
    });
    routes.post(PATH, (visit) => this.set(visit));
  }

  private async set(visit: SignedInVisit): Promise<PageAnswer> {
    const shown = await this.shownTo(visit, visit.field('product'));
    const update = termsIn(visit);
    const view = isUpdate(update) ? await this.saved(visit, shown, update) : { problems: update };
    if (view !== null) return termsPage(visit, shown, view);
    const { affiliate, product } = shown;
    return redirectTo(`${termsPath(affiliate.id)}?product=${product.id}&done=saved`);
  }

  /** @returns null if the terms were saved, or else the problems that the form shows */
  private async saved(
    visit: SignedInVisit,
    { affiliate, product }: ShownTerms,
    update: TermsUpdate,
  ): Promise<TermsView | null> {
    try {
      const key = { affiliate_id: affiliate.id, product_id: product.id };
      await this.writes.set(authorOf(visit), key, update);
      return null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { failure, detail } = error;
      if (failure === 'invalid_parameters') {
        const message = "It must be the affiliate's e-mail. Nothing changed.";
        return { problems: [new FormProblem('affiliate_verification_email', message)] };
      }
      if (failure !== 'request_failed' || detail === null) throw error;
      return { refused: { failure, detail } };
    }
  }

  /**
   * @throws ApiError not_found if there is no such affiliate or product, or foreign_product for
   * another vendor's product
   */
  private async shownTo(visit: SignedInVisit, product_id: string): Promise<ShownTerms> {
    const vendor_id = visit.user.id;
    const affiliate = await this.reports.affiliateOf(vendor_id, visit.id);
    const id = /^\d{1,15}$/.test(product_id) ? Number(product_id) : NO_ID;
    const product = await this.products.ownProduct(vendor_id, id);
    const all = await this.affiliates.termsWith(vendor_id, affiliate.id);
    return { affiliate, product, terms: all.find((own) => own.product_id === id) ?? null };
  }
}

function isUpdate(update: TermsUpdate | readonly FormProblem[]): update is TermsUpdate {
  return 'approval_status' in update;
}

export const APPROVALS: Readonly<Record<ApprovalStatus, Explained>> = {
  INSTANT: { name: 'Instant', explanation: 'Approves the affiliate.' },
  DELAYED: {
    name: 'Delayed',
    explanation: 'Approves the affiliate, with delayed commission payments.',
  },
  DENIED: { name: 'Denied', explanation: 'Denies the affiliate.' },
};

/** Returns null while the affiliate terms are only requested. */
export function approvalOf({ status, delayed_commission }: AffiliateTerms): ApprovalStatus | null {
  if (status === 'REQUESTED') return null;
  if (status === 'DENIED') return 'DENIED';
  return delayed_commission ? 'DELAYED' : 'INSTANT';
}

/**
 * Returns the affiliate terms in the form, by the rules of the PUT of API 2.1, or the problems of
 * the form. An empty field clears the term.
 */
function termsIn(visit: Visit): TermsUpdate | readonly FormProblem[] {
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

function termsPage(
  visit: SignedInVisit,
  shown: ShownTerms,
  { isDone = false, problems = [], refused }: TermsView,
): Page {
  const { affiliate, product } = shown;
  const isSent = problems.length > 0 || refused !== undefined;
  return pageOf(
    {
      title: `Terms of ${affiliate.name}`,
      problems,
      failure: refused?.failure,
      back: [`${AFFILIATES_PATH}/${affiliate.id}`, ['Back to ', affiliate.name]],
      heading: ['Terms of ', affiliate.name, ' for ', product.name],
      done: isDone ? 'The terms were saved.' : null,
    },
    <>
      <Problem>{refused?.detail}</Problem>
      {shown.terms === null && <p>They have no relationship yet. Saving creates it.</p>}
      <Panel id="set-title" title="Set the terms">
        <Form action={termsPath(affiliate.id)} hidden={{ product: String(product.id) }}>
          <TermsFields
            valueOf={(name) => (isSent ? visit.field(name) : storedIn(shown.terms, name))}
          />
          <button>Save</button>
        </Form>
      </Panel>
    </>,
  );
}

function storedIn(terms: AffiliateTerms | null, name: keyof typeof STORED): string {
  return terms === null ? '' : String(STORED[name](terms) ?? '');
}

const STORED = {
  approval_status: approvalOf,
  custom_commission: (terms) => terms.custom_commission,
  custom_sales_page_url: (terms) => terms.custom_sales_page_url,
  custom_payment_1st_payout: (terms) => terms.custom_payment_1st_payout,
  custom_payment_trial_payout: (terms) => terms.custom_payment_trial_payout,
  affiliate_verification_email: () => null,
} as const satisfies Readonly<Record<string, (terms: AffiliateTerms) => string | number | null>>;

function TermsFields({ valueOf }: { readonly valueOf: (name: keyof typeof STORED) => string }) {
  const field = (name: keyof typeof STORED) => ({ name, value: valueOf(name) });
  const payout = {
    type: 'number',
    min: 0,
    hint: 'A whole amount in the currency of your sales.',
  } as const;
  return (
    <>
      <Choices
        legend="Status"
        name="approval_status"
        value={valueOf('approval_status')}
        choices={APPROVALS}
      />
      <Fields
        fields={[
          {
            ...field('custom_commission'),
            label: 'Commission in percent (optional)',
            type: 'number',
            min: PERCENT.min,
            max: PERCENT.max,
            hint: 'Empty for no commission of their own.',
          },
          {
            ...field('custom_payment_1st_payout'),
            ...payout,
            label: 'Payout for the first payment (optional)',
          },
          {
            ...field('custom_payment_trial_payout'),
            ...payout,
            label: 'Payout for the trial period (optional)',
          },
          {
            ...field('custom_sales_page_url'),
            label: 'Sales page (optional)',
            type: 'url',
            hint: 'Only for visitors whom this affiliate sends.',
            autocomplete: 'off',
          },
          {
            ...field('affiliate_verification_email'),
            label: 'E-mail of the affiliate (optional)',
            type: 'email',
            hint: "A check: if it is not the affiliate's, nothing changes.",
            autocomplete: 'off',
          },
        ]}
      />
    </>
  );
}
