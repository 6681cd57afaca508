import { Command } from 'commander';
import { ALL_USERS } from '../../modules/accounts/two-factor/two-factor.model.js';
import { TwoFactorService } from '../../modules/accounts/two-factor/two-factor.service.js';
import { parseInteger } from '../options.js';
import { printLine } from '../output.js';
import { withService } from '../with-service.js';

interface Required {
  readonly all: boolean;
  readonly off: boolean;
}

/**
 * Builds `users require-two-factor`; no page opens for the user before two-factor sign-in is set
 * up.
 */
export function requireTwoFactorCommand(): Command {
  const command = new Command('require-two-factor');
  return command
    .description('require two-factor sign-in of a user, or of all')
    .argument('[id]', 'the user', parseInteger)
    .option('--all', 'of all users, including future ones', false)
    .option('--off', 'no longer require it', false)
    .action((id: number | undefined, { all, off }: Required) => {
      if ((id === undefined) !== all) command.error('error: give the id of a user, or --all');
      return require(id ?? ALL_USERS, !off);
    });
}

function require(user_id: number, isRequired: boolean): Promise<void> {
  return withService(async (services) => {
    const isRequiredNow = await services.get(TwoFactorService).setRequired(user_id, isRequired);
    const who = user_id === ALL_USERS ? 'all users' : `user ${user_id}`;
    if (isRequired) printLine(`Two-factor sign-in is required of ${who}.`);
    else if (isRequiredNow)
      printLine(`It is still required of ${who}, because it is required of all users.`);
    else printLine(`Two-factor sign-in is not required of ${who}.`);
  });
}

/** Builds `users reset-two-factor`, which is used for a lost device. */
export function resetTwoFactorCommand(): Command {
  return new Command('reset-two-factor')
    .description('turn off the two-factor sign-in of a user who has lost the device')
    .argument('<id>', 'the user', parseInteger)
    .action((id: number) =>
      withService(async (services) => {
        await services.get(TwoFactorService).reset(id);
        printLine(`Two-factor sign-in of user ${id} is off. All sessions of this user have ended.`);
      }),
    );
}
