import { Command } from 'commander';
import { BY_OPERATOR } from '../../modules/audit/audit.model.js';
import { AuditService } from '../../modules/audit/audit.service.js';
import {
  RotateSecretsService,
  type RewrapCounts,
} from '../../platform/secrets/rotate-secrets.service.js';
import { readSecretFile } from '../key-file.js';
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
    .action(rewrap);
}

function rewrap(file: string): Promise<void> {
  return withService(async (services) => {
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
            entries.map((entry) => ({ ...BY_OPERATOR, before: null, ...entry })),
          ),
        onUnreadable: (owner) => {
          named += 1;
          if (named <= MAX_NAMED) printError(`${owner}: neither secret can decrypt a key.`);
        },
      });
      if (named > MAX_NAMED) printError(`and ${named - MAX_NAMED} more keys`);
      // The line of the keys is printed even if there are none.
      if (index === 0 || sumOf(counts) > 0) printLine(lineOf(store.values.title, counts));
      if (counts.unreadable > 0) status = 1;
    }
    return status;
  });
}

function sumOf({ rewrapped, current, unreadable }: RewrapCounts): number {
  return rewrapped + current + unreadable;
}

function lineOf(what: string, { rewrapped, current, unreadable }: RewrapCounts): string {
  return `${what}: ${rewrapped} re-encrypted, ${current} already current, ${unreadable} not decryptable with either secret`;
}
