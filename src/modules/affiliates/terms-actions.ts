import { isRecord } from '../../platform/values/is-record.js';
import { overruledBy, type Overruled } from '../../ledger/records/overruled-fields.js';
import {
  type LoggedAuditEntry,
  CLI,
  isoOf,
  shellWord,
  type Advice,
  type State,
  type UndoneActions,
} from '../audit/index.js';
import { ALWAYS_SET, TERMS } from './affiliate-terms.model.js';

/** Lists the audited action on affiliate terms, with advice for after a restore. */
export const TERMS_ACTIONS: UndoneActions = { 'affiliation.set': onTerms };

function onTerms(after: State, { before }: LoggedAuditEntry): Advice {
  const { created, status } = after;
  const record = { type: 'affiliation', ...after, created: isoOf(String(created)) };
  const line = shellWord(JSON.stringify(record));
  const key = [after.affiliate_id, after.product_id].map(Number);
  const overruled = JSON.stringify(overruledIn(isRecord(before) ? before : null, after));
  return {
    urgent: status === 'DENIED',
    todo: `The relationship is as before: printf '%s\\n' ${line} | ${CLI} import - ; then, so that no later file undoes it, run in the database: UPDATE affiliations SET overruled = '${overruled}' WHERE affiliate_id = ${key[0]} AND product_id = ${key[1]};`,
  };
}

/** Matches text that needs no escaping in an SQL string of any database. */
const PLAIN_IN_SQL = /^[\w./:?&=%+,#~-]*$/;

/**
 * Returns the ledger's values of the fields that were set, without those that an SQL string would
 * have to escape.
 */
function overruledIn(before: State | null, after: State): Overruled {
  const stored = before === null ? null : { content: before, overruled: null };
  const set = Object.entries(overruledBy(stored, after, [...ALWAYS_SET, ...TERMS]) ?? {});
  return Object.fromEntries(
    set.filter(([, { said }]) => typeof said !== 'string' || PLAIN_IN_SQL.test(said)),
  );
}
