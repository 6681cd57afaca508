import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { shownText } from '../../platform/values/shown-text.js';
import { withoutFinalLineBreak } from '../../config/read-value.js';
import { type ListedUser, UnknownAccountError } from './account.model.js';
import type { ProvisionalUser } from './seen/provisional-user.model.js';
import { AccountsRepository } from './accounts.repository.js';
import { SignInService } from './sessions/sign-in.service.js';
import { parseInteger, type JsonOption } from '../../platform/commands/options.js';
import { printJson, printLine, print, printError } from '../../platform/commands/output.js';
import { ServiceCommand, withService } from '../../platform/commands/with-service.js';
import type { INestApplicationContext } from '@nestjs/common';
import { MailError } from '../../platform/mail/mail.model.js';
import { SuspendedUserError, type IssuedLink } from './passwords/password.model.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { ALL_USERS } from './accounts.entity.js';
import { addUserCommand } from './add-user.command.js';
import { TwoFactorService } from './sessions/two-factor.service.js';

/**
 * Widths of id, status, password, two-factor and e-mail; the name comes last and has no fixed
 * width.
 */
const WIDTHS = [12, 9, 8, 10, 32] as const;

export function usersCommand(): Command {
  return new Command('users')
    .description('users: vendors and affiliates')
    .addCommand(addUserCommand())
    .addCommand(
      new ServiceCommand('list')
        .description(
          'list the users, whether they can sign in to the account pages, and who has two-factor sign-in',
        )
        .option('--json', 'print a line of JSON for each', false)
        .run(listUsers),
    )
    .addCommand(
      new Command('set-password')
        .description(
          'set the password of a user; asks for it, or reads it from standard input if that is not a terminal',
        )
        .argument('<id>', 'the user', parseInteger)
        .action(setPassword),
    )
    .addCommand(
      new ServiceCommand('provisional')
        .description(
          'list the users whom a source or an upstream created, and whom the operator has not named',
        )
        .option('--json', 'print a line of JSON for each', false)
        .run(listProvisional),
    )
    .addCommand(inviteCommand())
    .addCommand(requireTwoFactorCommand())
    .addCommand(
      new ServiceCommand('reset-two-factor')
        .description('turn off the two-factor sign-in of a user who has lost the device')
        .argument('<id>', 'the user', parseInteger)
        .run(async (services, id: number) => {
          await services.get(TwoFactorService).reset(id);
          printLine(
            `Two-factor sign-in of user ${id} is off. All sessions of this user have ended.`,
          );
        }),
    );
}

function listUsers(services: INestApplicationContext, { json }: JsonOption): Promise<void> {
  const titles = ['ID', 'STATUS', 'PASSWORD', 'TWO-FACTOR', 'E-MAIL', 'NAME'];
  return printTable(services.get(AccountsRepository).all(), json, titles, columnsOf);
}

function listProvisional(services: INestApplicationContext, { json }: JsonOption): Promise<void> {
  const titles = ['ID', 'VENDOR', 'PASSWORD', 'KEY', 'E-MAIL', 'NAME'];
  const users = services.get(AccountsRepository).provisional();
  return printTable(users, json, titles, provisionalColumnsOf);
}

async function printTable<User extends object>(
  users: AsyncIterable<User>,
  json: boolean,
  titles: readonly string[],
  columns: (user: User) => readonly string[],
): Promise<void> {
  if (!json) printColumns(titles);
  for await (const user of users) {
    if (json) printJson(user);
    else printColumns(columns(user));
  }
}

function provisionalColumnsOf(user: ProvisionalUser): string[] {
  const { id, source_vendor_id, has_password, has_application, email, name } = user;
  return [
    String(id),
    String(source_vendor_id),
    ...[has_password, has_application].map((has) => (has ? 'set' : '-')),
    shownText(email),
    shownText(name),
  ];
}

function columnsOf(user: ListedUser): string[] {
  const { id, status, has_password, has_two_factor, two_factor_required, email, name } = user;
  const missing = two_factor_required ? 'required' : '-';
  return [
    String(id),
    status,
    has_password ? 'set' : '-',
    has_two_factor ? 'on' : missing,
    shownText(email),
    shownText(name),
  ];
}

