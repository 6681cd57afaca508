import type { AffiliateTerms } from '../../affiliates/index.js';
import type { Product } from '../../products/index.js';
import { termsPath } from '../../../platform/pages/paths.js';
import { Panel } from '../../../platform/pages/ui/facts.view.js';
import { ChoiceForm, Select } from '../../../platform/pages/ui/form.view.js';
import { numbers, Table, times, type Column } from '../../../platform/pages/ui/table.view.js';
import { Amount, numberText } from '../../../platform/pages/ui/values.view.js';
import { withLine } from '../lists/sales.view.js';
import { textsWithIds } from '../ranges/equal-names.view.js';
import type { Affiliate } from './affiliate-figures.model.js';
import { percentOf } from './affiliate-figures.view.js';
import type { PaidSale } from './affiliate-sales.service.js';
import { approvalOf, APPROVALS } from './terms.pages.js';

interface ShownTerms {
  readonly affiliate: Affiliate;
  /** Affiliate terms, by product id. */
  readonly terms: readonly AffiliateTerms[];
  /** All products of the vendor. */
  readonly products: readonly Product[];
  /** The last sale of a product, by its id, as far as it is known. */
  readonly lastPaid: ReadonlyMap<number, PaidSale>;
}

/** Shows the affiliate terms for each product that has them. */
export function Terms({ affiliate, terms, products, lastPaid }: ShownTerms) {
  const names = new Map(products.map(({ id, name }) => [id, name]));
  const columns: Column<AffiliateTerms>[] = [
    {
      name: 'Product',
      cell: ({ product_id }) => (
        <a href={`${termsPath(affiliate.id)}?product=${product_id}`}>
          {names.get(product_id) ?? product_id}
        </a>
      ),
    },
    { name: 'Status', cell: statusText },
    numbers('Commission', ({ custom_commission: percent, product_id }) =>
      percent === null ? <Default lastSale={lastPaid.get(product_id)} /> : `${percent}%`,
    ),
    ...setIn(terms, [
      [
        'custom_payment_1st_payout',
        numbers('First payout', (own) => payout(own.custom_payment_1st_payout)),
      ],
      [
        'custom_payment_trial_payout',
        numbers('Trial payout', (own) => payout(own.custom_payment_trial_payout)),
      ],
      [
        'custom_sales_page_url',
        { name: 'Sales page', cell: (own) => own.custom_sales_page_url ?? '–' },
      ],
    ]),
    times('Created', ({ created }) => created),
    ...setIn(terms, [['comments', { name: 'Comments', cell: ({ comments }) => comments ?? '–' }]]),
  ];
  const others = products.filter(({ id }) => !terms.some(({ product_id }) => product_id === id));
  return (
    <Panel id="terms-title" title="Terms">
      {terms.length === 0 ? (
        <p>No relationship to one of your products.</p>
      ) : (
        <Table label="Terms" columns={columns} rows={terms} />
      )}
      {others.length > 0 && (
        <ChoiceForm class="choose" action={termsPath(affiliate.id)} label="Another product">
          <Select
            label="Another product"
            name="product"
            options={textsWithIds(new Map(others.map(({ id, name }) => [id, name])))}
          />
          <button class="quiet">Set terms</button>
        </ChoiceForm>
      )}
    </Panel>
  );
}

/** Shows the commission of a product, and what it came to for the last sale. */
function Default({ lastSale }: { readonly lastSale: PaidSale | undefined }) {
  const percent = lastSale && percentOf(lastSale);
  if (percent === undefined || percent === null) return <>product default</>;
  return withLine('product default', `${percent} of the last sale`);
}

/** Returns the columns whose field has a value in at least one row. */
function setIn(
  terms: readonly AffiliateTerms[],
  columns: readonly (readonly [keyof AffiliateTerms, Column<AffiliateTerms>])[],
): Column<AffiliateTerms>[] {
  return columns
    .filter(([field]) => terms.some((own) => own[field] !== null && own[field] !== ''))
    .map(([, column]) => column);
}

function statusText(own: AffiliateTerms): string {
  const approval = approvalOf(own);
  return approval === null ? 'Requested' : APPROVALS[approval].name;
}

/** Shows a payout, which is a whole amount of the currency, not cents. */
function payout(whole: number | null) {
  return whole === null ? '–' : <Amount text={numberText(whole)} />;
}
