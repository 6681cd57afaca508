import { setTimeout as wait } from 'node:timers/promises';

/** Processes stand still for so long, as on a machine that sleeps or lets others run first. */
export async function stoppedFor(milliseconds: number, pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await wait(milliseconds);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
}
