import type { TransactionRecord } from '../../../ledger-format/transaction.record.js';
import { DELIVERY_COLUMNS, TAX_FIELDS } from '../../../ledger-format/transaction-fields.js';
import { recordOf } from '../../../common/record-of.js';
import {
  writtenTransaction,
  type WrittenRecord,
} from '../../../ledger-format/written-transaction.js';
import { anotherThing } from '../../upstreams/client/upstream-error.model.js';
import type { FieldWords } from '../../upstreams/upstream.model.js';
import { known, knownAmount, numberIn, objectOf } from '../../upstreams/convert/known.model.js';

/** A stored sale with what version 2.1 shows beyond 3.0 (interface 2.6). */
export function detailedLine(
  stored: TransactionRecord,
  detail: WrittenRecord,
  { processor }: FieldWords,
): WrittenRecord {
  const { customer, ...line } = writtenTransaction(stored);
  const processorEmail = detail[`${processor}_email`] ?? null;
  return {
    ...line,
    pre_key: known(detail.pre_key),
    customer: {
      ...customer,
      ip: known(detail.customer_ip),
      phone: known(detail.customer_phone),
      // The interface shows the customer's own e-mail where the processor has no other.
      processor_email: processorEmail === customer.email ? null : processorEmail,
    },
    taxes: recordOf(TAX_FIELDS, (field) => knownAmount(detail[field])),
    shipping_fee: knownAmount(detail.shipping_fee),
    delivery: Object.fromEntries(
      DELIVERY_COLUMNS.map((column) => [column.slice('delivery_'.length), known(detail[column])]),
    ),
    payout_items: payoutItemsIn(detail.transactionPayouts),
  };
}

/** @throws UpstreamError unless the detail is that of a sale of this vendor */
export function ownDetail(found: unknown, vendor: number): WrittenRecord {
  const detail = objectOf(found);
  if (String(detail.vendor_id) === String(vendor)) return detail;
  throw anotherThing("vendor's sale");
}

function payoutItemsIn(items: unknown): unknown {
  if (!Array.isArray(items)) return items ?? null;
  return items.map((item: unknown) => {
    const payout = objectOf(item);
    return { ...payout, payee_user_id: numberIn(payout.payee_user_id) };
  });
}
