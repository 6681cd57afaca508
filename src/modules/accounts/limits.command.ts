import type { INestApplicationContext } from '@nestjs/common';
import { Command, InvalidArgumentError } from 'commander';
import {
  formatLimitWindows,
  parseLimitWindows,
  type LimitWindows,
} from '../../platform/limits/limit-windows.js';
import { Settings } from '../../config/settings.js';
import type { ApiApplication } from './account.model.js';
import { ApiApplicationsService } from './applications/api-applications.service.js';
import { parseInteger } from '../../platform/commands/options.js';
import { printLine } from '../../platform/commands/output.js';
import { ServiceCommand } from '../../platform/commands/with-service.js';

/** Builds `limits`, which sets rate limits of an application that override THROTTLE_LIMITS. */
export function limitsCommand(): Command {
  return new Command('limits')
    .description(
      'limits of a single API application; they apply within 2 seconds, without a restart',
    )
    .addCommand(
      applicationCommand('set', 'give an application limits of its own')
        .argument('<limits>', 'such as 50/1s,3000/1m; or off for none', parseLimits)
        .run((services, id: number, limits: LimitWindows) =>
          printLimits(services, (applications) => applications.setLimits(id, limits)),
        ),
    )
    .addCommand(
      applicationCommand('show', 'show the limits of an application').run((services, id: number) =>
        printLimits(services, (applications) => applications.applicationById(id)),
      ),
    )
    .addCommand(
      applicationCommand('clear', 'restore the default limits of an application').run(
        (services, id: number) =>
          printLimits(services, (applications) => applications.setLimits(id, null)),
      ),
    );
}

function applicationCommand(name: string, description: string): ServiceCommand {
  return new ServiceCommand(name)
    .description(description)
    .argument('<application>', 'its id, see keys list', parseInteger);
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

async function printLimits(
  services: INestApplicationContext,
  applicationOf: (applications: ApiApplicationsService) => Promise<ApiApplication>,
): Promise<void> {
  const { id, limits } = await applicationOf(services.get(ApiApplicationsService));
  const source = limits === null ? 'the default (THROTTLE_LIMITS): ' : '';
  const windows = limits ?? formatLimitWindows(services.get(Settings).limits.key);
  printLine(`Application ${id}: ${source}${windows}`);
}
