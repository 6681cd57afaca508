import { LINES_TEXT, TRACKING_TEXT } from '../../../ledger/files/text-rule.js';
import { leavesTheWeb, WEB_ADDRESS } from '../../../ledger/records/record-fields.js';
import { idIn, SentFields, type ConvertedLine } from './sent-fields.model.js';

/**
 * Converts a relationship of version 2.1 to a line of a ledger file. Its numbers are 0 if they are
 * not set.
 */
export function relationshipLine(item: unknown): ConvertedLine {
  const fields = new SentFields(item);
  const [affiliate_id, product_id] = ['affiliate_id', 'product_id'].map((name) => {
    const sent = fields.present(name);
    return idIn(sent) ?? sent;
  });
  const status = fields.present('status');
  const line = {
    type: 'affiliation',
    affiliate_id,
    product_id,
    created: fields.created(),
    status: typeof status === 'string' ? status.trim().toUpperCase() : status,
    delayed_commission: fields.flag('delayed_commission') ?? null,
    comments: fields.fittedText('comments', LINES_TEXT) ?? null,
    custom_commission: numberUnlessZero(fields, 'custom_commission', 100),
    custom_sales_page_url: webAddress(fields, 'custom_sales_page_url'),
    custom_payment_1st_payout: numberUnlessZero(fields, 'custom_payment_1st_payout'),
    custom_payment_trial_payout: numberUnlessZero(fields, 'custom_payment_trial_payout'),
  };
  return { line, changes: fields.changes };
}

function webAddress(fields: SentFields, name: string): string | null {
  const address = fields.fittedText(name, TRACKING_TEXT) ?? null;
  if (address === null || !leavesTheWeb(address)) return address;
  fields.change(name, `is not ${WEB_ADDRESS}, so it is left empty`);
  return null;
}

function numberUnlessZero(
  fields: SentFields,
  name: string,
  max = Number.MAX_SAFE_INTEGER,
): number | null {
  const number = fields.integer(name, 0, max) ?? 0;
  return number === 0 ? null : number;
}
