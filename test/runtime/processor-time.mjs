import { appendFileSync, readFileSync } from 'node:fs';

/** Of Linux, whatever the machine. */
const TICKS_A_SECOND = 100;

/**
 * What a test file costs: seconds of processor time of its own and of the processes that it started
 * and saw end, and those it took. Unlike the last, the first two hardly change on a busy machine.
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

/** Node has no call for it, and only Linux has this file. */
function childrenSeconds() {
  if (process.platform !== 'linux') return 0;
  const [, fields = ''] = /\) (.*)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
  const values = fields.split(' ').map(Number);
  return (values[13] + values[14]) / TICKS_A_SECOND;
}
