import { Injectable } from '@nestjs/common';
import { recordOf } from '../../../common/record-of.js';
import type { Reader } from '../../../database/database.js';
import { columnsOf } from '../../../database/named-rows.js';
import { PAYOUT_ITEM_COLUMNS, type StoredPayoutItem } from '../payout-item.entity.js';
import { REVISION, type StoredTransaction } from '../transaction-row.model.js';
import { DELIVERY_COLUMNS, TAX_FIELDS } from '../../../ledger-format/transaction-fields.js';
import type { PayoutItem, TransactionDetail } from './transaction-detail.model.js';

const SHOWN = [
  ...(['sale_date', 'product_name', 'product_id', 'status', 'amount'] as const),
  ...(['pre_key', 'tid', 'vtid', 'shipping_fee', 'vendor_id'] as const),
  ...(['customer_first_name', 'customer_last_name', 'customer_email'] as const),
  ...(['customer_ip', 'customer_phone'] as const),
  ...TAX_FIELDS,
  ...DELIVERY_COLUMNS,
] as const satisfies readonly (keyof StoredTransaction)[];
const ITEM = ['position', ...PAYOUT_ITEM_COLUMNS] as const;

type ItemColumns = Pick<StoredPayoutItem, (typeof ITEM)[number]>;
type NoItem = Readonly<Record<keyof ItemColumns, null>>;
type Row = Pick<StoredTransaction, (typeof SHOWN)[number]> & {
  readonly revision: number;
  readonly processor_email: string;
  readonly vendor_name: string;
  readonly vendor_email: string;
  readonly affiliate_id: number | null;
  readonly affiliate_name: string | null;
  readonly affiliate_email: string | null;
} & (ItemColumns | NoItem);

/** One row for each payout item, or one without: everything is of one moment. */
const DETAIL = `SELECT ${REVISION}, ${columnsOf('t', SHOWN)}, ${columnsOf('i', ITEM)},
    COALESCE(t.customer_processor_email, t.customer_email) AS processor_email,
    v.name AS vendor_name, v.email AS vendor_email, a.id AS affiliate_id,
    COALESCE(a.display_name, a.name) AS affiliate_name, a.email AS affiliate_email
  FROM transactions t JOIN users v ON v.id = t.vendor_id LEFT JOIN users a ON a.id = t.affiliate_id
    LEFT JOIN payout_items i ON i.vendor_id = t.vendor_id AND i.arrival = t.arrival
  WHERE t.vendor_id = ? AND t.transaction_id = ? ORDER BY i.position`;

export interface DetailAtRevision {
  readonly revision: number;
  readonly detail: TransactionDetail;
}

/** The read of 2.1's transaction detail. */
@Injectable()
export class TransactionDetailsRepository {
  /** One transaction of this vendor; null where there is none, or it is another vendor's. */
  async detailOf(
    vendor_id: number,
    paykey: string,
    reader: Reader,
  ): Promise<DetailAtRevision | null> {
    const rows = await reader.select<Row>(DETAIL, [vendor_id, vendor_id, paykey]);
    const [row] = rows;
    if (row === undefined) return null;
    return { revision: row.revision, detail: detailOf(row, rows.flatMap(payoutItemsOf)) };
  }
}

function detailOf(row: Row, payout_items: readonly PayoutItem[]): TransactionDetail {
  return {
    sale_date: row.sale_date,
    product_name: row.product_name,
    product_id: row.product_id,
    status: row.status,
    amount: row.amount,
    pre_key: row.pre_key,
    tid: row.tid,
    vtid: row.vtid,
    ...recordOf(TAX_FIELDS, (field) => row[field]),
    shipping_fee: row.shipping_fee,
    customer: {
      first_name: row.customer_first_name,
      last_name: row.customer_last_name,
      email: row.customer_email,
      ip: row.customer_ip,
      phone: row.customer_phone,
      processor_email: row.processor_email,
    },
    vendor: { id: row.vendor_id, name: row.vendor_name, email: row.vendor_email },
    affiliate:
      row.affiliate_id === null
        ? null
        : {
            id: row.affiliate_id,
            name: row.affiliate_name ?? '',
            email: row.affiliate_email ?? '',
          },
    delivery: recordOf(DELIVERY_COLUMNS, (column) => row[column]),
    payout_items,
  };
}

function payoutItemsOf(row: Row): PayoutItem[] {
  if (row.position === null) return [];
  const { payee_amount, payee_user_id, payee_name } = row;
  const { payout_type, payment_processor, payout_status } = row;
  const payee = { payee_amount, payee_user_id, payee_name };
  return [{ ...payee, payout_type, payment_processor, payout_status }];
}
