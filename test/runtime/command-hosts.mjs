import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HOST = new URL('command-host.mjs', import.meta.url);
/** A host retains some memory of each command, so it runs this many at most. */
const COMMANDS_A_HOST = 50;

/** Hosts that wait for a command. */
const idle = [];

/** Writes the standard input of a command to a file for `work`. */
async function withInput(input, work) {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-command-'));
  const file = join(folder, 'input');
  writeFileSync(file, input);
  try {
    return await work(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs a command of the built service to its end, in a process that has run others before it. That
 * process has already loaded Nest, TypeORM and other packages, which takes most of a command's
 * time.
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env the whole environment of the command
 * @param {Buffer | string} input the content of its standard input
 * @returns {Promise<{ status: number | null, stdout: string, stderr: string }>}
 */
export async function runInHost(args, env, input) {
  const host = idle.pop() ?? new CommandHost();
  try {
    return await host.run(args, env, input);
  } finally {
    if (host.isFit) idle.push(host);
    else await host.end();
  }
}

/** A process that runs one command after another. */
export class CommandHost {
  #child;
  #exited;
  #left = COMMANDS_A_HOST;

  /** @param {NodeJS.ProcessEnv} env variables that Node itself reads at its start */
  constructor(env = {}) {
    this.#child = fork(HOST, {
      execArgv: [],
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#exited = once(this.#child, 'exit');
    this.#holdOpen(false);
  }

  get isFit() {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#left > 0;
  }

  run(args, env, input) {
    return withInput(input, (file) => this.#run({ args, env, input: file }));
  }

  /** Ends the process, and waits for its exit. */
  async end() {
    if (this.#child.connected) this.#child.disconnect();
    await this.#exited;
  }

  async #run(command) {
    this.#left -= 1;
    this.#holdOpen(true);
    const end = `${randomUUID()} `;
    const outputs = [this.#child.stdout, this.#child.stderr].map((from) => textUntil(end, from));
    this.#child.send({ ...command, end });
    const [stdout, stderr] = await Promise.all(outputs);
    // Without the mark, the process has ended.
    const status = stdout.status ?? (await this.#exited)[0];
    this.#holdOpen(false);
    return { status, stdout: stdout.text, stderr: stderr.text };
  }

  /** Allows the test worker to end while the host waits for a command. */
  #holdOpen(isHeld) {
    const { channel, stdout, stderr } = this.#child;
    for (const handle of [this.#child, channel, stdout, stderr]) {
      if (isHeld) handle?.ref();
      else handle?.unref();
    }
  }
}

/**
 * Returns the text up to a mark, which the exit status follows, or up to the end of the process.
 */
function textUntil(mark, stream) {
  const told = new RegExp(`${mark}(\\d+)\\n$`);
  const chunks = [];
  let tail = '';
  return new Promise((resolve) => {
    const settle = (status, length) => {
      stream.off('data', take).off('end', end);
      resolve({
        status,
        text: Buffer.concat(chunks)
          .subarray(0, -length || undefined)
          .toString(),
      });
    };
    const take = (chunk) => {
      chunks.push(chunk);
      tail = (tail + chunk.toString('latin1')).slice(-2 * mark.length);
      const [all, status] = told.exec(tail) ?? [];
      if (all !== undefined) settle(Number(status), all.length);
    };
    const end = () => settle(null, 0);
    stream.on('data', take).on('end', end);
  });
}
