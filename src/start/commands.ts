import { Command } from 'commander';
import type { CommandDeclaration } from '../feature.js';
import { FEATURES } from '../features.js';
import { printError } from '../platform/commands/output.js';
import { StartError } from '../platform/errors/domain-error.js';
import { ExtensionError, usingExtension } from '../platform/errors/extension-error.js';
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
export const COMMANDS: ReadonlyMap<string, CommandDeclaration> = new Map(
  [{ commands: OWN }, ...FEATURES]
    .flatMap(({ commands = {} }) => Object.entries(commands))
    .sort(([, one], [, other]) => one.order - other.order),
);

/**
 * Runs the requested command, and loads no other.
 * @param argv as in `process.argv`
 */
export async function runCommand(argv: readonly string[]): Promise<void> {
  const program = new Command('cli')
    .description('Commands of the Vendor Reporting API')
    .version(VERSION);
  for (const { load } of neededFor(argv[2])) {
    const create = await load();
    program.addCommand(create());
  }
  for (const command of await addedFor(argv[2])) program.addCommand(command);
  await program.parseAsync(argv);
}

/**
 * Returns the commands of the service to load: the requested one, or all of them for the help and
 * for the message about an unknown command.
 */
function neededFor(word = '') {
  if (VERSION_FLAGS.includes(word)) return [];
  const own = COMMANDS.get(word);
  return own === undefined ? COMMANDS.values() : [own];
}

/**
 * Returns the commands of extensions that the word needs, in their order. The help lists them last. An extension that cannot be used is
 * reported, and the commands of the service are there without it.
 */
async function addedFor(word = ''): Promise<Command[]> {
  if (VERSION_FLAGS.includes(word) || COMMANDS.has(word)) return [];
  const commands: Command[] = [];
  try {
    const declared = (await loadExtensions()).flatMap(({ declaration }) =>
      Object.entries(declaration.commands ?? {}).map(([name, command]) => ({
        extension: declaration.name,
        name,
        ...command,
      })),
    );
    declared.sort((one, other) => one.order - other.order);
    for (const { extension, name, load } of declared) {
      const doing = `loading the command ${name}`;
      const command: unknown = await usingExtension(extension, doing, async () => (await load())());
      if (!(command instanceof Command) || command.name() !== name) {
        const problem = `the command ${name} is not a Command with the name ${name}`;
        throw new ExtensionError(extension, problem);
      }
      commands.push(command);
    }
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    printError(error.message);
  }
  return commands;
}
