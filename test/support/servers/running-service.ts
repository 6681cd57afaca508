import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Order } from '../../../src/platform/workers/process-messages.js';
import { cliEnvironment, ended, type Ended } from '../processes/cli.js';
import { KeepAliveLoad } from '../http/keep-alive-load.js';
import { PATIENT } from './service.js';
import type { TestLedger } from '../builders/test-ledger.js';

/**
 * Waiting ends before the time limit of a test, so that the error names the unfulfilled condition.
 * A busy machine may need most of this time.
 */
const LIMIT_MS = 100_000;
const LOOK_MS = 20;
const PRELOAD = pathToFileURL('test/support/processes/tell-process.mjs').href;
const started = new Set<RunningService>();

/**
 * Waits until a condition holds.
 * @throws Error if it does not hold in time
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > limit) throw new Error(`never came: ${what}`);
    await wait(LOOK_MS);
  }
}

/** Kills every service that still runs, so that no process outlives its test. */
export async function endAll(): Promise<void> {
  for (const service of started) await service.kill();
}

/** The built service as an operator starts it, with all its processes. */
export class RunningService {
  /** Resolves with the output and exit status when the last process has ended. */
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly list: string;
  private readonly loads: KeepAliveLoad[] = [];
  private printed = '';
  private open = true;

  constructor(ledger: TestLedger, env: Readonly<Record<string, string>>) {
    this.list = join(ledger.database.folder, randomUUID());
    this.child = spawn(process.execPath, ['dist/main.js'], {
      env: {
        ...cliEnvironment(ledger.database.url),
        ...PATIENT,
        LOG_LEVEL: 'info',
        PORT: '0',
        ...env,
        NODE_OPTIONS: [`--import=${PRELOAD}`, env.NODE_OPTIONS ?? ''].join(' ').trim(),
        TEST_PROCESSES: this.list,
      },
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.on('data', (text: Buffer) => (this.printed += text.toString()));
    }
    // The workers write to the same pipes, which close when the last worker ends.
    this.ended = ended(this.child);
    void this.ended.then(() => (this.open = false));
    started.add(this);
  }

  /** Starts the service and waits until it reports that it listens. */
  static async start(
    ledger: TestLedger,
    workers: number,
    env: Readonly<Record<string, string>> = {},
  ): Promise<RunningService> {
    const service = new RunningService(ledger, { WORKERS: String(workers), ...env });
    await until('the welcome', () => {
      if (!service.open) throw new Error(`it ended: ${service.printed}`);
      return service.port > 0;
    });
    return service;
  }

  get port(): number {
    return Number(/listens on https?:\/\/127\.0\.0\.1:(\d+)\n/.exec(this.printed)?.[1] ?? 0);
  }

  /** Starts clients that send requests until the test ends them or the service is killed. */
  load(key: string, path: string): KeepAliveLoad {
    const load = new KeepAliveLoad(this.port, key, path);
    this.loads.push(load);
    return load;
  }

  /** Returns the printed lines that match. */
  lines(pattern: RegExp): string[] {
    return this.printed.split('\n').filter((line) => pattern.test(line));
  }

  /** Id of the first process. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Ids of the running processes other than the first. */
  get workers(): number[] {
    return this.living.filter((pid) => pid !== this.pid);
  }

  get living(): number[] {
    return this.told.map(Number).filter(lives);
  }

  /**
   * Returns the processes that received this order from the first process, in the order of receipt.
   */
  heard(order: Order): number[] {
    return this.told.flatMap((line) => (line.endsWith(` ${order}`) ? [Number.parseInt(line)] : []));
  }

  private get told(): string[] {
    return existsSync(this.list) ? readFileSync(this.list, 'utf8').split('\n') : [];
  }

  /** Stops the service as an operator does, and waits until it has ended. */
  async end(): Promise<Ended> {
    this.child.kill('SIGTERM');
    const ended = await this.ended;
    started.delete(this);
    return ended;
  }

  async kill(): Promise<void> {
    started.delete(this);
    // New workers can start until the first process has ended.
    if (this.open) this.child.kill('SIGKILL');
    while (this.open) {
      for (const pid of this.living) process.kill(pid, 'SIGKILL');
      await wait(LOOK_MS);
    }
    for (const load of this.loads) await load.end();
  }
}

function lives(pid: number): boolean {
  if (pid === 0) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
