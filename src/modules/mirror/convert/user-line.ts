import { NAME_TEXT } from '../../../ledger-format/text-rule.js';
import type { WrittenRecord } from '../../../ledger-format/written-transaction.js';
import type { User } from '../../accounts/account.model.js';
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
  stored: User | undefined,
): ConvertedLine {
  const fields = new SentFields(sale);
  const { name, email, display_name } = stored ?? EMPTY;
  const sent = fields.within('affiliate')?.fittedText('display_name', NAME_TEXT);
  const shown = sent === undefined ? display_name : knownText(sent);
  const line = { type: 'user', id, email, name: shown ?? name, display_name: shown };
  return { line, changes: fields.changes };
}

/** The affiliate of a sale with what version 2.1 shows: a name where there is no display name, an e-mail. */
export function detailedUser(
  detail: WrittenRecord,
  { id, display_name, ...stored }: User,
): ConvertedLine {
  const fields = new SentFields(detail);
  const name = fields.fittedText('affiliate_name', NAME_TEXT);
  const email = fields.email('affiliate_email');
  const line = {
    ...{ type: 'user', id, display_name },
    name: display_name ?? (name === undefined ? stored.name : (name ?? '')),
    email: email === undefined ? stored.email : (email ?? ''),
  };
  return { line, changes: fields.changes };
}
