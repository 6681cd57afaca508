import { Command } from 'commander';
import { VERSION } from '../common/version.js';
import { COMMANDS } from './commands.js';

const VERSION_FLAGS = ['-V', '--version'];

/** Runs the command that is asked for, and loads no other. @param argv as in `process.argv` */
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

/** The help, and the message about an unknown command, name all of them. */
function neededFor(word: string | undefined): typeof COMMANDS {
  if (word !== undefined && VERSION_FLAGS.includes(word)) return [];
  const command = COMMANDS.find(({ name }) => name === word);
  return command === undefined ? COMMANDS : [command];
}
