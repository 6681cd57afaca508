import { NAME_TEXT } from '../../../ledger-format/text-rule.js';
import type { WrittenRecord } from '../../../ledger-format/written-transaction.js';
import type { SeenUser } from '../../accounts/seen/seen-user.model.js';
import {
  knownText,
  SentFields,
  type ConvertedLine,
} from '../../upstreams/convert/sent-fields.model.js';

const EMPTY = { name: '', email: '', display_name: null } as const;

/**
 * The affiliate of a sale, as version 3.0 shows it: id and display name. What other versions have shown
 * before stays.
 * @param id of the affiliate
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

/** The affiliate of a sale with what version 2.1 shows: a name where there is no display name, an e-mail. */
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
