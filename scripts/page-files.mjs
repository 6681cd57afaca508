// Reads the files in docs/adding-a-module.md: a path in bold type, and its content in the next code
// block.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../docs/adding-a-module.md', import.meta.url));
const FILE = /^\*\*`([^`]+)`\*\*\n\n```\w+\n([^]*?)^```$/gm;
const COMMANDS = /^```sh\n([^]*?)^```$/gm;

/** Returns every file of the page: its path within the repository, and its content. */
export function filesOfPage() {
  const page = readFileSync(PAGE, 'utf8');
  return [...page.matchAll(FILE)].map(([, path, content]) => ({ path, content }));
}

/** Returns the commands that the page lists, in their order. */
export function commandsOfPage() {
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(COMMANDS)].map(([, block]) => block);
  return blocks.flatMap((block) =>
    block
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' #', 1)[0].trimEnd()),
  );
}

/** Writes files of the page into a folder. */
export function writePageFiles(folder, files) {
  for (const { path, content } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
