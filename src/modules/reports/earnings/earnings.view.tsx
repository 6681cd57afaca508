import { LIST_PATH, REPORTS_PATH, withQuery } from '../../../platform/pages/paths.js';
import { CopiedText } from '../../../platform/pages/resource.view.js';
import { LinkLine, Panel } from '../../../platform/pages/ui/facts.view.js';
import { Figure, Figures } from '../../../platform/pages/ui/figures.view.js';
import {
  amounts,
  counts,
  linked,
  numbers,
  Table,
  type Column,
} from '../../../platform/pages/ui/table.view.js';
import { Amount, Money, numberText } from '../../../platform/pages/ui/values.view.js';
import { rateOf } from '../../../platform/values/money.js';
import { Conversion, rateText } from '../affiliates/affiliate-figures.view.js';
import { TermsBadge } from '../affiliates/terms-status.view.js';
import { namesWithIds } from '../ranges/equal-names.view.js';
import {
  conversionOf,
  type Earned,
  type Earnings,
  type ProductEarnings,
  type VendorEarnings,
} from './earnings.model.js';
import { trackingOfVendor } from './own-tracking.view.js';

/** Products that the page shows; the API has all. */
const MAX_PRODUCTS = 200;
const ALL_TIME = { range: 'all-time', as: 'affiliate' } as const;

/** Shows what a user earns as an affiliate: in total, by vendor, and by product with its terms. */
export function EarningsOverview({ products, vendors, total }: Earnings) {
  const shown = products.slice(0, MAX_PRODUCTS);
  return (
    <>
      <MoneyFigures {...total} />
      <SalesFigures {...total} />
      <LinkLine href={withQuery(REPORTS_PATH, { as: 'affiliate' })}>
        Report of the sales I referred
      </LinkLine>
      <Panel id="vendors-title" title="By vendor">
        <Table label="By vendor" columns={vendorColumns(vendors)} rows={vendors} />
      </Panel>
      <Panel id="terms-title" title="My terms">
        <Table label="My terms" columns={termsColumns(shown)} rows={shown} />
        {shown.length < products.length && (
          <p class="hint">Only the first {MAX_PRODUCTS} products are shown. The API has all.</p>
        )}
      </Panel>
      <Links products={shown} />
    </>
  );
}

function unpaidHref(more: Readonly<Record<string, string>> = {}): string {
  return withQuery(LIST_PATH, { ...ALL_TIME, kind: 'sales', commission: 'UNPAID', ...more });
}

function MoneyFigures({ unpaid, due_now, on_hold, paid }: Earned) {
  return (
    <Figures label="My commissions" isBig>
      <Figure name="Unpaid" href={unpaidHref()} note="after refunds, without pending sales">
        <Money cents={unpaid} />
      </Figure>
      <Figure name="Due now" note="ready to be paid out">
        <Money cents={due_now} />
      </Figure>
      <Figure name="On hold" note="held until the terms allow payout">
        <Money cents={on_hold} />
      </Figure>
      <Figure name="Paid" note="until today">
        <Money cents={paid} />
      </Figure>
    </Figures>
  );
}

function SalesFigures(total: Earned) {
  const { clicks, unique_clicks, sales, refunds, gross } = total;
  return (
    <Figures label="My sales of all time">
      <Figure name="Clicks" note={`${numberText(unique_clicks)} unique`}>
        {numberText(clicks)}
      </Figure>
      <Figure
        name="Sales"
        href={withQuery(LIST_PATH, { ...ALL_TIME, kind: 'sales' })}
        note={<Money cents={gross} />}
      >
        {numberText(sales)}
      </Figure>
      <Figure name="Conversion" note="sales per unique click">
        <Conversion rate={conversionOf(total)} />
      </Figure>
      <Figure name="Refund rate" note={`${numberText(refunds)} refunded`}>
        {rateText(refundRateOf(total))}
      </Figure>
    </Figures>
  );
}

