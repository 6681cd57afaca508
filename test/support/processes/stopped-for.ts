import { setTimeout as wait } from 'node:timers/promises';

/**
 * Suspends processes for this time, as on a machine that sleeps or is busy with other processes.
 */
export async function stoppedFor(milliseconds: number, pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await wait(milliseconds);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
}
