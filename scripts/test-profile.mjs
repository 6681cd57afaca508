import { existsSync, readFileSync } from 'node:fs';

const SHOWN = 40;

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const COUNTERS = '/proc/stat';

/**
 * Returns the processor time of all programs on this machine since it started, in seconds. Returns
 * null if the system is not Linux.
 */
export function busySeconds() {
  if (!existsSync(COUNTERS)) return null;
  const [line] = readFileSync(COUNTERS, 'utf8').split('\n', 1);
  const [user, nice, system] = line.split(/ +/).slice(1).map(Number);
  return (user + nice + system) / TICKS_PER_SECOND;
}

/**
 * Prints the processor time of the test files, the highest first, and that of the whole machine.
 * @param busyBefore the result of busySeconds() at the beginning of the run
 */
export function writeProfile(list, busyBefore) {
  writeFiles(list);
  if (busyBefore === null) return;
  const seconds = Math.round(busySeconds() - busyBefore);
  console.log(`\nProcessor time of everything on this machine during the run: ${seconds} s`);
}

function writeFiles(list) {
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
