import { Command, InvalidArgumentError } from 'commander';
import {
  formatLimitWindows,
  parseLimitWindows,
  type LimitWindows,
} from '../../common/limit-windows.js';
import { loadSettings } from '../../config/load-settings.js';
import type { ApiApplication } from '../../modules/accounts/account.model.js';
import { withApplications } from './keys.command.js';
import { parseWholeNumber } from '../options.js';

/** `limits`: what an API application may ask where it differs from THROTTLE_LIMITS. */
export function limitsCommand(): Command {
  return new Command('limits')
    .description(
      'limits of a single API application; they apply within 2 seconds, without a restart',
    )
    .addCommand(
      ofApplication('set', 'give an application limits of its own')
        .argument('<limits>', 'such as 50/1s,3000/1m; or off for none', parseLimits)
        .action((id: number, limits: LimitWindows) =>
          withApplications(async (applications) => {
            print(await applications.setLimits(id, limits));
          }),
        ),
    )
    .addCommand(
      ofApplication('show', 'show the limits of an application').action((id: number) =>
        withApplications(async (applications) => {
          print(await applications.applicationById(id));
        }),
      ),
    )
    .addCommand(
      ofApplication('clear', 'restore the default limits of an application').action((id: number) =>
        withApplications(async (applications) => {
          print(await applications.setLimits(id, null));
        }),
      ),
    );
}

function ofApplication(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<application>', 'its id, see keys list', parseWholeNumber);
}

function parseLimits(text: string): LimitWindows {
  const limits = parseLimitWindows(text);
  if (limits === null) {
    throw new InvalidArgumentError(
      'It must be off, or a comma-separated list of requests/duration, such as 50/1s,3000/1m.',
    );
  }
  return limits;
}

function print({ id, limits }: ApiApplication): void {
  const own = limits === null ? 'the default (THROTTLE_LIMITS): ' : '';
  const windows = limits ?? formatLimitWindows(loadSettings().limits.key);
  process.stdout.write(`Application ${id}: ${own}${windows}\n`);
}
