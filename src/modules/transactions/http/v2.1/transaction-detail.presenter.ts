import { formatCents, formatDecimal, MILLIONTHS } from '../../../../common/money.js';
import { recordOf } from '../../../../common/record-of.js';
import { DELIVERY_COLUMNS } from '../../../../ledger-format/transaction-fields.js';
import { type PayoutItem, type TransactionDetail } from '../../detail/transaction-detail.model.js';
import { STATUS_OF_2 } from '../../status-words.model.js';

/** Interface 2.6; a text that is not known is empty (decisions: Values). */
export function presentTransactionDetail(detail: TransactionDetail) {
  const { vendor, affiliate, customer, delivery } = detail;
  return {
    date: detail.sale_date,
    product_name: detail.product_name,
    product_id: String(detail.product_id),
    status: STATUS_OF_2[detail.status],
    total: formatCents(detail.amount),
    pre_key: detail.pre_key,
    tid: detail.tid,
    vtid: detail.vtid,
    tax_total: formatCents(detail.tax_total ?? 0),
    international_sales_tax: numberOf(detail.international_sales_tax),
    national_sales_tax: numberOf(detail.national_sales_tax),
    vat_tax: numberOf(detail.vat_tax),
    shipping_fee: formatDecimal(detail.shipping_fee ?? 0, MILLIONTHS),
    processor_email: customer.processor_email,
    vendor_id: String(vendor.id),
    vendor_name: vendor.name,
    vendor_email: vendor.email,
    affiliate_id: affiliate === null ? '' : String(affiliate.id),
    affiliate_name: affiliate?.name ?? '',
    affiliate_email: affiliate?.email ?? '',
    customer_first_name: customer.first_name,
    customer_last_name: customer.last_name,
    customer_email: customer.email,
    customer_ip: customer.ip ?? '',
    customer_phone: customer.phone ?? '',
    ...recordOf(DELIVERY_COLUMNS, (column) => delivery[column] ?? ''),
    transactionPayouts: detail.payout_items.map(presentPayoutItem),
  };
}

function presentPayoutItem(item: PayoutItem) {
  return {
    payee_amount: formatCents(item.payee_amount),
    payee_user_id: String(item.payee_user_id),
    payee_name: item.payee_name,
    payout_type: item.payout_type,
    payment_processor: item.payment_processor,
    payout_status: item.payout_status,
  };
}

/** The contract wants a JSON number here: the one whose text is the exact decimal. */
function numberOf(cents: number | null): number {
  return Number(formatCents(cents ?? 0));
}
