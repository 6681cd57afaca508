import { spawn } from 'node:child_process';
import { extname, join } from 'node:path';
import { it } from '@jest/globals';
import { findProgram } from '../../../scripts/find-program.mjs';
import { ended, type Ended } from '../processes/cli.js';

const PROGRAMS = join('test', 'clients', 'programs');
const INTERPRETERS = { '.mjs': process.execPath, '.php': 'php', '.py': 'python3' } as const;

type Language = keyof typeof INTERPRETERS;

/** Environment variables of a client. */
export interface ClientEnvironment {
  readonly API_ADDRESS: string;
  readonly API_KEY: string;
  /** File of a certificate that the client trusts. */
  readonly API_AUTHORITY?: string;
}

/**
 * Returns `it` for tests of clients in a language. It skips them if the language is missing, except
 * in CI.
 */
export function itRuns(language: Language): typeof it | typeof it.skip {
  const isThere = findProgram([INTERPRETERS[language]]) !== null || language === '.mjs';
  return isThere || process.env.CI === 'true' ? it : it.skip;
}

/** Runs a client to its end, as a separate process without the environment of the tests. */
export function runClient(
  program: `${string}${Language}`,
  environment: ClientEnvironment,
  ...args: readonly string[]
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(interpreterOf(program), [join(PROGRAMS, program), ...args], {
    env: { PATH, HOME, ...environment },
  });
  child.stdin.end();
  return ended(child);
}

/**
 * Returns the output of a client.
 * @throws Error with the client's error output if it failed
 */
export async function printedBy<Printed>(running: Promise<Ended>): Promise<Printed> {
  const { status, stdout, stderr } = await running;
  if (status !== 0) throw new Error(`exit status ${String(status)}: ${stderr}`);
  return JSON.parse(stdout) as Printed;
}

function interpreterOf(program: string): string {
  const found = Object.entries(INTERPRETERS).find(([language]) => language === extname(program));
  if (found === undefined) throw new Error(`no language: ${program}`);
  return found[1];
}
