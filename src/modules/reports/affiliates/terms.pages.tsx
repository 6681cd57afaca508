import { Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { ApiError } from '../../../api/errors/api-error.js';
import {
  httpUrlWords,
  integerWords,
  isHttpUrl,
  isIntegerIn,
} from '../../../api/validation/validators.js';
import { SALES_PAGE_URL_LENGTH } from '../../../ledger/records/user.record.js';
import {
  AffiliatesService,
  APPROVAL_STATUSES,
  PAYOUT,
  PERCENT,
  subjectOf as termsSubject,
  type AffiliateTerms,
  type TermsUpdate,
  type ApprovalStatus,
  RelationshipWritesService,
} from '../../affiliates/index.js';
import { ApiApplicationsService } from '../../accounts/index.js';
import { type ActivityHistory, ActivityService } from '../../audit/index.js';
import { type Product, ProductsService } from '../../products/index.js';
import type { Affiliate } from './affiliate-figures.model.js';
import { AffiliateReportsService } from './affiliate-reports.service.js';
import { AffiliateSalesService, type PaidSale } from './affiliate-sales.service.js';
import { percentOf } from './affiliate-figures.view.js';
import {
  pageOf,
  redirectTo,
  type PageAnswer,
  type PageParts,
} from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { AFFILIATES_PATH, termsPath, withQuery } from '../../../platform/pages/paths.js';
import { authorOf, NO_ID, type SignedInVisit, type Visit } from '../../../platform/pages/visit.js';
import { dayText } from '../../../platform/pages/ui/day-text.js';
import { Actions, Setting } from '../../../platform/pages/ui/facts.view.js';
import { HistorySetting } from '../../../platform/pages/ui/history.view.js';
import { Choices, type Explained } from '../../../platform/pages/forms/choices.view.js';
import {
  Field,
  Fields,
  Form,
  FormProblem,
  Problem,
  type TextField,
  useProblem,
  useValue,
} from '../../../platform/pages/ui/form.view.js';
import {
  Amount,
  Currency,
  currencyAround,
  Money,
  numberText,
} from '../../../platform/pages/ui/values.view.js';
import { dayOf } from '../../../platform/values/time.js';

interface ShownTerms {
  readonly affiliate: Affiliate;
  readonly product: Product;
  /** Null if there are no affiliate terms. */
  readonly terms: AffiliateTerms | null;
  /** The newest sale with the commission of the product; null if it is unknown or not used. */
  readonly lastSale: LastSale;
  readonly history: ActivityHistory;
}

type LastSale = PaidSale | null;

/** Field of a problem of the whole form. */
const NO_FIELD = '';
const PATH = '/affiliates/:id/terms';

/** Serves the affiliate terms for one product; the form does the same as the PUT of API 2.1. */
@Injectable()
export class TermsPages implements Pages {
  constructor(
    private readonly reports: AffiliateReportsService,
    private readonly affiliates: AffiliatesService,
    private readonly writes: RelationshipWritesService,
    private readonly products: ProductsService,
    private readonly activity: ActivityService,
    private readonly applications: ApiApplicationsService,
    private readonly sold: AffiliateSalesService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get(PATH, async (visit) => {
      const shown = await this.shownTo(visit, visit.query('product'));
      const done = visit.query('done') === 'saved' ? 'The terms were saved.' : null;
      return termsPage(shown, { done });
    });
    routes.post(PATH, (visit) => this.set(visit));
  }

  private async set(visit: SignedInVisit): Promise<PageAnswer> {
    const shown = await this.shownTo(visit, visit.query('product') || visit.field('product'));
    const update = termsIn(visit);
    if (!('approval_status' in update)) return termsPage(shown, { problems: update });
    const key = { affiliate_id: shown.affiliate.id, product_id: shown.product.id };
    try {
      await this.writes.set(authorOf(visit), key, update);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { failure, detail } = error;
      if (failure === 'invalid_parameters') {
        const message = "It must be the affiliate's e-mail. Nothing changed.";
        const problem = new FormProblem(EMAIL, message);
        return termsPage(shown, { problems: [problem] });
      }
      if (failure !== 'request_failed' || detail === null) throw error;
      return termsPage(shown, { problems: [new FormProblem(NO_FIELD, detail)], failure });
    }
    return redirectTo(`${termsPath(key.affiliate_id)}?product=${key.product_id}&done=saved`);
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
    const all = await this.affiliates.reads.termsWith(vendor_id, affiliate.id);
    const terms = all.find((own) => own.product_id === id) ?? null;
    const key = { affiliate_id: affiliate.id, product_id: product.id };
    const hasDefault = terms?.custom_commission === null;
    const lastSale = hasDefault ? await this.sold.lastPaid(vendor_id, key) : null;
    const history = await this.activity.historyOf(vendor_id, termsSubject(key), this.applications);
    return { affiliate, product, terms, lastSale, history };
  }
}

export const APPROVALS: Readonly<Record<ApprovalStatus, Explained>> = {
  INSTANT: {
    name: 'Approved, paid at once',
    explanation: 'What they earn is due with each sale.',
  },
  DELAYED: {
    name: 'Approved, paid after the hold',
    explanation: 'What they earn is on hold first.',
  },
  DENIED: {
    name: 'Rejected',
    explanation: 'For this product. Sales so far keep their commissions.',
  },
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
  const email = visit.field(EMAIL).trim();
  if (approval_status === undefined || problems.length > 0) return problems;
  return { approval_status, terms, affiliate_verification_email: email === '' ? null : email };
}

function termsPage(
  { affiliate, product, terms, lastSale, history }: ShownTerms,
  parts: Pick<PageParts, 'problems' | 'failure' | 'done'>,
) {
  return pageOf(
    {
      ...parts,
      title: `Terms of ${affiliate.name}`,
      back: [`${AFFILIATES_PATH}/${affiliate.id}`, affiliate.name],
      heading: ['Terms of ', affiliate.name, ' for ', product.name],
    },
    <>
      <Problem>{parts.problems?.find(({ field }) => field === NO_FIELD)?.message}</Problem>
      <Setting
        id="set-title"
        title="Set the terms"
        about={
          <p>
            What this affiliate earns with sales of {product.name}. Sales so far keep their
            commissions.
          </p>
        }
      >
        {terms === null ? (
          <p>They have no relationship yet. Saving creates it.</p>
        ) : (
          <Present
            terms={terms}
            lastSale={lastSale}
            since={history.lines[0]?.created ?? terms.created}
          />
        )}
        <Form action={withQuery(termsPath(affiliate.id), { product: String(product.id) })}>
          <Choices
            legend="Status"
            name="approval_status"
            initial={(terms && approvalOf(terms)) ?? ''}
            choices={APPROVALS}
          />
          <TermsFields terms={terms} lastSale={lastSale} />
          <Actions>
            <button>Save</button>
            <a class="button quiet" href={`${AFFILIATES_PATH}/${affiliate.id}`}>
              Cancel
            </a>
          </Actions>
        </Form>
      </Setting>
      <HistorySetting {...history} />
    </>,
  );
}

/** Says which terms apply, and since when. */
function Present({
  terms,
  lastSale,
  since,
}: {
  readonly terms: AffiliateTerms;
  readonly lastSale: LastSale;
  readonly since: string;
}) {
  const approval = approvalOf(terms);
  const percent = terms.custom_commission;
  const words = {
    commission: percent === null ? 'the product’s default commission' : `${percent}% commission`,
    payment: approval === 'DELAYED' ? 'paid after the hold' : 'paid at once',
  };
  const isApproved = approval === 'INSTANT' || approval === 'DELAYED';
  const first = terms.custom_payment_1st_payout;
  return (
    <p>
      <strong>Now:</strong> {approval === null && 'requested, and not approved yet'}
      {approval === 'DENIED' && 'rejected'}
      {isApproved && (
        <>
          {words.commission}
          {lastSale !== null && <OfLastSale {...lastSale} />}, {words.payment}
        </>
      )}
      {isApproved && first !== null && (
        <>
          , <Amount text={numberText(first)} /> for the first payment
        </>
      )}
      , since {dayText(dayOf(since))}.
    </p>
  );
}

/** Says what the default commission came to for the last sale. */
function OfLastSale(sale: PaidSale) {
  const percent = percentOf(sale);
  return (
    <>
      {' '}
      (last sale: <Money cents={sale.commission} /> of <Money cents={sale.amount} />
      {percent !== null && `, ${percent}`})
    </>
  );
}

/** Field of the e-mail that must be that of the affiliate. */
const EMAIL = 'affiliate_verification_email';

function TermsFields({ terms, lastSale }: Pick<ShownTerms, 'terms' | 'lastSale'>) {
  const { problem } = useProblem(EMAIL);
  return (
    <>
      <Field {...commissionField(terms, lastSale)} />
      <FoldedFields
        title="Payouts and sales page"
        fields={foldedFields(terms, useContext(Currency))}
      >
        Payouts and the commission are separate terms. Each of them that you leave empty is that of
        the product.
      </FoldedFields>
      <details class="field" open={problem !== undefined}>
        <summary>Advanced</summary>
        <Field
          name={EMAIL}
          label="E-mail of the affiliate (optional)"
          initial=""
          type="email"
          hint="Safety check: saved only if this is the affiliate’s e-mail."
          autocomplete="off"
        />
      </details>
    </>
  );
}

/** Shows fields after a click, or at once if one of them has a value. */
function FoldedFields({
  title,
  fields,
  children,
}: {
  readonly title: string;
  readonly fields: readonly TextField[];
  /** Says what the fields have in common. */
  readonly children: ComponentChildren;
}) {
  const values = fields.map((field) => useValue(field.name, field));
  return (
    <details class="field" open={values.some((value) => (value ?? '') !== '')}>
      <summary>{title}</summary>
      <p class="hint">{children}</p>
      <Fields fields={fields} />
    </details>
  );
}

/** Returns the field of the commission, which says what the default came to for the last sale. */
function commissionField(terms: AffiliateTerms | null, lastSale: LastSale): TextField {
  const percent = lastSale && percentOf(lastSale);
  const ofLastSale = percent === null ? '' : ` (${percent} of the last sale)`;
  return {
    name: 'custom_commission',
    label: 'Commission (optional)',
    unit: '%',
    initial: terms?.custom_commission ?? '',
    type: 'number',
    min: PERCENT.min,
    max: PERCENT.max,
    hint: `Leave empty for the product’s default${ofLastSale}.`,
  };
}

function foldedFields(terms: AffiliateTerms | null, currency: string): TextField[] {
  const { before, after } = currencyAround(currency);
  const payout = {
    type: 'number',
    min: 0,
    unitBefore: before,
    unit: after.trim(),
    hint: 'Whole amount, no cents.',
  } as const;
  return [
    {
      ...payout,
      name: 'custom_payment_1st_payout',
      label: 'Payout for the first payment (optional)',
      initial: terms?.custom_payment_1st_payout ?? '',
    },
    {
      ...payout,
      name: 'custom_payment_trial_payout',
      label: 'Payout for the trial period (optional)',
      initial: terms?.custom_payment_trial_payout ?? '',
    },
    {
      name: 'custom_sales_page_url',
      label: 'Sales page (optional)',
      initial: terms?.custom_sales_page_url ?? '',
      type: 'url',
      hint: 'Where this affiliate’s visitors land.',
      autocomplete: 'off',
    },
  ];
}
