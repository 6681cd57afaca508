import { isRecord } from '../common/validation/is-record.js';
import { formatDateTime } from '../common/time.js';
import { ALL_VENDORS, type ApiApplication } from '../modules/accounts/account.model.js';
import { ALWAYS_SET, TERMS } from '../modules/affiliates/affiliation.model.js';
import type { LoggedAuditEntry } from '../modules/audit/audit.model.js';
import { overruledBy, type Overruled } from '../ledger-format/overruled-fields.js';

/** Advice to the operator on a change that a restore undid. */
export interface Advice {
  /**
   * True if the restore revived something that was removed, such as a revoked key or a canceled
   * subscription.
   */
  readonly urgent: boolean;
  readonly todo: string;
}

type State = Readonly<Record<string, unknown>>;
type AdviceOn = (lost: LoggedAuditEntry, after: State) => Advice;

const CLI = 'npm run cli --';
const NO_APPLICATION =
  'Nothing: the application was created after the backup, so its keys do not work.';

const ON_APPLICATIONS: ReadonlyMap<string, AdviceOn> = new Map<string, AdviceOn>([
  ['key.revoke', ({ application_id: id }) => urgent('Its keys work again', `keys revoke ${id}`)],
  [
    'key.rotate',
    ({ application_id: id }) =>
      urgent(
        'Its old key works again and the new one does not; hand over another one',
        `keys rotate ${id}`,
      ),
  ],
  [
    'key.end-overlap',
    ({ application_id: id }) => urgent('Its old key may work again', `keys end-overlap ${id}`),
  ],
  [
    'key.allow',
    ({ application_id: id }, { address_allow_list: list }) => {
      const command = `keys allow ${id} ${typeof list === 'string' ? shellWord(list) : 'any'}`;
      return typeof list === 'string'
        ? urgent('Its keys work from other addresses again', command)
        : routine('Its keys work only from some addresses again', command);
    },
  ],
  [
    'key.access',
    ({ application_id: id }, { access }) => {
      const command = `keys access ${id} ${shellWord(String(access))}`;
      return access === 'full'
        ? routine('Its keys may do less again', command)
        : urgent('Its keys have their earlier access again', command);
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
    (_, { name }) => note(`Its name was ${JSON.stringify(name)}: its owner can set it again.`),
  ],
  ['key.show', () => note('Nothing: its owner saw the key and has it.')],
  [
    'limits.set',
    ({ application_id: id }, { limits }) =>
      routine('Its limits are as before', `limits set ${id} ${shellWord(String(limits))}`),
  ],
  [
    'limits.clear',
    ({ application_id: id }) => routine('Its own limits apply again', `limits clear ${id}`),
  ],
]);

const ON_OTHERS: ReadonlyMap<string, AdviceOn> = new Map<string, AdviceOn>([
  [
    'password.set',
    ({ subject }) =>
      urgent(
        'The previous password works again, if there was one',
        `users set-password ${lastNumberOf(subject)}`,
      ),
  ],
  [
    'user.invite',
    ({ subject }) => routine('Its link does not work', `users invite ${lastNumberOf(subject)}`),
  ],
  [
    'user.access-removed',
    () => ({
      urgent: true,
      todo: 'The password and the keys that were removed may work again: import the record of the user again.',
    }),
  ],
  [
    'product.remove',
    () =>
      note('The product is there again with all that belongs to it: run "sources remove" again.'),
  ],
  ['password.forgotten', () => note('Nothing: the user can ask for another link.')],
  [
    'two_factor.on',
    ({ subject }) =>
      urgent(
        'The password alone signs in again, until it is set up anew',
        `users require-two-factor ${lastNumberOf(subject)}`,
      ),
  ],
  ['two_factor.off', onTwoFactorRemoved],
  ['two_factor.reset', onTwoFactorRemoved],
  ['two_factor.recovery-code', onRecoveryCodes],
  ['two_factor.new-recovery-codes', onRecoveryCodes],
  ['two_factor.require', onRequirement],
  ['affiliation.set', onAffiliation],
  [
    'recurring_payment.cancel',
    ({ user_id, subject }) => ({
      urgent: true,
      todo: `The processor has ended it, but here it is not CANCELED any more. Run in the database: UPDATE recurring_payments SET overruled = JSON_OBJECT('status', JSON_OBJECT('said', COALESCE(status_word, status))), status = 'CANCELED', status_word = NULL WHERE id = ${lastNumberOf(subject)} AND status IN ('ACTIVE', 'OTHER') AND product_id IN (SELECT id FROM products WHERE vendor_id = ${user_id});`,
    }),
  ],
]);

/** @param found the application with this id in the database; the id may have been reused */
export function adviceOn(lost: LoggedAuditEntry, found: ApiApplication | null): Advice {
  const after = isRecord(lost.after) ? lost.after : {};
  const isSame = found?.user_id === after.user_id && found?.created === after.created;
  const application = isSame ? found : null;
  if (lost.action === 'key.create') {
    return application === null ? onCreate(after) : note('Nothing: it is there.');
  }
  const onApplication = ON_APPLICATIONS.get(lost.action);
  if (onApplication !== undefined) {
    if (application === null) return note(NO_APPLICATION);
    if (application.state === 'revoked') return note('Nothing: the application is revoked.');
    return onApplication(lost, after);
  }
  const onOther = ON_OTHERS.get(lost.action);
  return onOther?.(lost, after) ?? note('See "before" and "after" in the log, and do it again.');
}

function onCreate(after: State): Advice {
  const { expires, address_allow_list: list } = after;
  const options = [
    ...(after.access === 'source' ? sourceOptions(after) : userOptions(after)),
    ...(typeof expires === 'string' ? [`--expires ${shellWord(isoOf(expires))}`] : []),
    ...(typeof list === 'string' ? [`--allow ${shellWord(list)}`] : []),
  ];
  return routine(
    'Its key does not work; hand over another one',
    `keys create ${options.join(' ')}`,
  );
}

function userOptions({ user_id, name, access }: State): string[] {
  const isNarrower = typeof access === 'string' && access !== 'full';
  return [
    `--user ${Number(user_id)} --name ${shellWord(String(name))}`,
    ...(isNarrower ? [`--access ${shellWord(access)}`] : []),
  ];
}

function sourceOptions({ user_id, name }: State): string[] {
  const vendor = Number(user_id);
  return [
    `--source ${shellWord(String(name))}`,
    ...(vendor === ALL_VENDORS ? [] : [`--vendor ${vendor}`]),
  ];
}

function onTwoFactorRemoved({ subject }: LoggedAuditEntry): Advice {
  return routine(
    'Codes of a device are asked for again that the user may not have',
    `users reset-two-factor ${lastNumberOf(subject)}`,
  );
}

function onRecoveryCodes(): Advice {
  const todo =
    'A recovery code works again: ask its owner to create new ones at /account/security.';
  return { urgent: true, todo };
}

function onRequirement({ subject }: LoggedAuditEntry, { required }: State): Advice {
  const id = lastNumberOf(subject);
  const command = `users require-two-factor ${id === 0 ? '--all' : id}`;
  return required === true
    ? urgent('Two-factor sign-in is not required any more', command)
    : routine('Two-factor sign-in is required again', `${command} --off`);
}

function onAffiliation({ before }: LoggedAuditEntry, after: State): Advice {
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

function urgent(what: string, command: string): Advice {
  return { urgent: true, todo: `${what}: ${CLI} ${command}` };
}

function routine(what: string, command: string): Advice {
  return { urgent: false, todo: `${what}: ${CLI} ${command}` };
}

function note(todo: string): Advice {
  return { urgent: false, todo };
}

/** Formats a stored date-time. Any other text is returned unchanged, and the command rejects it. */
function isoOf(dateTime: string): string {
  return /^[\d-]{10} [\d:]{8}$/.test(dateTime) ? formatDateTime(dateTime) : dateTime;
}

function lastNumberOf(subject: string): number {
  return Number(/\d{1,16}$/.exec(subject)?.[0] ?? 0);
}

function shellWord(text: string): string {
  return /^[\w./:,@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
