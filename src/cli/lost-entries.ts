import { isRecord } from '../common/validation/is-record.js';
import { formatDateTime } from '../common/time.js';
import type { ApiApplication } from '../modules/accounts/account.model.js';
import { ALWAYS_SET, TERMS } from '../modules/affiliates/affiliation.model.js';
import type { LoggedAuditEntry } from '../modules/audit/audit.model.js';
import { overruledBy, type Overruled } from '../ledger-format/overruled.js';

/** What an operator is to do about a change that a restore undid. */
export interface Advice {
  /** True of what took something away, which is there again: a key that works, a payment that goes on. */
  readonly urgent: boolean;
  readonly todo: string;
}

type State = Readonly<Record<string, unknown>>;
type AdviceOn = (lost: LoggedAuditEntry, after: State) => Advice;

const CLI = 'npm run cli --';
const NO_APPLICATION =
  'Nothing: the application was created after the backup, so its keys do not work.';

const ON_APPLICATIONS: ReadonlyMap<string, AdviceOn> = new Map<string, AdviceOn>([
  ['key.revoke', ({ application_id: id }) => urgently('Its keys work again', `keys revoke ${id}`)],
  [
    'key.rotate',
    ({ application_id: id }) =>
      urgently(
        'Its old key works again and the new one does not; hand over another one',
        `keys rotate ${id}`,
      ),
  ],
  [
    'key.end-overlap',
    ({ application_id: id }) => urgently('Its old key may work again', `keys end-overlap ${id}`),
  ],
  [
    'key.allow',
    ({ application_id: id }, { address_allow_list: list }) => {
      const command = `keys allow ${id} ${typeof list === 'string' ? shellWord(list) : 'any'}`;
      return typeof list === 'string'
        ? urgently('Its keys work from other addresses again', command)
        : calmly('Its keys work only from some addresses again', command);
    },
  ],
  [
    'key.expire',
    (_, { expires }) => ({
      urgent: typeof expires === 'string',
      todo: `Its end was set to ${typeof expires === 'string' ? `${expires} UTC` : 'none'}: ask its owner to set it again at /account.`,
    }),
  ],
  [
    'key.rename',
    (_, { name }) => told(`Its name was ${JSON.stringify(name)}: its owner can set it again.`),
  ],
  ['key.show', () => told('Nothing: its owner saw the key and has it.')],
  [
    'limits.set',
    ({ application_id: id }, { limits }) =>
      calmly('Its limits are as before', `limits set ${id} ${shellWord(String(limits))}`),
  ],
  [
    'limits.clear',
    ({ application_id: id }) => calmly('Its own limits apply again', `limits clear ${id}`),
  ],
]);

const ON_OTHERS: ReadonlyMap<string, AdviceOn> = new Map<string, AdviceOn>([
  [
    'password.set',
    ({ subject }) =>
      urgently(
        'The previous password works again, if there was one',
        `users set-password ${lastNumberOf(subject)}`,
      ),
  ],
  ['affiliation.set', onAffiliation],
  [
    'recurring_payment.cancel',
    ({ user_id, subject }) => ({
      urgent: true,
      todo: `The processor has ended it, and here it is ACTIVE again: in the database, UPDATE recurring_payments SET status = 'CANCELED', overruled = '{"status":{"said":"ACTIVE"}}' WHERE id = ${lastNumberOf(subject)} AND status = 'ACTIVE' AND product_id IN (SELECT id FROM products WHERE vendor_id = ${user_id});`,
    }),
  ],
]);

/** @param found the application of that number in the database; not always the one that is meant */
export function adviceOn(lost: LoggedAuditEntry, found: ApiApplication | null): Advice {
  const after = isRecord(lost.after) ? lost.after : {};
  const isSame = found?.user_id === after.user_id && found?.created === after.created;
  const application = isSame ? found : null;
  if (lost.action === 'key.create') {
    return application === null ? onCreate(after) : told('Nothing: it is there.');
  }
  const onApplication = ON_APPLICATIONS.get(lost.action);
  if (onApplication !== undefined) {
    if (application === null) return told(NO_APPLICATION);
    if (application.state === 'revoked') return told('Nothing: the application is revoked.');
    return onApplication(lost, after);
  }
  const onOther = ON_OTHERS.get(lost.action);
  return onOther?.(lost, after) ?? told('See "before" and "after" in the log, and do it again.');
}

function onCreate({ user_id, name, expires, address_allow_list: list }: State): Advice {
  const options = [
    `--user ${Number(user_id)} --name ${shellWord(String(name))}`,
    ...(typeof expires === 'string' ? [`--expires ${shellWord(isoOf(expires))}`] : []),
    ...(typeof list === 'string' ? [`--allow ${shellWord(list)}`] : []),
  ];
  return calmly('Its key does not work; hand over another one', `keys create ${options.join(' ')}`);
}

function onAffiliation({ before }: LoggedAuditEntry, after: State): Advice {
  const { created, status } = after;
  const record = { type: 'affiliation', ...after, created: isoOf(String(created)) };
  const line = shellWord(JSON.stringify(record));
  const key = [after.affiliate_id, after.product_id].map(Number);
  const overruled = JSON.stringify(overruledIn(isRecord(before) ? before : null, after));
  return {
    urgent: status === 'DENIED',
    todo: `The relationship is as before: printf '%s\\n' ${line} | ${CLI} import - ; and that no later file undoes it, in the database, UPDATE affiliations SET overruled = '${overruled}' WHERE affiliate_id = ${key[0]} AND product_id = ${key[1]};`,
  };
}

/** What stands in a text of SQL as it is, whichever database reads it. */
const PLAIN_IN_SQL = /^[\w./:?&=%+,#~-]*$/;

/** What the ledger had said of the fields that were set, as far as it can stand in a text of SQL. */
function overruledIn(before: State | null, after: State): Overruled {
  const stored = before === null ? null : { content: before, overruled: null };
  const set = Object.entries(overruledBy(stored, after, [...ALWAYS_SET, ...TERMS]) ?? {});
  return Object.fromEntries(
    set.filter(([, { said }]) => typeof said !== 'string' || PLAIN_IN_SQL.test(said)),
  );
}

function urgently(what: string, command: string): Advice {
  return { urgent: true, todo: `${what}: ${CLI} ${command}` };
}

function calmly(what: string, command: string): Advice {
  return { urgent: false, todo: `${what}: ${CLI} ${command}` };
}

function told(todo: string): Advice {
  return { urgent: false, todo };
}

/** For a moment as the log has it; anything else stays as it is, and is refused where it is used. */
function isoOf(moment: string): string {
  return /^[\d-]{10} [\d:]{8}$/.test(moment) ? formatDateTime(moment) : moment;
}

function lastNumberOf(subject: string): number {
  return Number(/\d{1,16}$/.exec(subject)?.[0] ?? 0);
}

/** One word for a shell, whatever it holds. */
function shellWord(text: string): string {
  return /^[\w./:,@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
