import { Command } from 'commander';
import type { CommandDeclaration, LoadedExtension } from '../feature.js';
import { FEATURES } from '../features.js';
import { loadExtensions } from './extensions/load-extensions.js';
import { VERSION } from '../platform/files/project-files.js';

const VERSION_FLAGS = ['-V', '--version'];
/** Commands of the service itself. */
const OWN: Readonly<Record<string, CommandDeclaration>> = {
  extension: {
    order: 45,
    load: async () => (await import('./extensions/extension.command.js')).extensionCommand,
  },
  migrate: {
    order: 40,
    load: async () => (await import('./migrate.command.js')).migrateCommand,
  },
};

/** Commands of the service and its features by name, in the order in which the help lists them. */
export const COMMANDS = commandsOf([]);

function commandsOf(extensions: readonly LoadedExtension[]) {
  const declarations = extensions.map(({ declaration }) => declaration);
  return new Map<string, CommandDeclaration>(
    [{ commands: OWN }, ...FEATURES, ...declarations]
      .flatMap(({ commands = {} }) => Object.entries(commands))
      .sort(([, one], [, other]) => one.order - other.order),
  );
}

/**
 * Runs the requested command, and loads no other.
 * @param argv as in `process.argv`
 */
export async function runCommand(argv: readonly string[]): Promise<void> {
  const program = new Command('cli')
    .description('Commands of the Vendor Reporting API')
    .version(VERSION);
  for (const { load } of await neededFor(argv[2])) {
    const create = await load();
    program.addCommand(create());
  }
  await program.parseAsync(argv);
}

/**
 * Returns the commands to load: the requested one, or all of them for the help and for the message
 * about an unknown command.
 */
async function neededFor(word = '') {
  if (VERSION_FLAGS.includes(word)) return [];
  const own = COMMANDS.get(word);
  if (own !== undefined) return [own];
  const all = commandsOf(await loadExtensions());
  const command = all.get(word);
  return command === undefined ? all.values() : [command];
}
