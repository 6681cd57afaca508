import { recordOf } from '../../../common/record-of.js';
import { isRecord } from '../../../common/validation/is-record.js';
import { TRACKING_FIELDS } from '../../../ledger-format/transaction-fields.js';
import type { WrittenRecord } from '../../../ledger-format/written-transaction.js';
import { STATUS_OF_3 } from '../../transactions/status-words.model.js';
import type { FieldWords } from '../../upstreams/upstream.model.js';
import { objectOf, textOrEmpty } from '../../upstreams/convert/known.model.js';

const STATUSES = new Map<unknown, string>(
  Object.entries(STATUS_OF_3).map(([status, word]) => [word, status]),
);

/**
 * The fields of a sale that version 3.0 shows (interface 2.2), as a ledger file has them. What is wrong in
 * them is found when the line is read.
 */
export function listedFields(sale: WrittenRecord, { service }: FieldWords) {
  const { transaction_id, sale_date, product_id, product_name, amount, status } = sale;
  const payouts = objectOf(sale.payouts);
  return {
    type: 'transaction',
    ...{ transaction_id, sale_date, product_id, product_name, amount },
    status: STATUSES.get(status) ?? status,
    affiliate_id: affiliateIdIn(sale),
    customer: fieldsIn(sale.customer, (customer) => ({
      email: textOrEmpty(customer.email),
      first_name: textOrEmpty(customer.first_name),
      last_name: textOrEmpty(customer.last_name),
    })),
    tracking: fieldsIn(sale.tracking, (tracking) =>
      recordOf(TRACKING_FIELDS, (field) => tracking[field]),
    ),
    payouts: {
      seller_earnings: payouts.seller_earnings,
      affiliate_payout: payouts.affiliate_payout,
      agent_payout: payouts.agent_payout,
      jv_payout: payouts.jv_payout,
      service_fee: payouts[`${service}_fee`],
    },
    refund: refundIn(sale.refund, service),
  };
}

/** The affiliate's id, whatever it is; null without an affiliate. */
export function affiliateIdIn({ affiliate }: WrittenRecord): unknown {
  return affiliate === null || affiliate === undefined ? null : (objectOf(affiliate).id ?? 0);
}

/** The fields of an object, or of none. Anything else is left for the check: its fields would be empty. */
function fieldsIn(value: unknown, read: (object: WrittenRecord) => object): unknown {
  const isObject = value === null || value === undefined || isRecord(value);
  return isObject ? read(objectOf(value)) : value;
}

function refundIn(refund: unknown, service: string) {
  if (refund === null || refund === undefined) return null;
  const { [`${service}_fee_adjustment`]: service_fee_adjustment, ...others } = objectOf(refund);
  return { ...others, service_fee_adjustment };
}
