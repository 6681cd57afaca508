import { readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second, independently of its clock rate. */
const MS_A_TICK = 10;

/** Returns the processor time of a process and its children so far, in ms. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The process name may contain blanks. All fields from the state on are single words.
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = (Number(words[11]) + Number(words[12])) * MS_A_TICK;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const others = children.split(' ').filter((child) => child.trim() !== '');
  return others.reduce((sum, child) => sum + processorMs(Number(child)), own);
}
