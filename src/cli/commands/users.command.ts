import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { shownText } from '../../common/shown-text.js';
import { withoutFinalLineBreak } from '../../config/read-value.js';
import type { ListedUser } from '../../modules/accounts/account.model.js';
import type { ProvisionalUser } from '../../modules/accounts/provisional/provisional-user.model.js';
import { ProvisionalUsersService } from '../../modules/accounts/provisional/provisional-users.service.js';
import { AccountsService } from '../../modules/accounts/accounts.service.js';
import { SignInService } from '../../modules/accounts/sessions/sign-in.service.js';
import { parseInteger, type JsonOption } from '../options.js';
import { printJson, printLine } from '../output.js';
import { withService } from '../with-service.js';
import { inviteCommand } from './users-invite.command.js';
import { requireTwoFactorCommand, resetTwoFactorCommand } from './users-two-factor.command.js';

/**
 * Widths of id, status, password, two-factor and e-mail; the name comes last and has no fixed
 * width.
 */
const WIDTHS = [12, 9, 8, 10, 32] as const;

export function usersCommand(): Command {
  return new Command('users')
    .description('users: vendors and affiliates')
    .addCommand(
      new Command('list')
        .description(
          'list the users, whether they can sign in to the account pages, and who has two-factor sign-in',
        )
        .option('--json', 'print a line of JSON for each', false)
        .action(listUsers),
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
      new Command('provisional')
        .description(
          'list the users whom a source or an upstream created, and whom the operator has not named',
        )
        .option('--json', 'print a line of JSON for each', false)
        .action(listProvisional),
    )
    .addCommand(inviteCommand())
    .addCommand(requireTwoFactorCommand())
    .addCommand(resetTwoFactorCommand());
}

function listUsers({ json }: JsonOption): Promise<void> {
  return withService((services) => {
    const titles = ['ID', 'STATUS', 'PASSWORD', 'TWO-FACTOR', 'E-MAIL', 'NAME'];
    return printTable(services.get(AccountsService).users(), json, titles, columnsOf);
  });
}

function listProvisional({ json }: JsonOption): Promise<void> {
  return withService((services) => {
    const titles = ['ID', 'VENDOR', 'PASSWORD', 'KEY', 'E-MAIL', 'NAME'];
    const users = services.get(ProvisionalUsersService).users();
    return printTable(users, json, titles, provisionalColumnsOf);
  });
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
