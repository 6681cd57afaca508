import { AFFILIATES_PATH } from '../affiliates/affiliates-query.js';
import { personPath } from '../people/person-path.js';
import { subscriptionPath } from '../subscriptions/subscription-paths.js';
import { DELIVERY_COLUMNS, TRACKING_FIELDS } from '../../ledger-format/transaction-fields.js';
import type { VendorSale } from '../../modules/reports/sale/sale.model.js';
import { readsPath } from '../data-protection/reads-query.js';
import type { Page } from '../http/page-answer.js';
import { Email } from '../ui/email.view.js';
import { Facts, Panel } from '../ui/facts.view.js';
import { SaleHead } from './sale-head.view.js';
import { PayoutItems, Split } from './split.view.js';
import { commissionStatusText } from './status.view.js';
import { Timeline } from './timeline.view.js';
import { listPath, searchPath } from './transaction-path.js';

/**
 * Shows all data of a sale in the ledger.
 * @param hasSubscription whether the vendor has a page of its subscription
 */
export function vendorSalePage(sale: VendorSale, hasSubscription: boolean): Page {
  return {
    kind: 'page',
    title: `Transaction ${sale.transaction_id}`,
    isWide: true,
    view: (
      <>
        <SaleHead role="vendor" sale={sale} />
        <div class="panels">
          <Split sale={sale} />
          <Timeline sale={sale} />
          <PayoutItems sale={sale} />
          <Parties sale={sale} hasSubscription={hasSubscription} />
          <Customer sale={sale} />
          <Tracking sale={sale} />
        </div>
      </>
    ),
  };
}

/** Links the product to its sales, and the affiliate and the subscription to their pages. */
function Parties({
  sale,
  hasSubscription,
}: {
  readonly sale: VendorSale;
  readonly hasSubscription: boolean;
}) {
  const { product_id, product_name, affiliate_id, affiliate_name, pre_key } = sale;
  const all = (filter: Readonly<Record<string, string>>) =>
    listPath('vendor', { range: 'all-time', ...filter });
  return (
    <Panel id="parties" title="Product and affiliate">
      <Facts
        facts={[
          [
            'Product',
            <a href={all({ product: String(product_id) })}>{product_name || product_id}</a>,
          ],
          ['Product ID', product_id],
          [
            'Affiliate',
            affiliate_id === null ? (
              'none'
            ) : (
              <a href={`${AFFILIATES_PATH}/${affiliate_id}`}>{affiliate_name ?? affiliate_id}</a>
            ),
          ],
          ['Affiliate ID', affiliate_id],
          [
            'Commission status',
            affiliate_id === null ? null : commissionStatusText(sale.affiliate_commission_status),
          ],
          [
            'Recurring payment',
            pre_key !== null && hasSubscription ? (
              <a href={subscriptionPath(pre_key)}>{pre_key}</a>
            ) : (
              pre_key
            ),
          ],
        ]}
      />
    </Panel>
  );
}

function Customer({ sale }: { readonly sale: VendorSale }) {
  const { customer_email, customer_processor_email, customer_first_name, customer_last_name } =
    sale;
  return (
    <Panel id="customer" title="Customer">
      <Facts
        facts={[
          [
            'Name',
            customer_first_name + customer_last_name !== '' && (
              <>
                {customer_first_name} {customer_last_name}
              </>
            ),
          ],
          ['E-mail', <Email address={customer_email} />],
          [
            'At the payment processor',
            customer_processor_email !== null && <Email address={customer_processor_email} />,
          ],
          ['Phone', sale.customer_phone],
          ['IP address', sale.customer_ip],
          ...DELIVERY_COLUMNS.map((column) => [DELIVERY_NAMES[column], sale[column]] as const),
        ]}
      />
      <p>
        <a href={searchPath(customer_email)}>Other transactions of this customer</a>{' '}
        <a href={personPath(customer_email)}>Personal data of this customer</a>
      </p>
      <p>
        <a href={readsPath({ transaction: sale.transaction_id })}>Who read this</a>
      </p>
    </Panel>
  );
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

/** Shows the tracking fields with the names that the API and affiliate links use. */
function Tracking({ sale }: { readonly sale: VendorSale }) {
  const isTracked = TRACKING_FIELDS.some((field) => (sale[field] ?? '') !== '');
  return (
    <Panel id="tracking" title="Tracking">
      {isTracked ? (
        <Facts facts={TRACKING_FIELDS.map((field) => [field, sale[field]])} />
      ) : (
        <p>None.</p>
      )}
    </Panel>
  );
}
