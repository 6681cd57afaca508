import { Command, InvalidArgumentError } from 'commander';
import { endOfDay, isCalendarDay, parseDateTime } from '../common/time.js';
import type { ApiApplication, IssuedKey } from '../modules/accounts/account.model.js';
import { AccountsService, UnknownAccountError } from '../modules/accounts/accounts.service.js';
import { parseWholeNumber } from './options.js';
import { withService } from './with-service.js';

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

interface JsonOption {
  readonly json: boolean;
}

interface CreateOptions extends JsonOption {
  readonly user: number;
  readonly name: string;
  readonly expires?: string;
}

/** `keys`: the API applications and their keys (decisions: Keys). */
export function keysCommand(): Command {
  return new Command('keys')
    .description('API applications and their keys')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
    .addCommand(rotateCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('make an API application and show its key')
    .requiredOption('--user <id>', 'the user it belongs to', parseWholeNumber)
    .requiredOption('--name <text>', 'what it is for', parseName)
    .option('--expires <date>', 'last day (UTC) or date-time with an offset', parseExpiry)
    .option('--json', 'print one line of JSON', false)
    .action((options: CreateOptions) =>
      withAccounts(async (accounts) => {
        const { user, name, expires = null } = options;
        printKey(await accounts.createApplication(user, name, expires), options);
      }),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('list the API applications, without their keys')
    .option('--json', 'print a line of JSON for each', false)
    .action(({ json }: JsonOption) =>
      withAccounts(async (accounts) => {
        const applications = await accounts.applications();
        for (const application of applications) {
          print(json ? JSON.stringify(application) : lineOf(application));
        }
        if (!json && applications.length === 0) print('There are no API applications yet.');
      }),
    );
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('shut an application for good; its key stops working')
    .argument('<id>', 'the application', parseWholeNumber)
    .action((id: number) =>
      withAccounts(async (accounts) => {
        print(lineOf(await accounts.revokeApplication(id)));
      }),
    );
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description('give an application a new key; without --overlap the old one ends at once')
    .argument('<id>', 'the application', parseWholeNumber)
    .option('--overlap <time>', 'how long the old key goes on working, such as 24h', parseTime, 0)
    .option('--json', 'print one line of JSON', false)
    .action((id: number, options: JsonOption & { readonly overlap: number }) =>
      withAccounts(async (accounts) => {
        printKey(await accounts.rotateKey(id, options.overlap), options);
      }),
    );
}

function withAccounts(work: (accounts: AccountsService) => Promise<void>): Promise<void> {
  return withService(async (services) => {
    try {
      await work(services.get(AccountsService));
      return 0;
    } catch (error) {
      if (!(error instanceof UnknownAccountError)) throw error;
      process.stderr.write(`${error.message}\n`);
      return 1;
    }
  });
}

function printKey({ application, key }: IssuedKey, { json }: JsonOption): void {
  const { id, user_id, name } = application;
  if (json) print(JSON.stringify({ id, user_id, name, key }));
  else print(`${lineOf(application)}\nKey: ${key}`);
}

function lineOf({ id, user_id, name, state, created, expires }: ApiApplication): string {
  const end = expires === null ? '' : `, expires ${expires} UTC`;
  return `Application ${id} "${name}" of user ${user_id}: ${state}, created ${created} UTC${end}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function parseName(text: string): string {
  if (text.trim() === '' || text.length > 255) {
    throw new InvalidArgumentError('It must have 1 to 255 characters.');
  }
  return text;
}

/** A day means until its end. */
function parseExpiry(text: string): string {
  const moment = isCalendarDay(text) ? endOfDay(text) : parseDateTime(text);
  if (moment === null) {
    throw new InvalidArgumentError(
      'It must be a date such as 2030-12-31, or a date-time with an offset.',
    );
  }
  return moment;
}

function parseTime(text: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  if (match === null)
    throw new InvalidArgumentError('It must be a time such as 90s, 30m, 24h or 7d.');
  const [, count, unit] = match;
  return Number(count) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
}
