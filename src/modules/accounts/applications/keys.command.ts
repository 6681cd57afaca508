import type { INestApplicationContext } from '@nestjs/common';
import { Command, InvalidArgumentError, Option } from 'commander';
import { isUserAccess, type UserAccess, vendorOfSource } from '../../../api/access/principal.js';
import { readSecretFile } from '../../../platform/commands/key-file.js';
import {
  type JsonOption,
  parseDuration,
  parseInteger,
} from '../../../platform/commands/options.js';
import { print, printError, printLine, printList } from '../../../platform/commands/output.js';
import { ServiceCommand, withService } from '../../../platform/commands/with-service.js';
import {
  type RewrapCounts,
  RotateSecretsService,
} from '../../../platform/secrets/rotate-secrets.service.js';
import { AddressList } from '../../../platform/values/address-list.js';
import { BY_OPERATOR, OPERATOR } from '../../../platform/values/author.js';
import { shownText } from '../../../platform/values/shown-text.js';
import { endOfDay, isCalendarDay, parseDateTime } from '../../../platform/values/time.js';
import { AuditService } from '../../audit/index.js';
import {
  type ApiApplication,
  isApplicationName,
  type IssuedKey,
  type ListedApplication,
  NAME_RULE,
  type RotatedKey,
} from '../account.model.js';
import { ApiApplicationsService } from './api-applications.service.js';

/**
 * Returns the name of an application. Like all parsers of this file, it throws
 * InvalidArgumentError, which commander prints with the name of the option.
 */
function parseName(text: string): string {
  if (!isApplicationName(text)) throw new InvalidArgumentError(`It ${NAME_RULE}`);
  return text;
}

function parseAccess(text: string): UserAccess {
  if (isUserAccess(text)) return text;
  if (text === 'source') {
    throw new InvalidArgumentError(
      'An application is created as a source, with keys create --source, and stays one.',
    );
  }
  throw new InvalidArgumentError('It must be full, read or masked.');
}

