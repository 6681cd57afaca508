import {
  lastNumberOf,
  routine,
  urgent,
  type Advice,
  type State,
  type UndoneActions,
  type LoggedAuditEntry,
} from '../audit/index.js';

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

function onRequirement({ required }: State, { subject }: LoggedAuditEntry): Advice {
  const id = lastNumberOf(subject);
  const command = `users require-two-factor ${id === 0 ? '--all' : id}`;
  return required === true
    ? urgent('Two-factor sign-in is not required any more', command)
    : routine('Two-factor sign-in is required again', `${command} --off`);
}
