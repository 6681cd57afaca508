import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { runInHost } from '../../runtime/command-hosts.mjs';
import { TEST_SECRET } from '../servers/service.js';

/** Output and exit status of a command of the service. */
export interface Ended {
  /** Exit status, or null if a signal ended the command. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** Content of standard input, which is closed after it. */
  readonly input?: Buffer | string;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
}

const CLI = 'dist/cli.js';
const READ_BY_HOST = ['NODE_ENV', 'NODE_EXTRA_CA_CERTS'];

/** Returns the environment of a command: that of this process, with the settings of tests. */
export function cliEnvironment(url: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_ENV: 'test',
    NODE_OPTIONS: '',
    DATABASE_URL: url,
    ERASURES_FILE: join(tmpdir(), `${basename(dirname(url))}-${basename(url)}.erasures.ndjson`),
    KEY_ENCRYPTION_SECRET: TEST_SECRET,
    THROTTLE_LIMITS: 'off',
    MANAGEMENT_PORT: 'off',
  };
}

/** Starts a built command of the service on a database, and leaves its standard input open. */
export function startCli(
  url: string,
  args: readonly string[],
  { env = {}, nodeOptions = [] }: CliOptions = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...nodeOptions, CLI, ...args], {
    env: { ...cliEnvironment(url), ...env },
  });
}

/** Waits for a process to end and collects its output. */
export function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (status) => {
      resolve({ status, stdout: textOf(out), stderr: textOf(err) });
    });
  });
}

/**
 * Runs a built command of the service to its end. It runs in a process that is shared with other
 * commands, unless it has options or variables for Node.js.
 */
export function runCli(
  url: string,
  args: readonly string[],
  options: CliOptions = {},
): Promise<Ended> {
  const { env = {}, nodeOptions, input = '' } = options;
  if (nodeOptions === undefined && !Object.keys(env).some(isForNode)) {
    return runInHost(args, { ...cliEnvironment(url), ...env }, input);
  }
  const child = startCli(url, args, options);
  // A command that ends before it has read all input closes its end of the pipe.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return ended(child);
}

/**
 * Returns true if Node.js reads a variable when it starts. The shared process applies NODE_ENV and
 * the certificates for each command.
 */
function isForNode(variable: string): boolean {
  return variable.startsWith('NODE_') && !READ_BY_HOST.includes(variable);
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}