function printColumns(columns: readonly string[]): void {
  const padded = columns.map((column, index) => column.padEnd(WIDTHS[index] ?? 0));
  process.stdout.write(`${padded.join('  ')}\n`);
}

async function setPassword(id: number): Promise<void> {
  const password = await readPassword();
  await withService(async (services) => {
    await services.get(SignInService).setPassword(id, password);
    printLine(`The password of user ${id} is set. All sessions of this user have ended.`);
  });
}

/**
 * Reads the password. It is never an argument, because the process list and the shell history would
 * show it.
 */
async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return withoutFinalLineBreak(await text(process.stdin));
  process.stderr.write('Password: ');
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const password = await lines.question('');
  lines.close();
  process.stderr.write('\n');
  return password;
}

interface InviteOptions extends JsonOption {
  readonly allWithoutPassword: boolean;
  readonly mail: boolean;
}

/** Builds `users invite`, which creates links with which users set their passwords. */
function inviteCommand(): Command {
  return new ServiceCommand('invite')
    .description(
      'print a link, good once and for 24 hours, with which a user sets a password; also for a forgotten one',
    )
    .argument(
      '[ids...]',
      'the users',
      (id: string, ids: readonly number[]) => [...ids, parseInteger(id)],
      [],
    )
    .option(
      '--all-without-password',
      'invite all active users without a password and without a link that still works',
      false,
    )
    .option('--mail', 'send the links by e-mail instead of printing them', false)
    .option('--json', 'print a line of JSON for each', false)
    .hook('preAction', (command) => {
      const { allWithoutPassword } = command.opts<InviteOptions>();
      if (allWithoutPassword === command.args.length > 0) {
        command.error("error: name users, or use '--all-without-password'");
      }
    })
    .run(inviteAll);
}

async function inviteAll(
  services: INestApplicationContext,
  ids: readonly number[],
  { allWithoutPassword, mail, json }: InviteOptions,
): Promise<boolean> {
  const links = services.get(PasswordsService);
  let isDone = true;
  for await (const id of allWithoutPassword ? links.uninvited() : new Set(ids)) {
    try {
      printLink(mail ? await links.inviteByMail(id) : await links.invite(id), mail, json);
    } catch (error) {
      printError(problemOf(id, error));
      isDone = false;
    }
  }
  return isDone;
}

function printLink({ user, link, expires }: IssuedLink, mail: boolean, json: boolean): void {
  const { id, email } = user;
  const result = mail ? { sent: true } : { link };
  print({ id, email, ...result, expires }, json, () =>
    [id, email, mail ? 'sent' : link, `until ${expires} UTC`].join('  '),
  );
}

/**
 * Returns the message about a failed invitation, which does not prevent the others.
 * @throws any other error
 */
function problemOf(id: number, error: unknown): string {
  if (error instanceof MailError) return `User ${id}: ${error.message}`;
  if (error instanceof UnknownAccountError || error instanceof SuspendedUserError)
    return error.message;
  throw error;
}

interface Required {
  readonly all: boolean;
  readonly off: boolean;
}

/**
 * Builds `users require-two-factor`; no page opens for the user before two-factor sign-in is set
 * up.
 */
function requireTwoFactorCommand(): Command {
  return new ServiceCommand('require-two-factor')
    .description('require two-factor sign-in of a user, or of all')
    .argument('[id]', 'the user', parseInteger)
    .option('--all', 'of all users, including future ones', false)
    .option('--off', 'no longer require it', false)
    .hook('preAction', (command) => {
      const isOfAll = command.opts<Required>().all;
      if ((command.args.length === 0) !== isOfAll) {
        command.error('error: give the id of a user, or --all');
      }
    })
    .run(async (services, id: number | undefined, { off }: Required) => {
      const user_id = id ?? ALL_USERS;
      const isRequiredNow = await services.get(TwoFactorService).setRequired(user_id, !off);
      const who = user_id === ALL_USERS ? 'all users' : `user ${user_id}`;
      if (!off) printLine(`Two-factor sign-in is required of ${who}.`);
      else if (isRequiredNow)
        printLine(`It is still required of ${who}, because it is required of all users.`);
      else printLine(`Two-factor sign-in is not required of ${who}.`);
    });
}
