// Starts the processes of a benchmark, which end with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../scripts/throwaway-mysql.mjs';

const POLL_MS = 10;
const START_LIMIT_MS = 60_000;
const running = new Set();

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** @returns {import('node:child_process').ChildProcess} a Node process; its output is discarded by default */
function start(args, { env = {}, stdio = ['ignore', 'ignore', 'inherit'] } = {}) {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/**
 * Runs a script to its end.
 * @returns {Promise<{ output: string, ms: number }>} its output, and its time from start to exit
 */
export async function run(args, { env, input } = {}) {
  const begun = performance.now();
  const child = start(args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  // If the process ends before it has read everything, its exit status is reported.
  child.stdin.on('error', () => undefined);
  if (input?.pipe) input.pipe(child.stdin);
  else child.stdin.end(input);
  const [output, [status]] = await Promise.all([text(child.stdout), ended]);
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
  return { output, ms: performance.now() - begun };
}

/**
 * Starts a server that reads its port from PORT.
 * @returns {Promise<{ origin: string, pid: number, startMs: number, stop: () => Promise<void> }>}
 *   startMs: the time from the start of the process to its first successful answer
 */
export async function serve(args, env, probe) {
  const port = await freePort();
  const begun = performance.now();
  const child = start(args, { env: { ...env, HOST: '127.0.0.1', PORT: String(port) } });
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  while (!(await isGood(origin, probe))) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`);
    if (performance.now() - begun > START_LIMIT_MS)
      throw new Error(`${args.join(' ')} does not answer`);
    await wait(POLL_MS);
  }
  const startMs = performance.now() - begun;
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { origin, pid: child.pid, startMs, stop };
}

async function isGood(origin, { path, headers }) {
  try {
    const response = await fetch(origin + path, { headers });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
