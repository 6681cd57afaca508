import { NAME_TEXT } from '../../../ledger/files/text-rule.js';
import type { WrittenRecord } from '../../../ledger/records/written-transaction.js';
import type { SeenUser } from '../../../ledger/reads/seen-user.model.js';
import { knownText, SentFields, type ConvertedLine } from './sent-fields.model.js';

const EMPTY = { name: '', email: '', display_name: null } as const;

/**
 * Converts the affiliate of a listed sale, of whom version 3.0 shows the id and the display name.
 * Fields that come from other versions stay as they are stored.
 * @param id id of the affiliate
 */
export function listedUser(
  sale: WrittenRecord,
  id: number,
  seen: SeenUser | undefined,
): ConvertedLine {
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
export function detailedUser(
  detail: WrittenRecord,
  { id, display_name, ...seen }: SeenUser,
): ConvertedLine {
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
