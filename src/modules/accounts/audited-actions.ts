import { ALL_VENDORS } from '../../api/access/principal.js';
import { NO_APPLICATION } from '../../platform/values/author.js';
import {
  type Advice,
  type AuditEntry,
  isoOf,
  lastNumberOf,
  type LoggedAuditEntry,
  routine,
  shellWord,
  type State,
  type UndoneActions,
  urgent,
} from '../audit/index.js';

/** Returns the subject of the audit entries on an application. */
export function applicationSubject(id: number, user_id: number): string {
  return `application ${id} of user ${user_id}`;
}

/** Lists the audited actions on applications, with advice for after a restore. */
export const APPLICATION_ACTIONS = {
  'key.create': onCreate,
  'key.revoke': urgent('Its keys work again', 'keys revoke {application}'),
  'key.rotate': urgent(
    'Its old key works again and the new one does not; hand over another one',
    'keys rotate {application}',
  ),
  'key.end-overlap': urgent('Its old key may work again', 'keys end-overlap {application}'),
  'key.allow': ({ address_allow_list: list }, { application_id: id }) => {
    return typeof list === 'string'
      ? urgent('Its keys work from other addresses again', `keys allow ${id} ${shellWord(list)}`)
      : routine('Its keys work only from some addresses again', `keys allow ${id} any`);
  },
  'key.access': ({ access }, { application_id: id }) => {
    const command = `keys access ${id} ${shellWord(String(access))}`;
    return access === 'full'
      ? routine('Its keys may do less again', command)
      : urgent('Its keys have their earlier access again', command);
  },
  'key.mcp-writes': ({ mcp_writes }, { application_id: id }) =>
    mcp_writes === 1
      ? routine('Assistants can change nothing with its keys again', `keys mcp-writes ${id} on`)
      : urgent('Assistants can change data with its keys again', `keys mcp-writes ${id} off`),
  'key.expire': ({ expires }) => {
    const isSet = typeof expires === 'string';
    const todo = `Its end was set to ${isSet ? `${expires} UTC` : 'none'}: ask its owner to set it again at /account.`;
    return isSet ? urgent(todo) : routine(todo);
  },
  'key.rename': ({ name }) =>
    routine(`Its name was ${JSON.stringify(name)}: its owner can set it again.`),
  'key.show': routine('Nothing: its owner saw the key and has it.'),
  'limits.set': ({ limits }, { application_id: id }) =>
    routine('Its limits are as before', `limits set ${id} ${shellWord(String(limits))}`),
  'limits.clear': routine('Its own limits apply again', 'limits clear {application}'),
} satisfies UndoneActions;
export type ApplicationAction = keyof typeof APPLICATION_ACTIONS;

function onCreate(after: State): Advice {
  const { user_id, name, access, expires, address_allow_list: list } = after;
  const options =
    access === 'source'
      ? ['--source', shellWord(String(name))]
      : ['--user', String(Number(user_id)), '--name', shellWord(String(name))];
  const add = (option: string, value: string) => options.push(option, shellWord(value));
  if (access === 'source') {
    if (Number(user_id) !== ALL_VENDORS) add('--vendor', String(Number(user_id)));
  } else if (typeof access === 'string' && access !== 'full') add('--access', access);
  if (typeof expires === 'string') add('--expires', isoOf(expires));
  if (typeof list === 'string') add('--allow', list);
  const todo = 'Its key does not work; hand over another one';
  return routine(todo, `keys create ${options.join(' ')}`);
}

const TWO_FACTOR_REMOVED = routine(
  'Codes of a device are asked for again that the user may not have',
  'users reset-two-factor {id}',
);
const RECOVERY_CODES = urgent(
  'A recovery code works again: ask its owner to create new ones at /account/security.',
);

/** Lists the audited actions on users and how they sign in, with advice for after a restore. */
export const USER_ACTIONS = {
  'password.set': urgent(
    'The previous password works again, if there was one',
    'users set-password {id}',
  ),
  'password.forgotten': routine('Nothing: the user can ask for another link.'),
  'user.add': ({ name, email }, { subject }) => {
    const words = [shellWord(String(name)), shellWord(String(email))].join(' ');
    return routine('There is no such user', `users add ${words} --id ${lastNumberOf(subject)}`);
  },
  'user.invite': routine('Its link does not work', 'users invite {id}'),
  'user.access-removed': urgent(
    'The password and the keys that were removed may work again: import the record of the user again.',
  ),
  'two_factor.on': urgent(
    'The password alone signs in again, until it is set up anew',
    'users require-two-factor {id}',
  ),
  'two_factor.off': TWO_FACTOR_REMOVED,
  'two_factor.reset': TWO_FACTOR_REMOVED,
  'two_factor.recovery-code': RECOVERY_CODES,
  'two_factor.new-recovery-codes': RECOVERY_CODES,
  'two_factor.require': onRequirement,
} satisfies UndoneActions;
type UserAction = keyof typeof USER_ACTIONS;

/**
 * Returns the audit entry of an action on a user.
 * @param by the user or the operator
 */
export function userEntry(
  action: UserAction,
  user_id: number,
  by = user_id,
  after: object = {},
): AuditEntry {
  const subject = `user ${user_id}`;
  return {
    user_id: by,
    application_id: NO_APPLICATION,
    account_id: user_id,
    action,
    subject,
    after,
  };
}

function onRequirement({ required }: State, { subject }: LoggedAuditEntry): Advice {
  const id = lastNumberOf(subject);
  const command = `users require-two-factor ${id === 0 ? '--all' : id}`;
  return required === true
    ? urgent('Two-factor sign-in is not required any more', command)
    : routine('Two-factor sign-in is required again', `${command} --off`);
}
