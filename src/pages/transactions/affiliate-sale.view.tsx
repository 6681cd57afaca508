import type { AffiliateTransaction } from '../../modules/reports/lists/report-list.model.js';
import { Money } from '../reports/figures.view.js';
import type { Page } from '../http/page-answer.js';
import { DateTime } from '../ui/date-time.view.js';
import { Facts, Panel } from '../ui/facts.view.js';
import { SaleHead } from './sale-head.view.js';
import { commissionStatusText, Status } from './status.view.js';
import { listPath } from './transaction-path.js';

/** Shows the data of the affiliate's list, without the customer and the vendor's share. */
export function affiliateSalePage(sale: AffiliateTransaction): Page {
  const { vendor_id, vendor_name, commission, affiliate_commission_status } = sale;
  return {
    kind: 'page',
    title: `Transaction ${sale.transaction_id}`,
    view: (
      <>
        <SaleHead role="affiliate" sale={sale} />
        <Panel id="sale" title="Your sale">
          <Facts
            facts={[
              ['Sold', <DateTime at={sale.sale_date} isExact />],
              ['Product', sale.product_name],
              [
                'Vendor',
                <a href={listPath('affiliate', { range: 'all-time', partner: String(vendor_id) })}>
                  {vendor_name}
                </a>,
              ],
              ['Status', <Status of={sale.status} />],
              ['Amount', <Money cents={sale.amount} />],
              ['Your commission', <Money cents={commission} />],
              ['Commission status', commissionStatusText(affiliate_commission_status)],
            ]}
          />
        </Panel>
      </>
    ),
  };
}
