import type { Affiliation } from '../../modules/affiliates/affiliation.model.js';
import type { Product } from '../../modules/products/product.model.js';
import type { Affiliate } from '../../modules/reports/affiliates/affiliate-figures.model.js';
import { useContext } from 'preact/hooks';
import { numberText } from '../reports/figures.view.js';
import { Currency, withCurrency } from '../ui/currency.js';
import { DateTime } from '../ui/date-time.view.js';
import { Labelled } from '../ui/form.view.js';
import { Table } from '../ui/table.view.js';
import { approvalOf, APPROVALS } from './terms-form.js';
import { termsPath } from './terms.view.js';

interface Properties {
  readonly affiliate: Affiliate;
  readonly terms: readonly Affiliation[];
  readonly products: readonly Product[];
}

/** Shows the affiliate terms for each product that has them. */
export function Terms({ affiliate, terms, products }: Properties) {
  const names = new Map(products.map(({ id, name }) => [id, name]));
  const others = products.filter(({ id }) => !terms.some(({ product_id }) => product_id === id));
  return (
    <section class="card" aria-labelledby="terms-title">
      <h2 id="terms-title">Terms</h2>
      {terms.length === 0 ? (
        <p>No relationship to one of your products.</p>
      ) : (
        <Table
          label="Terms"
          columns={[
            {
              name: 'Product',
              cell: ({ product_id }) => (
                <a href={`${termsPath(affiliate.id)}?product=${product_id}`}>
                  {names.get(product_id) ?? product_id}
                </a>
              ),
            },
            { name: 'Status', cell: (own) => statusText(own) },
            {
              name: 'Commission',
              isNumber: true,
              cell: ({ custom_commission: percent }) => (percent === null ? '–' : `${percent} %`),
            },
            {
              name: 'First payout',
              isNumber: true,
              cell: (own) => <Payout payout={own.custom_payment_1st_payout} />,
            },
            {
              name: 'Trial payout',
              isNumber: true,
              cell: (own) => <Payout payout={own.custom_payment_trial_payout} />,
            },
            { name: 'Sales page', cell: (own) => own.custom_sales_page_url ?? '–' },
            { name: 'Created', cell: ({ created }) => <DateTime at={created} /> },
            { name: 'Comments', cell: ({ comments }) => comments ?? '–' },
          ]}
          rows={terms}
        />
      )}
      {others.length > 0 && <AnotherProduct affiliate={affiliate} products={others} />}
    </section>
  );
}

function AnotherProduct({ affiliate, products }: Pick<Properties, 'affiliate' | 'products'>) {
  return (
    <form class="choose" action={termsPath(affiliate.id)} aria-label="Another product">
      <Labelled
        label="Another product"
        name="product"
        control={(attributes) => (
          <select {...attributes}>
            {products.map(({ id, name }) => (
              <option value={String(id)}>{name}</option>
            ))}
          </select>
        )}
      />
      <button class="quiet">Set terms</button>
    </form>
  );
}

function statusText(own: Affiliation): string {
  const approval = approvalOf(own);
  return approval === null ? 'Requested' : APPROVALS[approval].name;
}

/** Shows a payout, which is a whole amount of the currency, not cents. */
function Payout({ payout }: { readonly payout: number | null }) {
  const currency = useContext(Currency);
  if (payout === null) return <>–</>;
  return <span class="money">{withCurrency(numberText(payout), currency)}</span>;
}
