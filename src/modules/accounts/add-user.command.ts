import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { TransactionWritesService } from '../../ledger/writes/transaction-writes.service.js';
import { type JsonOption, parseInteger } from '../../platform/commands/options.js';
import { print } from '../../platform/commands/output.js';
import { ServiceCommand } from '../../platform/commands/with-service.js';
import { NewUsersService } from './new-users.service.js';

interface Options extends JsonOption {
  /** Absent for the next free id. */
  readonly id?: number;
}

/** Builds `users add`, with which a new operator can sign in before there is any data. */
export function addUserCommand(): Command {
  return new ServiceCommand('add')
    .description('add a user, who can then get a password and keys')
    .argument('<name>', 'the name, such as "Ann Smith" or "Example Ltd"')
    .argument('<email>', 'the e-mail to sign in with')
    .option(
      '--id <id>',
      'the id that your sales system gives this user (default: the next free one)',
      parseInteger,
    )
    .option('--json', 'print the user as a line of JSON', false)
    .run(addUser);
}

async function addUser(
  services: INestApplicationContext,
  name: string,
  email: string,
  { id, json }: Options,
): Promise<void> {
  const sales = services.get(TransactionWritesService);
  // The user may be an affiliate whose sales arrived before the name.
  const { user, isNew } = await services
    .get(NewUsersService)
    .add({ name, email, id: id ?? null }, (session, added) =>
      sales.raiseRevisionsThatShow(session, [added], null),
    );
  print({ ...user, added: isNew }, json, () => [
    `User ${user.id} ${isNew ? 'was added' : 'is there already'}: ${user.name}, ${user.email}`,
    `Set a password: npm run cli -- users set-password ${user.id}`,
  ]);
}
