import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { isError } from '../../common/errors/is-error.js';
import { withoutFinalLineBreak } from '../../common/without-final-line-break.js';
import { MIN_SECRET_LENGTH } from '../../config/settings/key-encryption-secret.js';
import { RewrapKeysService } from '../../modules/accounts/applications/rewrap-keys.service.js';
import { RewrapTwoFactorService } from '../../modules/accounts/two-factor/rewrap-two-factor.service.js';
import { RewrapPersonKeyService } from '../../modules/people/tombstones/rewrap-person-key.service.js';
import { RewrapUpstreamsService } from '../../modules/upstreams/registry/rewrap-upstreams.service.js';
import { RewrapSecretsService } from '../../modules/webhooks/endpoints/rewrap-secrets.service.js';
import { printError, printLine } from '../output.js';
import { withService } from '../with-service.js';

/** Maximum number of undecryptable keys that are listed. */
const MAX_NAMED = 100;

/**
 * Builds `keys rewrap`, the last step of a change of KEY_ENCRYPTION_SECRET
 * (docs/operating.md#keys).
 */
export function rewrapCommand(): Command {
  return new Command('rewrap')
    .description(
      're-encrypt the stored keys, secrets of webhooks, keys of upstreams and secrets of two-factor sign-in with the current KEY_ENCRYPTION_SECRET',
    )
    .argument('<file>', 'a file with only the previous secret; - for standard input')
    .action(async (file: string) => {
      const old = await readSecret(file);
      if (typeof old === 'string') await rewrap(old);
      else fail(old.problem);
    });
}

function rewrap(old: string): Promise<void> {
  return withService(async (services) => {
    let named = 0;
    const keys = await services.get(RewrapKeysService).rewrap(old, (application_id) => {
      named += 1;
      if (named > MAX_NAMED) return;
      printError(`Application ${application_id}: neither secret can decrypt a key.`);
    });
    if (named > MAX_NAMED) printError(`and ${named - MAX_NAMED} more keys`);
    printLine(lineOf('Keys', keys));
    const others = [
      ['Secrets of webhooks', await services.get(RewrapSecretsService).rewrap(old)],
      ['Keys of upstreams', await services.get(RewrapUpstreamsService).rewrap(old)],
      ['Secrets of two-factor sign-in', await services.get(RewrapTwoFactorService).rewrap(old)],
      ['Key of erased people', await services.get(RewrapPersonKeyService).rewrap(old)],
    ] as const;
    for (const [what, counts] of others) {
      const { rewrapped, current, unreadable } = counts;
      if (rewrapped + current + unreadable > 0) printLine(lineOf(what, counts));
    }
    const all = [keys, ...others.map(([, counts]) => counts)];
    return all.every(({ unreadable }) => unreadable === 0) ? 0 : 1;
  });
}

/** Numbers of secrets by outcome. */
type Counts = Readonly<Record<'rewrapped' | 'current' | 'unreadable', number>>;

function lineOf(what: string, { rewrapped, current, unreadable }: Counts): string {
  return `${what}: ${rewrapped} re-encrypted, ${current} already current, ${unreadable} not decryptable with either secret`;
}

/**
 * Reads the previous secret. It is never an argument, because the process list and the shell
 * history would show it.
 */
async function readSecret(file: string): Promise<string | { readonly problem: string }> {
  let content: string;
  try {
    content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8'));
  } catch (error) {
    return {
      problem: `${file}: cannot be read: ${isError(error) ? error.message : String(error)}`,
    };
  }
  const secret = withoutFinalLineBreak(content);
  if (secret.length >= MIN_SECRET_LENGTH) return secret;
  return { problem: `The previous secret must have at least ${MIN_SECRET_LENGTH} characters.` };
}

function fail(problem: string): void {
  printError(problem);
  process.exitCode = 1;
}
