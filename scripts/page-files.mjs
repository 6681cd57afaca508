// Reads what a guide of docs/ adds and changes. A new file is a path in bold type, and its content
// in the next code block. A changed file is a path in bold type, the word `changed`, and its changes
// in the next code block: lines that stay begin with a space, removed ones with `-`, and added ones
// with `+`. A line `@@` separates places.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILE = /^\*\*`([^`]+)`\*\*\n\n```\w+\n([^]*?)^```$/gm;
const CHANGED = /^\*\*`([^`]+)`\*\*, changed\n\n```diff\n([^]*?)^```$/gm;
const COMMANDS = /^```sh\n([^]*?)^```$/gm;

/** Returns every new file of a guide: its path within the repository, and its content. */
export function filesOfPage(guide) {
  return filesIn(read(guide));
}

function filesIn(text) {
  return [...text.matchAll(FILE)].map(([, path, content]) => ({ path, content }));
}

/** Returns every place that a guide changes: the path, and the lines before and after. */
export function changesOfPage(guide) {
  return changesIn(read(guide));
}

function changesIn(text) {
  return [...text.matchAll(CHANGED)].flatMap(([, path, places]) =>
    places.split(/^@@\n/m).map((place) => ({
      path,
      before: linesOf(place, ' -'),
      after: linesOf(place, ' +'),
    })),
  );
}

/** Returns the commands that a guide lists, in their order. */
export function commandsOfPage(guide) {
  return commandsIn(read(guide));
}

function commandsIn(text) {
  const blocks = [...text.matchAll(COMMANDS)].map(([, block]) => block);
  return blocks.flatMap((block) =>
    block
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' #', 1)[0].trimEnd()),
  );
}

/**
 * Returns the steps of a guide in their order: a new file, the changes of a file, or the commands
 * of a block.
 */
export function stepsOfPage(guide) {
  const text = read(guide);
  const found = [FILE, CHANGED, COMMANDS].flatMap((pattern) => [...text.matchAll(pattern)]);
  return found
    .sort((one, other) => one.index - other.index)
    .map(([whole]) => ({
      files: filesIn(whole),
      changes: changesIn(whole),
      commands: commandsIn(whole),
    }));
}

/** Writes files of a guide into a folder. */
export function writePageFiles(folder, files) {
  for (const { path, content } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/**
 * Makes the changes of a guide in a folder.
 * @throws Error if a file does not have the lines, or has them in several places
 */
export function makePageChanges(folder, changes) {
  for (const { path, before, after } of changes) {
    const text = `\n${readFileSync(join(folder, path), 'utf8')}`;
    const places = text.split(`\n${before}`);
    if (places.length !== 2) {
      throw new Error(`${path} has these lines ${places.length - 1} times:\n${before}`);
    }
    writeFileSync(join(folder, path), places.join(`\n${after}`).slice(1));
  }
}

function read(guide) {
  return readFileSync(new URL(`../docs/${guide}.md`, import.meta.url), 'utf8');
}

/** Returns the lines that begin with one of these characters, without it. */
function linesOf(place, characters) {
  const lines = place.split('\n').slice(0, -1);
  const own = lines.filter((line) => line === '' || characters.includes(line.charAt(0)));
  return own.map((line) => `${line.slice(1)}\n`).join('');
}
