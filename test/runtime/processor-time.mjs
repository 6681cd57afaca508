import { appendFileSync, readFileSync } from 'node:fs';

/** Linux uses this unit on every machine. */
const TICKS_A_SECOND = 100;

/**
 * Measures a test file: seconds of processor time of its own and of its ended child processes, and
 * its duration. Unlike the duration, the processor times hardly change on a busy machine.
 */
export class ProcessorTime {
  #before = now();

  constructor(project, path) {
    this.file = `${project} ${path}`;
  }

  /** Adds a line to the file that `npm test -- --profile` names. */
  write(list) {
    const after = now();
    const [own, children, taken] = after.map((value, index) => value - this.#before[index]);
    appendFileSync(list, `${JSON.stringify({ file: this.file, own, children, taken })}\n`);
  }
}

function now() {
  const { user, system } = process.cpuUsage();
  return [(user + system) / 1_000_000, childrenSeconds(), performance.now() / 1_000];
}

/**
 * Returns the processor time of ended child processes, which Node has no call for, and which only
 * Linux shows in a file.
 */
function childrenSeconds() {
  if (process.platform !== 'linux') return 0;
  const [, fields = ''] = /\) (.*)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
  const values = fields.split(' ').map(Number);
  return (values[13] + values[14]) / TICKS_A_SECOND;
}
