import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { MailError } from '../../mail/mail.model.js';
import { UnknownAccountError } from '../../modules/accounts/account.model.js';
import {
  SuspendedUserError,
  type IssuedLink,
} from '../../modules/accounts/links/password-link.model.js';
import { PasswordLinksService } from '../../modules/accounts/links/password-links.service.js';
import { parseInteger, type JsonOption } from '../options.js';
import { print, printError } from '../output.js';
import { withService } from '../with-service.js';

interface InviteOptions extends JsonOption {
  readonly allWithoutPassword: boolean;
  readonly mail: boolean;
}

/** Builds `users invite`, which creates links with which users set their passwords. */
export function inviteCommand(): Command {
  return new Command('invite')
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
    .action(async (ids: readonly number[], options: InviteOptions, command: Command) => {
      if (options.allWithoutPassword === ids.length > 0) {
        command.error("error: name users, or use '--all-without-password'");
      }
      await withService((services) => inviteAll(services, ids, options));
    });
}

async function inviteAll(
  services: INestApplicationContext,
  ids: readonly number[],
  { allWithoutPassword, mail, json }: InviteOptions,
): Promise<boolean> {
  const links = services.get(PasswordLinksService);
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
