import { LINES_TEXT, NAME_TEXT, TRACKING_TEXT } from '../../../ledger/files/text-rule.js';
import { leavesTheWeb, WEB_ADDRESS } from '../../../ledger/records/record-fields.js';
import type { WrittenRecord } from '../../../ledger/records/written-transaction.js';
import type { SeenUser } from '../../../ledger/reads/seen-user.model.js';
import { type ConvertedLine, idIn, knownText, SentFields } from './sent-fields.model.js';

const EMPTY = { name: '', email: '', display_name: null } as const;

/**
 * Converts the affiliate of a listed sale, of whom version 3.0 shows the id and the display name.
 * Fields that come from other versions stay as they are stored.
 * @param id id of the affiliate
 */
export function listedUser(sale: WrittenRecord, id: number, seen: SeenUser | undefined) {
  const fields = new SentFields(sale);
  const before = seen ?? EMPTY;
  const sent = fields.within('affiliate')?.fittedText('display_name', NAME_TEXT);
  const shown = sent === undefined ? before.display_name : knownText(sent);
  const isNew = shown !== null && shown !== before.display_name;
  const line = {
    type: 'user',
    id,
    email: before.email ?? '',
    name: isNew ? shown : (before.name ?? ''),
    display_name: shown,
  };
  return { line, changes: fields.changes };
}

/**
 * Converts the affiliate of a sale with the fields of version 2.1: the name if there is no display
 * name, and the e-mail.
 */
export function detailedUser(detail: WrittenRecord, { id, display_name, ...seen }: SeenUser) {
  const fields = new SentFields(detail);
  const sent = fields.fittedText('affiliate_name', NAME_TEXT);
  const email = fields.email('affiliate_email');
  const told = display_name === null && sent !== undefined ? sent : seen.name;
  const line = {
    type: 'user',
    id,
    display_name,
    name: told ?? '',
    email: (email === undefined ? seen.email : email) ?? '',
  };
  return { line, changes: fields.changes };
}

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

function numberUnlessZero(fields: SentFields, name: string, max = Number.MAX_SAFE_INTEGER) {
  const number = fields.integer(name, 0, max) ?? 0;
  return number === 0 ? null : number;
}
