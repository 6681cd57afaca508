// Runs Node.js processes of a test run, and ends all of them when the run is interrupted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const running = new Set();
// In a terminal, Ctrl-C reaches all processes by itself.
const detached = !process.stdin.isTTY;
const KILL_LATER_MS = 5_000;
let isInterrupted = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);

/**
 * Runs Node.js until it ends. Its output is shown immediately, or collected on request.
 * @returns {Promise<{ passed: boolean, output: string }>} passed is false if the run was
 * interrupted
 */
export async function runNode(args, environment = {}, keepsOutput = false) {
  if (isInterrupted) return { passed: false, output: '' };
  const child = spawn(process.execPath, args, {
    stdio: keepsOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, ...environment },
    detached,
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  running.delete(child);
  return { passed: status === 0 && !isInterrupted, output };
}

/** Ends all processes and their child processes: test workers, services and databases. */
function interrupt() {
  isInterrupted = true;
  endAll('SIGTERM');
  setTimeout(endAll, KILL_LATER_MS, 'SIGKILL').unref();
}

function endAll(signal) {
  for (const child of running) {
    try {
      if (detached) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // The process has just ended.
    }
  }
}
