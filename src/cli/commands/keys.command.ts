import { Command } from 'commander';
import type { AddressList } from '../../common/address-list.js';
import type { UserAccess } from '../../modules/accounts/account.model.js';
import { lineOf, listLineOf, printKey } from '../application-lines.js';
import { parseAccess, parseAddresses, parseDuration } from '../application-options.js';
import { parseInteger } from '../options.js';
import { printJson, printLine } from '../output.js';
import { withApplications } from '../with-applications.js';
import { createCommand } from './keys-create.command.js';
import { rewrapCommand } from './keys-rewrap.command.js';

interface JsonOption {
  readonly json: boolean;
}

export function keysCommand(): Command {
  return new Command('keys')
    .description('API applications and their keys')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
    .addCommand(rotateCommand())
    .addCommand(endOverlapCommand())
    .addCommand(allowCommand())
    .addCommand(accessCommand())
    .addCommand(rewrapCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('list the API applications, without their keys')
    .option('--json', 'print a line of JSON for each', false)
    .action(({ json }: JsonOption) =>
      withApplications(async (applications) => {
        const all = await applications.applications();
        for (const application of all) {
          if (json) printJson(application);
          else printLine(listLineOf(application));
        }
        if (!json && all.length === 0) printLine('There are no API applications yet.');
      }),
    );
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('revoke an application and its keys permanently')
    .argument('<id>', 'the application', parseInteger)
    .action((id: number) =>
      withApplications(async (applications) => {
        printLine(lineOf(await applications.revokeApplication(id)));
      }),
    );
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description(
      'give an application a new key; without --overlap the old key stops working at once',
    )
    .argument('<id>', 'the application', parseInteger)
    .option('--overlap <time>', 'how long the old key still works, such as 24h', parseDuration, 0)
    .option('--json', 'print one line of JSON', false)
    .action((id: number, options: JsonOption & { readonly overlap: number }) =>
      withApplications(async (_, keys) => {
        printKey(await keys.rotateKey(id, options.overlap), options.json);
      }),
    );
}

function endOverlapCommand(): Command {
  return new Command('end-overlap')
    .description('end the old key after a rotation with --overlap')
    .argument('<id>', 'the application', parseInteger)
    .action((id: number) =>
      withApplications(async (_, keys) => {
        const hasEnded = await keys.endOverlap(id);
        const result = hasEnded ? 'the old key no longer works' : 'no old key works';
        printLine(`Application ${id}: ${result}`);
      }),
    );
}

function allowCommand(): Command {
  return new Command('allow')
    .description('allow the keys of an application only from these addresses')
    .argument('<id>', 'the application', parseInteger)
    .argument(
      '<list>',
      'such as 203.0.113.7,198.51.100.0/24,2001:db8::/32; any removes the restriction',
      parseAddresses,
    )
    .action((id: number, list: AddressList | null) =>
      withApplications(async (applications) => {
        printLine(lineOf(await applications.allowAddresses(id, list)));
      }),
    );
}

function accessCommand(): Command {
  return new Command('access')
    .description('change what the keys of an application may do, within 2 seconds')
    .argument('<id>', 'the application', parseInteger)
    .argument('<access>', 'full, read, or masked: read without personal data', parseAccess)
    .action((id: number, access: UserAccess) =>
      withApplications(async (applications) => {
        printLine(lineOf(await applications.setAccess(id, access)));
      }),
    );
}
