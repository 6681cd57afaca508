import { Injectable } from '@nestjs/common';
import { recordOf } from '../../../common/record-of.js';
import type { Reader, SqlValue } from '../../../database/database.js';
import { numberAt, optionalTextAt, textAt } from '../../../database/values.js';
import { PAYOUT_ITEM_COLUMNS } from '../payout-item.entity.js';
import {
  DELIVERY_COLUMNS,
  type PayoutItem,
  type TransactionDetail,
} from './transaction-detail.model.js';
import type { TransactionStatus } from '../transaction.model.js';

const LEADING = `(SELECT revision FROM ledger_revisions WHERE vendor_id = ?), t.sale_date, t.product_name, t.product_id, t.status, t.amount, t.pre_key,
  t.tid, t.vtid, t.tax_total, t.international_sales_tax, t.national_sales_tax, t.vat_tax,
  t.shipping_fee, t.customer_first_name, t.customer_last_name, t.customer_email, t.customer_ip,
  t.customer_phone, COALESCE(t.customer_processor_email, t.customer_email), v.id, v.name, v.email,
  a.id, COALESCE(a.display_name, a.name), a.email`;
type Row = [
  ...[number, string, string, number, TransactionStatus, number, string | null],
  ...[string | null, string | null, number | null, number | null, number | null, number | null],
  ...[number | null, string, string, string, string | null, string | null],
  ...[string, number, string, string, number | null, string | null, string | null],
  ...SqlValue[],
];
const DELIVERY_AT = 26;
const ITEM_AT = DELIVERY_AT + DELIVERY_COLUMNS.length;

/** One row for each payout item, or one without: everything is of one moment. */
const DETAIL = `SELECT ${LEADING},
    ${[...DELIVERY_COLUMNS.map((column) => `t.${column}`), 'i.position', ...PAYOUT_ITEM_COLUMNS.map((column) => `i.${column}`)].join(', ')}
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
  /** One transaction of this vendor; another vendor's is as little found as none. */
  async detailOf(
    vendor_id: number,
    paykey: string,
    reader: Reader,
  ): Promise<DetailAtRevision | null> {
    const rows = await reader.rows<Row>(DETAIL, [vendor_id, vendor_id, paykey]);
    const [row] = rows;
    if (row === undefined) return null;
    const items = rows.filter((each) => each[ITEM_AT] !== null);
    return { revision: row[0], detail: detailOf(row, items.map(payoutItemOf)) };
  }
}

function detailOf(row: Row, payout_items: readonly PayoutItem[]): TransactionDetail {
  return {
    sale_date: row[1],
    product_name: row[2],
    product_id: row[3],
    status: row[4],
    amount: row[5],
    pre_key: row[6],
    tid: row[7],
    vtid: row[8],
    tax_total: row[9],
    international_sales_tax: row[10],
    national_sales_tax: row[11],
    vat_tax: row[12],
    shipping_fee: row[13],
    customer: {
      first_name: row[14],
      last_name: row[15],
      email: row[16],
      ip: row[17],
      phone: row[18],
      processor_email: row[19],
    },
    vendor: { id: row[20], name: row[21], email: row[22] },
    affiliate: row[23] === null ? null : { id: row[23], name: row[24] ?? '', email: row[25] ?? '' },
    delivery: recordOf(DELIVERY_COLUMNS, (_, index) => optionalTextAt(row, DELIVERY_AT + index)),
    payout_items,
  };
}

function payoutItemOf(row: Row): PayoutItem {
  return {
    payee_amount: numberAt(row, ITEM_AT + 1),
    payee_user_id: numberAt(row, ITEM_AT + 2),
    payee_name: textAt(row, ITEM_AT + 3),
    payout_type: textAt(row, ITEM_AT + 4),
    payment_processor: textAt(row, ITEM_AT + 5),
    payout_status: textAt(row, ITEM_AT + 6),
  };
}
