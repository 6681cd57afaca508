import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { UnknownAccountError } from '../modules/accounts/account.model.js';
import { PasswordRefusedError, SignInService } from '../modules/accounts/sign-in.service.js';
import { parseWholeNumber } from './options.js';
import { withService } from './with-service.js';

/** `users`: who may sign in to the account pages. */
export function usersCommand(): Command {
  return new Command('users')
    .description('users of the account pages')
    .addCommand(
      new Command('set-password')
        .description(
          'set what a user signs in with; it is asked for, or read from standard input where that is no terminal',
        )
        .argument('<id>', 'the user', parseWholeNumber)
        .action(setPassword),
    );
}

async function setPassword(id: number): Promise<void> {
  const password = await readPassword();
  await withService(async (services) => {
    try {
      await services.get(SignInService).setPassword(id, password);
      process.stdout.write(`The password of user ${id} is set; all its sessions are ended.\n`);
      return 0;
    } catch (error) {
      const isTold = error instanceof UnknownAccountError || error instanceof PasswordRefusedError;
      if (!isTold) throw error;
      process.stderr.write(`${error.message}\n`);
      return 1;
    }
  });
}

/** Never an argument: the list of processes and the shell's history would show it. */
async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
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
