import type { WrittenRecord } from '../../../ledger-format/written-transaction.js';
import type { User } from '../../accounts/account.model.js';
import { known, objectOf } from '../../upstreams/convert/known.model.js';

const EMPTY = { name: '', email: '', display_name: null } as const;

/**
 * The affiliate of a sale, as version 3.0 shows it: id and display name. What other versions told before
 * stays.
 */
export function listedUser(sale: WrittenRecord, stored: User | undefined): WrittenRecord {
  const { id, display_name } = objectOf(sale.affiliate);
  const { name, email } = stored ?? EMPTY;
  const shown = known(display_name);
  return { type: 'user', id, email, name: shown ?? name, display_name: shown };
}

/** The affiliate of a sale with what version 2.1 shows: a name where there is no display name, an e-mail. */
export function detailedUser(detail: WrittenRecord, { id, display_name }: User): WrittenRecord {
  const { affiliate_name, affiliate_email } = detail;
  const name = display_name ?? affiliate_name ?? '';
  return { type: 'user', id, display_name, name, email: affiliate_email ?? '' };
}