function refundRateOf({ refunds, sales }: Earned): bigint | null {
  return sales === 0n ? null : rateOf(refunds, sales);
}

function vendorColumns(vendors: readonly VendorEarnings[]): Column<VendorEarnings>[] {
  const named = namesWithIds(vendors.map((vendor) => itemOf(vendor)));
  return [
    {
      name: 'Vendor',
      cell: (vendor) => <a href={trackingOfVendor(vendor.vendor_id)}>{named(itemOf(vendor))}</a>,
    },
    counts('Sales', ({ sales }) => Number(sales)),
    {
      ...linked<VendorEarnings>(
        amounts('Unpaid', ({ unpaid }) => unpaid),
        ({ vendor_id }) => unpaidHref({ partner: String(vendor_id) }),
      ),
    },
    { ...amounts('Due now', ({ due_now }) => due_now), isMain: false },
    { ...amounts('On hold', ({ on_hold }) => on_hold), isMain: false },
    { ...amounts('Paid', ({ paid }) => paid), isMain: false },
  ];
}

function itemOf({ vendor_id, vendor_name }: VendorEarnings) {
  return { id: vendor_id, name: vendor_name };
}

function termsColumns(products: readonly ProductEarnings[]): Column<ProductEarnings>[] {
  const items = products.map(({ product_id: id, product_name: name }) => ({ id, name }));
  const named = namesWithIds(items);
  return [
    {
      name: 'Product',
      cell: ({ product_id: id, product_name: name, vendor_name }) => (
        <>
          {named({ id, name })}
          <div class="aside">{vendor_name}</div>
        </>
      ),
    },
    {
      name: 'Status',
      narrow: 'bare',
      cell: ({ terms }) => <TermsBadge status={terms?.status ?? null} />,
    },
    numbers('Commission', ({ terms }) => commissionText(terms)),
    { name: 'Payment', cell: ({ terms }) => paymentText(terms) },
    {
      ...numbers<ProductEarnings>('First payout', ({ terms }) =>
        payout(terms?.custom_payment_1st_payout ?? null),
      ),
      narrow: 'none',
    },
    { ...counts<ProductEarnings>('Clicks', ({ clicks }) => Number(clicks)), narrow: 'none' },
    counts('Sales', ({ sales }) => Number(sales)),
    {
      ...numbers<ProductEarnings>('Conversion', (product) => (
        <Conversion rate={conversionOf(product)} />
      )),
      narrow: 'none',
    },
    amounts('Unpaid', ({ unpaid }) => unpaid),
  ];
}

type Terms = ProductEarnings['terms'];

function commissionText(terms: Terms): string {
  const percent = terms?.custom_commission ?? null;
  return percent === null ? 'product default' : `${percent}%`;
}

function paymentText(terms: Terms): string {
  if (terms === null) return '–';
  return terms.delayed_commission ? 'after the hold' : 'at once';
}

/** Shows a payout, which is a whole amount of the currency, not cents. */
function payout(whole: number | null) {
  return whole === null ? '–' : <Amount text={numberText(whole)} />;
}

/** Shows where the visitors of the affiliate land, if the terms have such a page. */
function Links({ products }: Pick<Earnings, 'products'>) {
  const pages = products.flatMap(({ product_id, product_name, terms }) => {
    const url = terms?.custom_sales_page_url ?? null;
    return url === null ? [] : [{ product_id, product_name, url }];
  });
  if (pages.length === 0) return null;
  const columns: Column<(typeof pages)[number]>[] = [
    { name: 'Product', cell: ({ product_name }) => product_name },
    {
      name: 'Sales page',
      cell: ({ product_id, url }) => (
        <CopiedText id={`page-${product_id}`} label="Copy the address" text={url} />
      ),
    },
  ];
  return (
    <Panel id="links-title" title="My sales pages">
      <Table label="My sales pages" columns={columns} rows={pages} />
    </Panel>
  );
}
