import type { WrittenRecord } from '../../../ledger-format/written-transaction.js';
import { known, knownAmount, numberIn, objectOf } from './known.model.js';

/** A relationship (interface 2.4), as a ledger file has it. Its numbers are 0 where they are not set. */
export function relationshipLine(item: unknown): WrittenRecord {
  const { affiliate_id, product_id, created, status, delayed_commission, ...terms } =
    objectOf(item);
  return {
    type: 'affiliation',
    ...{ affiliate_id, product_id, created, status, delayed_commission },
    comments: known(terms.comments),
    custom_commission: numberIn(knownAmount(terms.custom_commission)),
    custom_sales_page_url: known(terms.custom_sales_page_url),
    custom_payment_1st_payout: numberIn(knownAmount(terms.custom_payment_1st_payout)),
    custom_payment_trial_payout: numberIn(knownAmount(terms.custom_payment_trial_payout)),
  };
}
