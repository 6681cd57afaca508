import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns the code block of docs/operating/backup.md that begins with this comment or heading. */
export function blockOf(language: string, beginning: string): string {
  const page = readFileSync('docs/operating/backup.md', 'utf8');
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'));
  const found = Array.from(blocks, ([, block = '']) => block).filter((block) =>
    block.startsWith(beginning),
  );
  const [only, another] = found;
  if (only === undefined || another !== undefined) throw new Error(`not one block: ${beginning}`);
  return only;
}

/** Returns the settings in a block of server configuration as command line options. */
export function optionsIn(block: string): string[] {
  return Array.from(block.matchAll(/^(\w+) *= *([^\s#]+)/gm), ([, name = '', value = '']) => {
    return `--${name.replaceAll('_', '-')}=${value}`;
  });
}

/**
 * Runs the commands of a page as an operator types them.
 * @param home folder with a `.my.cnf` that has the connection to the database
 * @returns the output of the commands
 */
export async function typed(commands: string, home: string): Promise<string> {
  const { stdout } = await run('sh', ['-e', '-c', commands], {
    env: { ...process.env, HOME: home },
  });
  return stdout;
}