function parseSwitch(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new InvalidArgumentError('It must be on or off.');
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

/** Returns a date-time in UTC; a date without a time means the end of that day. */
function parseExpiry(text: string): string {
  const dateTime = isCalendarDay(text) ? endOfDay(text) : parseDateTime(text);
  if (dateTime === null) {
    throw new InvalidArgumentError(
      'It must be a date such as 2030-12-31, or a date-time such as 2030-12-31T23:59:59-05:00.',
    );
  }
  return dateTime;
}

export function keysCommand(): Command {
  return new Command('keys')
    .description('API applications and their keys')
    .addCommand(createCommand())
    .addCommand(
      new ServiceCommand('list')
        .description('list the API applications, without their keys')
        .option('--json', 'print a line of JSON for each', false)
        .run(async (services, { json }: JsonOption) => {
          const all = await services.get(ApiApplicationsService).applicationsOf(OPERATOR);
          printList(all.map(shown), json, listLineOf, 'There are no API applications yet.');
        }),
    )
    .addCommand(
      applicationCommand('revoke', 'revoke an application and its keys permanently').run(
        changing((applications, id) => applications.revokeApplication(id)),
      ),
    )
    .addCommand(rotateCommand())
    .addCommand(endOverlapCommand())
    .addCommand(
      applicationCommand('allow', 'allow the keys of an application only from these addresses')
        .argument(
          '<list>',
          'such as 203.0.113.7,198.51.100.0/24,2001:db8::/32; any removes the restriction',
          parseAddresses,
        )
        .run(
          changing((applications, id, list: AddressList | null) =>
            applications.allowAddresses(id, list),
          ),
        ),
    )
    .addCommand(
      applicationCommand(
        'access',
        'change what the keys of an application may do, within 2 seconds',
      )
        .argument('<access>', 'full, read, or masked: read without personal data', parseAccess)
        .run(
          changing((applications, id, access: UserAccess) => applications.setAccess(id, access)),
        ),
    )
    .addCommand(
      applicationCommand(
        'mcp-writes',
        'let assistants change data with the keys of an application over MCP, within 2 seconds',
      )
        .argument('<on|off>', 'on needs keys with full access to have an effect', parseSwitch)
        .run(
          changing((applications, id, isAllowed: boolean) =>
            applications.setMcpWrites(id, isAllowed),
          ),
        ),
    )
    .addCommand(rewrapCommand());
}

function rotateCommand(): Command {
  return applicationCommand(
    'rotate',
    'give an application a new key; without --overlap the old key stops working immediately',
  )
    .option('--overlap <time>', 'how long the old key still works, such as 24h', parseDuration, 0)
    .option('--json', 'print one line of JSON', false)
    .run(async (services, id: number, options: JsonOption & { readonly overlap: number }) => {
      printKey(
        await services.get(ApiApplicationsService).rotateKey(id, options.overlap),
        options.json,
      );
    });
}

function endOverlapCommand(): Command {
  return applicationCommand('end-overlap', 'end the old key after a rotation with --overlap').run(
    async (services, id: number) => {
      const hasEnded = await services.get(ApiApplicationsService).endOverlap(id);
      const result = hasEnded ? 'the old key no longer works' : 'no old key works';
      printLine(`Application ${id}: ${result}`);
    },
  );
}

function applicationCommand(name: string, description: string): ServiceCommand {
  return new ServiceCommand(name)
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
  return async (services: INestApplicationContext, id: number, wanted: Wanted) => {
    printLine(lineOf(shown(await change(services.get(ApiApplicationsService), id, wanted))));
  };
}

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
function createCommand(): Command {
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

/** Maximum number of undecryptable keys that are listed. */
const MAX_NAMED = 100;

/**
 * Builds `keys rewrap`, the last step of a change of KEY_ENCRYPTION_SECRET
 * (docs/operating/keys.md).
 */
function rewrapCommand(): Command {
  return new ServiceCommand('rewrap')
    .description(
      're-encrypt the stored keys, secrets of webhooks, keys of upstreams and secrets of two-factor sign-in with the current KEY_ENCRYPTION_SECRET',
    )
    .argument('<file>', 'a file with only the previous secret; - for standard input')
    .run(rewrap);
}

async function rewrap(services: INestApplicationContext, file: string): Promise<number> {
  const old = await readSecretFile(file);
  const rotation = services.get(RotateSecretsService);
  const audit = services.get(AuditService);
  let status = 0;
  for (const [index, store] of rotation.stores().entries()) {
    let named = 0;
    const counts = await rotation.rewrap(store, old, {
      audit: (session, entries) =>
        audit.recordAll(
          session,
          entries.map((entry) => ({ ...BY_OPERATOR, ...entry })),
        ),
      onUnreadable: (owner) => {
        named += 1;
        if (named <= MAX_NAMED) printError(`${owner}: neither secret can decrypt a key.`);
      },
    });
    if (named > MAX_NAMED) printError(`and ${named - MAX_NAMED} more keys`);
    // The line of the keys is printed even if there are none.
    if (index === 0 || sumOf(counts) > 0) printLine(rewrapLineOf(store.values.title, counts));
    if (counts.unreadable > 0) status = 1;
  }
  return status;
}

function sumOf({ rewrapped, current, unreadable }: RewrapCounts): number {
  return rewrapped + current + unreadable;
}

function rewrapLineOf(what: string, { rewrapped, current, unreadable }: RewrapCounts): string {
  return `${what}: ${rewrapped} re-encrypted, ${current} already current, ${unreadable} not decryptable with either secret`;
}

/** Prints a new key with its application. */
function printKey(
  { application, key, old_key_ends }: IssuedKey & Partial<RotatedKey>,
  json: boolean,
): void {
  const { id, user_id, name } = application;
  print({ id, user_id, name, key, old_key_ends }, json, () => [
    lineOf(shown(application)),
    `Key: ${key}`,
    ...(typeof old_key_ends === 'string' ? [`The old key works until ${old_key_ends} UTC.`] : []),
  ]);
}

/** An application as commands show it. */
type Shown<Application extends ApiApplication> = Omit<Application, 'mcp_writes'> & {
  readonly mcp_writes: boolean;
};

function shown<Application extends ApiApplication>(application: Application): Shown<Application> {
  return { ...application, mcp_writes: application.mcp_writes === 1 };
}

function listLineOf(application: Shown<ListedApplication>): string {
  const { last_used, old_key_ends } = application;
  const lastUse = last_used === null ? 'never used' : `last used ${last_used} UTC`;
  const oldKey = old_key_ends === null ? '' : `, old key works until ${old_key_ends} UTC`;
  return `${lineOf(application)}, ${lastUse}${oldKey}`;
}

function lineOf(application: Shown<ApiApplication>): string {
  const { id, name, state, access, created, expires, address_allow_list, limits } = application;
  const { mcp_writes } = application;
  const parts = [
    `Application ${id} "${name}" of ${ownerOf(application)}: ${state}`,
    `${access} access`,
    `created ${created} UTC`,
    ...(expires === null ? [] : [`expires ${expires} UTC`]),
    ...(address_allow_list === null ? [] : [`only from ${address_allow_list}`]),
    ...(limits === null ? [] : [`limits ${limits}`]),
    ...(mcp_writes ? ['assistants may change data'] : []),
  ];
  return parts.join(', ');
}

function ownerOf(application: Pick<ApiApplication, 'access' | 'user_id'>): string {
  const isOfAll = application.access === 'source' && vendorOfSource(application) === null;
  return isOfAll ? 'all vendors' : `user ${application.user_id}`;
}
