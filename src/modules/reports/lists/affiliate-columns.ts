import type { Column } from '../../../common/columns.js';
import { STATUS_OF_3 } from '../../transactions/status-words.model.js';
import type { AffiliateTransaction } from './report-list.model.js';

/**
 * Columns of an affiliate's CSV file. An affiliate sees neither the customer of a sale nor the
 * vendor's share.
 */
export const AFFILIATE_COLUMNS: readonly Column<AffiliateTransaction>[] = [
  { name: 'transaction_id', kind: 'text', valueOf: (sale) => sale.transaction_id },
  { name: 'sale_date', kind: 'date-time', valueOf: (sale) => sale.sale_date },
  { name: 'product_name', kind: 'text', valueOf: (sale) => sale.product_name },
  { name: 'vendor_name', kind: 'text', valueOf: (sale) => sale.vendor_name },
  { name: 'amount', kind: 'money', valueOf: (sale) => sale.amount },
  { name: 'status', kind: 'word', valueOf: (sale) => STATUS_OF_3[sale.status] },
  { name: 'commission', kind: 'money', valueOf: (sale) => sale.commission },
  {
    name: 'affiliate_commission_status',
    kind: 'word',
    valueOf: (sale) => sale.affiliate_commission_status,
  },
];
