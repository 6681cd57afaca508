import { Command } from 'commander';
import { VERSION } from '../files/project-files.js';
import { COMMANDS } from './commands.js';

const VERSION_FLAGS = ['-V', '--version'];

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
  await program.parseAsync(argv);
}

/**
 * Returns the commands to load: the requested one, or all of them for the help and for the message
 * about an unknown command.
 */
function neededFor(word = '') {
  if (VERSION_FLAGS.includes(word)) return [];
  const command = COMMANDS.get(word);
  return command === undefined ? COMMANDS.values() : [command];
}
