import { Injectable } from '@nestjs/common';
import type { Viewer } from '../report.model.js';
import type { ComponentChildren } from 'preact';
import { dayOf } from '../../../platform/values/time.js';
import { PersonalReads } from '../../../api/access/personal-reads.js';
import { DELIVERY_COLUMNS, TRACKING_FIELDS } from '../../../ledger/columns.js';
import { type RecurringPayment, RecurringService } from '../../recurring/index.js';
import type { AffiliateTransaction } from './report-list.model.js';
import { isValueField } from '../figures/figure.model.js';
import { OtherPurchases } from '../sale/other-purchases.view.js';
import { SaleService, type ShownSale, type VendorSale } from '../sale/sale.service.js';
import { type CustomerSale, SearchService } from '../sale/search.service.js';
import { pageOf, redirectWithQuery, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import {
  AFFILIATES_PATH,
  customerPath,
  CUSTOMERS_PATH,
  LIST_PATH,
  ownPath,
  personPath,
  readsPath,
  SEARCH_PATH,
  subscriptionPath,
  withQuery,
} from '../../../platform/pages/paths.js';
import { CopiedText } from '../../../platform/pages/resource.view.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import { dayText } from '../../../platform/pages/ui/day-text.js';
import { Badge, Facts, Panel, Subline } from '../../../platform/pages/ui/facts.view.js';
import { DateTime, Email, Money } from '../../../platform/pages/ui/values.view.js';
import { saleWords, Timeline } from '../sale/sale.view.js';
import { PayoutItems, Split } from '../sale/split.view.js';
import { statusText } from '../../transactions/index.js';
import { FIELD_NAMES } from '../ranges/report-filter.js';
import { commissionStatusText } from './sales.view.js';

/** Number of other sales of the customer that the page shows. */
const PURCHASES = 5;

/**
 * Serves the page of each transaction of a user; paths.ts explains why there are two
 * addresses.
 */
@Injectable()
export class TransactionPages implements Pages {
  constructor(
    private readonly sales: SaleService,
    private readonly search: SearchService,
    private readonly recurring: RecurringService,
    private readonly log: PersonalReads,
  ) {}

  addTo(routes: PageRoutes): void {
    const shown = { operation: 'page.transaction', record: idIn } as const;
    routes.get('/transactions', (visit) => this.transaction(visit), shown);
    routes.get('/transactions/:id', (visit) => this.transaction(visit), shown);
  }

  private async transaction(visit: SignedInVisit): Promise<PageAnswer> {
    const { user } = visit;
    // An address without an id is what people type for the list.
    if (idIn(visit) === '') return { ...redirectWithQuery(visit, LIST_PATH), reads: [] };
    // The list that the user comes from, if it belongs to the account.
    const back = ownPath(visit.query('back'), '');
    const shown = await this.sales.saleOf(user.id, idIn(visit));
    // Affiliates do not see customers.
    if (shown.role === 'affiliate') return { ...affiliateSalePage(shown.sale, back), reads: [] };
    const { sale } = shown;
    const [agreement, purchases] = await Promise.all([
      // The key of a sale may be that of another vendor's subscription.
      sale.pre_key === null ? null : this.recurring.ofVendor(user.id, sale.pre_key),
      this.purchasesBeside(user.id, sale),
    ]);
    return vendorSalePage({ ...sale, agreement, purchases, isLogged: this.log.isOn }, back);
  }

  /** Returns the newest sales of the same customer that are not in the timeline. */
  private async purchasesBeside(vendor_id: number, sale: VendorSale): Promise<CustomerSale[]> {
    const { customer_email, subscription } = sale;
    if (customer_email === '') return [];
    const { sales } = await this.search.salesOfCustomer(vendor_id, customer_email);
    const inTimeline = new Set(
      [sale, ...(subscription?.payments ?? [])].map(({ transaction_id }) => transaction_id),
    );
    return sales
      .filter(({ transaction_id }) => !inTimeline.has(transaction_id))
      .slice(0, PURCHASES);
  }
}

function idIn(visit: SignedInVisit): string {
  return visit.textInPath('id') || visit.query('id');
}

/**
 * Returns a page that begins with the sale in words, and with its id to copy.
 * @param parties the product and who bought or sold it
 */
function salePage(
  shown: ShownSale,
  back: string,
  parties: readonly ComponentChildren[],
  view: ComponentChildren,
) {
  const { role, sale } = shown;
  const { transaction_id, sale_date, amount, status } = sale;
  const day = dayOf(sale_date);
  return pageOf(
    {
      title: `Transaction ${transaction_id}`,
      heading: [
        <Money cents={amount} />,
        ' ',
        <Badge style={statusText(status)}>{saleWords(sale)}</Badge>,
        ' ',
        <Earned {...shown} />,
      ],
      back:
        back === ''
          ? [
              listPath(role, { from: day, to: day }),
              ['All transactions of ', <time>{dayText(day)}</time>],
            ]
          : [back, nameOfList(back)],
    },
    <>
      <Subline
        parts={[
          ...parties,
          <>
            <DateTime at={sale_date} isExact /> UTC
          </>,
          <CopiedText id="transaction-id" label="Copy the id" text={transaction_id} />,
        ]}
      />
      {view}
    </>,
  );
}

/** Names the page with the list that a sale was opened from. */
function nameOfList(path: string): string {
  if (path.startsWith(CUSTOMERS_PATH)) return 'Customer';
  return path.startsWith(SEARCH_PATH) ? 'Search results' : 'Transactions';
}

/** Says what the viewer has of the amount, after a refund or chargeback. */
function Earned({ role, sale }: ShownSale) {
  const earned = role === 'affiliate' ? sale.commission : keptOf(sale);
  if (earned === null) return null;
  return (
    <span class="earned">
      {sale.status === 'pending' ? 'once paid, you earn ' : 'you earn '}
      <Money cents={earned} />
    </span>
  );
}

/** Returns what a vendor keeps of a sale, in cents; null if the effect of a refund is unknown. */
function keptOf({ status, seller_earnings, seller_refund_impact }: VendorSale): number | null {
  const isBack = status === 'refunded' || status === 'charged_back';
  if (isBack && seller_refund_impact === null) return null;
  return seller_earnings + (seller_refund_impact ?? 0);
}

/** Shows the data of the affiliate's list, without the customer and the vendor's share. */
function affiliateSalePage(sale: AffiliateTransaction, back: string) {
  const { vendor_id, vendor_name, commission, affiliate_commission_status } = sale;
  return salePage(
    { role: 'affiliate', sale },
    back,
    [sale.product_name],
    <Panel id="sale" title="Your sale">
      <Facts
        facts={[
          [
            'Vendor',
            <a href={listPath('affiliate', { range: 'all-time', partner: String(vendor_id) })}>
              {vendor_name}
            </a>,
          ],
          ['Your commission', <Money cents={commission} />],
          ['Commission status', commissionStatusText(affiliate_commission_status)],
        ]}
      />
    </Panel>,
  );
}

interface WholeSale extends VendorSale {
  /** Subscription of the sale; null if the vendor has none with its key. */
  readonly agreement: RecurringPayment | null;
  /** Some other sales of the customer. */
  readonly purchases: readonly CustomerSale[];
  /** True if the service records who reads it. */
  readonly isLogged: boolean;
}

/**
 * Shows all data of a sale in the ledger.
 * @param back address of the list that the user comes from; empty if it is unknown
 */
function vendorSalePage(sale: WholeSale, back: string) {
  return salePage(
    { role: 'vendor', sale },
    back,
    [<ProductLink {...sale} />],
    <div class="panels">
      <div>
        <Split {...sale} />
        <Timeline sale={sale} agreement={sale.agreement} />
        <PayoutItems {...sale} />
        <OtherPurchases email={sale.customer_email} purchases={sale.purchases} />
      </div>
      <div>
        <Customer {...sale} />
        <Source {...sale} />
      </div>
    </div>,
  );
}

function ProductLink({ product_id, product_name }: VendorSale) {
  return (
    <a href={listPath('vendor', { range: 'all-time', product: String(product_id) })}>
      {product_name || product_id}
    </a>
  );
}

/** Shows who referred a sale, with links, and its tracking values. */
function Source(sale: WholeSale) {
  const { affiliate_id, affiliate_name, pre_key } = sale;
  return (
    <Panel id="source" title="Where the sale came from">
      <Facts
        facts={[
          [
            'Affiliate',
            affiliate_id === null
              ? 'none'
              : withId(
                  <a href={`${AFFILIATES_PATH}/${affiliate_id}`}>
                    {affiliate_name ?? affiliate_id}
                  </a>,
                  affiliate_id,
                ),
          ],
          [
            'Commission',
            affiliate_id === null ? null : commissionStatusText(sale.affiliate_commission_status),
          ],
          [
            'Subscription',
            pre_key !== null && sale.agreement !== null ? (
              <a href={subscriptionPath(pre_key)}>{pre_key}</a>
            ) : (
              pre_key
            ),
          ],
          ...TRACKING_FIELDS.map(
            (field) => [TRACKING_NAMES[field] ?? field, tracked(field, sale[field])] as const,
          ),
        ]}
      />
    </Panel>
  );
}

/** Names of tracking fields; the others have the name of the API. */
const TRACKING_NAMES: Readonly<Partial<Record<(typeof TRACKING_FIELDS)[number], string>>> = {
  ...FIELD_NAMES,
  tid: 'Tracking id (tid)',
  vtid: 'Your own tracking id (vtid)',
};

/** Shows a tracking value, with a link to its sales if lists can be filtered by the field. */
function tracked(field: (typeof TRACKING_FIELDS)[number], value: string | null) {
  // A list ignores a filter of spaces only.
  if (value === null || value.trim() === '' || !isValueField(field)) return value;
  return <a href={listPath('vendor', { range: 'all-time', [field]: value })}>{value}</a>;
}

/** Shows a link with the id of what it leads to. */
function withId(link: ComponentChildren, id: number) {
  return (
    <>
      {link} <span class="aside">id {id}</span>
    </>
  );
}

/** Shows who bought, with a link to the page of the customer. */
function Customer(sale: WholeSale) {
  const { customer_email, customer_processor_email } = sale;
  const name = `${sale.customer_first_name} ${sale.customer_last_name}`.trim();
  const email = <Email address={customer_email} />;
  return (
    <Panel id="customer" title="Customer">
      <Facts
        facts={[
          ['Name', name !== '' && <CustomerLink to={customer_email}>{name}</CustomerLink>],
          [
            'E-mail',
            name === '' ? <CustomerLink to={customer_email}>{email}</CustomerLink> : email,
          ],
          [
            'Processor e-mail',
            customer_processor_email !== null && <Email address={customer_processor_email} />,
          ],
          ['Phone', sale.customer_phone],
          ['IP address', sale.customer_ip],
          ...DELIVERY_COLUMNS.map((column) => [DELIVERY_NAMES[column], sale[column]] as const),
        ]}
      />
      <p class="hint">
        <a href={personPath(customer_email)}>Personal data</a>
        {sale.isLogged && (
          <>
            {' · '}
            <a href={readsPath({ transaction: sale.transaction_id })}>Access log</a>
          </>
        )}
      </p>
    </Panel>
  );
}

/** @param to e-mail address of the customer; empty for one without a page */
function CustomerLink({
  to,
  children,
}: {
  readonly to: string;
  readonly children: ComponentChildren;
}) {
  return to === '' ? <>{children}</> : <a href={customerPath(to)}>{children}</a>;
}

const DELIVERY_NAMES = {
  delivery_name: 'Delivery to',
  delivery_phone: 'Delivery phone',
  delivery_address_line_1: 'Address',
  delivery_address_line_2: 'Address, line 2',
  delivery_city: 'City',
  delivery_region: 'Region',
  delivery_postal_code: 'Postal code',
  delivery_country: 'Country',
} as const;

/** Returns the URL of a list of transactions. */
function listPath(role: Viewer['role'], query: Readonly<Record<string, string>>): string {
  return withQuery(LIST_PATH, { ...query, as: role });
}
