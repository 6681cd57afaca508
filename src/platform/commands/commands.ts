import type { CommandDeclaration } from '../../feature.js';
import { EXTENSIONS } from '../../extensions.js';
import { FEATURES } from '../../features.js';

/** Commands that belong to no feature. */
const OWN: Readonly<Record<string, CommandDeclaration>> = {
  follow: {
    order: 30,
    load: async () => (await import('../../modules/follower/follow.command.js')).followCommand,
  },
  migrate: {
    order: 40,
    load: async () => (await import('./migrate.command.js')).migrateCommand,
  },
};

/** All commands by name, in the order in which the help lists them. */
export const COMMANDS: ReadonlyMap<string, CommandDeclaration> = new Map(
  [{ commands: OWN }, ...FEATURES, ...EXTENSIONS]
    .flatMap(({ commands = {} }) => Object.entries(commands))
    .sort(([, one], [, other]) => one.order - other.order),
);
