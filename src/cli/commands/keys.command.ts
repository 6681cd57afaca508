import { Command, InvalidArgumentError } from 'commander';
import { AddressList } from '../../common/address-list.js';
import { shownText } from '../../common/shown-text.js';
import { endOfDay, isCalendarDay, parseDateTime, UNIT_SECONDS } from '../../common/time.js';
import {
  isApplicationName,
  UnknownAccountError,
  type ApiApplication,
  type IssuedKey,
  type ListedApplication,
  type RotatedKey,
} from '../../modules/accounts/account.model.js';
import { ApiApplicationsService } from '../../modules/accounts/applications/api-applications.service.js';
import { rewrapCommand } from './keys-rewrap.command.js';
import { parseInteger } from '../options.js';
import { printError, printJson, printLine } from '../output.js';
import { withService } from '../with-service.js';

interface JsonOption {
  readonly json: boolean;
}

interface CreateOptions extends JsonOption {
  readonly user: number;
  readonly name: string;
  readonly expires?: string;
  readonly allow?: AddressList | null;
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
    .addCommand(rewrapCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('create an API application and show its key')
    .requiredOption('--user <id>', 'the user who owns it', parseInteger)
    .requiredOption('--name <text>', 'what it is used for', parseName)
    .option('--expires <date>', 'last day (UTC) or date-time with an offset', parseExpiry)
    .option('--allow <list>', 'the allowed addresses, see keys allow', parseAddresses)
    .option('--json', 'print one line of JSON', false)
    .action((options: CreateOptions) =>
      withApplications(async (applications) => {
        const { user, name, expires = null, allow = null } = options;
        const issued = await applications.createApplication(user, name, expires, {
          addresses: allow,
        });
        printKey(issued, options.json);
      }),
    );
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
      withApplications(async (applications) => {
        printKey(await applications.rotateKey(id, options.overlap), options.json);
      }),
    );
}

function endOverlapCommand(): Command {
  return new Command('end-overlap')
    .description('end the old key after a rotation with --overlap')
    .argument('<id>', 'the application', parseInteger)
    .action((id: number) =>
      withApplications(async (applications) => {
        const hasEnded = await applications.endOverlap(id);
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

/** Runs a command on API applications. An unknown application or user gives exit status 1. */
export function withApplications(
  work: (applications: ApiApplicationsService) => Promise<void>,
): Promise<void> {
  return withService(async (services) => {
    try {
      await work(services.get(ApiApplicationsService));
      return 0;
    } catch (error) {
      if (!(error instanceof UnknownAccountError)) throw error;
      printError(error.message);
      return 1;
    }
  });
}

function printKey(
  { application, key, old_key_ends }: IssuedKey & Partial<RotatedKey>,
  json: boolean,
): void {
  const { id, user_id, name } = application;
  if (json) {
    printJson({ id, user_id, name, key, old_key_ends });
    return;
  }
  printLine(lineOf(application));
  printLine(`Key: ${key}`);
  if (typeof old_key_ends === 'string') printLine(`The old key works until ${old_key_ends} UTC.`);
}

function listLineOf(application: ListedApplication): string {
  const { last_used, old_key_ends } = application;
  const lastUse = last_used === null ? 'never used' : `last used ${last_used} UTC`;
  const oldKey = old_key_ends === null ? '' : `, old key works until ${old_key_ends} UTC`;
  return `${lineOf(application)}, ${lastUse}${oldKey}`;
}

function lineOf(application: ApiApplication): string {
  const { id, user_id, name, state, created, expires, address_allow_list, limits } = application;
  const parts = [
    `Application ${id} "${name}" of user ${user_id}: ${state}`,
    `created ${created} UTC`,
    ...(expires === null ? [] : [`expires ${expires} UTC`]),
    ...(address_allow_list === null ? [] : [`only from ${address_allow_list}`]),
    ...(limits === null ? [] : [`limits ${limits}`]),
  ];
  return parts.join(', ');
}

function parseName(text: string): string {
  if (!isApplicationName(text)) {
    throw new InvalidArgumentError(
      'It must have 1 to 255 characters, without control characters, line breaks or text direction marks.',
    );
  }
  return text;
}

/** @returns null for `any` */
function parseAddresses(text: string): AddressList | null {
  if (text === 'any') return null;
  const list = AddressList.parse(text);
  if (list === null) {
    throw new InvalidArgumentError(
      `It must be a comma-separated list of addresses and networks, or any; ${describeWrongEntries(text)}.`,
    );
  }
  return list;
}

function describeWrongEntries(list: string): string {
  const wrong = AddressList.invalidEntries(list).map((entry) => shownText(JSON.stringify(entry)));
  return `${wrong.join(', ')} ${wrong.length === 1 ? 'is' : 'are'} neither`;
}

/** A date without a time means the end of that day. */
function parseExpiry(text: string): string {
  const dateTime = isCalendarDay(text) ? endOfDay(text) : parseDateTime(text);
  if (dateTime === null) {
    throw new InvalidArgumentError(
      'It must be a date such as 2030-12-31, or a date-time with an offset.',
    );
  }
  return dateTime;
}

function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const length = UNIT_SECONDS[unit];
  if (length === undefined) {
    throw new InvalidArgumentError('It must be a duration such as 90s, 30m, 24h or 7d.');
  }
  return Number(count) * length;
}
