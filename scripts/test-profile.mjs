import { existsSync, readFileSync } from 'node:fs';

const SHOWN = 40;

/** Prints the processor time of the test files, the highest first. */
export function writeProfile(list) {
  if (!existsSync(list)) return;
  const files = readFileSync(list, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .sort((one, other) => costOf(other) - costOf(one));
  console.log(
    '\nSeconds per test file: own processor time, that of its child processes, and elapsed:',
  );
  for (const entry of [total(files), ...files.slice(0, SHOWN)]) console.log(lineOf(entry));
}

function costOf({ own, children }) {
  return own + children;
}

function total(files) {
  const sum = (key) => files.reduce((all, file) => all + file[key], 0);
  const file = `all ${files.length} files`;
  return { file, own: sum('own'), children: sum('children'), taken: sum('taken') };
}

function lineOf({ own, children, taken, file }) {
  return [own, children, taken].map((value) => value.toFixed(1).padStart(8)).join('') + `  ${file}`;
}
