import { Command, Option } from 'commander';
import type { AddressList } from '../../common/address-list.js';
import type { UserAccess } from '../../modules/accounts/account.model.js';
import { ApiApplicationsService } from '../../modules/accounts/applications/api-applications.service.js';
import { printKey } from '../application-lines.js';
import { parseAccess, parseAddresses, parseExpiry, parseName } from '../application-options.js';
import { parseInteger } from '../options.js';
import { withService } from '../with-service.js';

interface CreateOptions {
  readonly user?: number;
  readonly name?: string;
  readonly access?: UserAccess;
  readonly source?: string;
  readonly vendor?: number;
  readonly expires?: string;
  readonly allow?: AddressList | null;
  readonly json: boolean;
}

type Create = (
  applications: ApiApplicationsService,
) => ReturnType<ApiApplicationsService['createSource']>;

/** Builds `keys create`, which creates an application of a user, or a source. */
export function createCommand(): Command {
  return new Command('create')
    .description('create an API application and show its key')
    .option('--user <id>', 'the user who owns it', parseInteger)
    .option('--name <text>', 'what it is used for', parseName)
    .option('--access <access>', 'full, read or masked (default: full)', parseAccess)
    .addOption(
      new Option('--source <name>', 'create a source instead, which can only send records')
        .argParser(parseName)
        .conflicts(['user', 'name', 'access']),
    )
    .option(
      '--vendor <id>',
      'the only vendor that the source may write for (default: all)',
      parseInteger,
    )
    .option('--expires <date>', 'last day (UTC) or date-time with an offset', parseExpiry)
    .option('--allow <list>', 'the allowed addresses, see keys allow', parseAddresses)
    .option('--json', 'print one line of JSON', false)
    .action(async (options: CreateOptions, command: Command) => {
      const create = creationOf(options);
      if (typeof create === 'string') command.error(`error: ${create}`);
      else
        await withService(async (services) => {
          printKey(await create(services.get(ApiApplicationsService)), options.json);
        });
    });
}

/**
 * @returns the function that creates the application, or the problem of the options in combination
 */
function creationOf(options: CreateOptions): Create | string {
  const { user, name, access, source, vendor, expires = null, allow: addresses = null } = options;
  if (source !== undefined) {
    return (applications) => applications.createSource(vendor ?? null, source, expires, addresses);
  }
  if (vendor !== undefined) {
    return "option '--vendor <id>' is only for a source: use it with '--source <name>'";
  }
  if (user === undefined || name === undefined) {
    return "an application needs '--user <id>' and '--name <text>', a source needs '--source <name>'";
  }
  return (applications) =>
    applications.createApplication(user, name, expires, {
      addresses,
      ...(access === undefined ? {} : { access }),
    });
}
