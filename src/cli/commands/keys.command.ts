import { Command } from 'commander';
import type { AddressList } from '../../common/address-list.js';
import type { ApiApplication, UserAccess } from '../../modules/accounts/account.model.js';
import { ApiApplicationsService } from '../../modules/accounts/applications/api-applications.service.js';
import { ApiKeysService } from '../../modules/accounts/applications/api-keys.service.js';
import { lineOf, listLineOf, printKey } from '../application-lines.js';
import { parseAccess, parseAddresses, parseDuration } from '../application-options.js';
import { parseInteger, type JsonOption } from '../options.js';
import { printLine, printList } from '../output.js';
import { withService } from '../with-service.js';
import { createCommand } from './keys-create.command.js';
import { rewrapCommand } from './keys-rewrap.command.js';

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
      withService(async (services) => {
        const all = await services.get(ApiApplicationsService).applications();
        printList(all, json, listLineOf, 'There are no API applications yet.');
      }),
    );
}

function revokeCommand(): Command {
  return applicationCommand('revoke', 'revoke an application and its keys permanently').action(
    changing((applications, id) => applications.revokeApplication(id)),
  );
}

function rotateCommand(): Command {
  return applicationCommand(
    'rotate',
    'give an application a new key; without --overlap the old key stops working immediately',
  )
    .option('--overlap <time>', 'how long the old key still works, such as 24h', parseDuration, 0)
    .option('--json', 'print one line of JSON', false)
    .action((id: number, options: JsonOption & { readonly overlap: number }) =>
      withService(async (services) => {
        printKey(await services.get(ApiKeysService).rotateKey(id, options.overlap), options.json);
      }),
    );
}

function endOverlapCommand(): Command {
  return applicationCommand(
    'end-overlap',
    'end the old key after a rotation with --overlap',
  ).action((id: number) =>
    withService(async (services) => {
      const hasEnded = await services.get(ApiKeysService).endOverlap(id);
      const result = hasEnded ? 'the old key no longer works' : 'no old key works';
      printLine(`Application ${id}: ${result}`);
    }),
  );
}

function allowCommand(): Command {
  return applicationCommand('allow', 'allow the keys of an application only from these addresses')
    .argument(
      '<list>',
      'such as 203.0.113.7,198.51.100.0/24,2001:db8::/32; any removes the restriction',
      parseAddresses,
    )
    .action(
      changing((applications, id, list: AddressList | null) =>
        applications.allowAddresses(id, list),
      ),
    );
}

function accessCommand(): Command {
  return applicationCommand(
    'access',
    'change what the keys of an application may do, within 2 seconds',
  )
    .argument('<access>', 'full, read, or masked: read without personal data', parseAccess)
    .action(changing((applications, id, access: UserAccess) => applications.setAccess(id, access)));
}

function applicationCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<id>', 'the application', parseInteger);
}

/** Returns the action of a command that changes an application and prints it. */
function changing<Wanted>(
  change: (
    applications: ApiApplicationsService,
    id: number,
    wanted: Wanted,
  ) => Promise<ApiApplication>,
) {
  return (id: number, wanted: Wanted) =>
    withService(async (services) => {
      printLine(lineOf(await change(services.get(ApiApplicationsService), id, wanted)));
    });
}
