import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Order } from '../../../src/workers/messages.js';
import { cliEnvironment, ended, type Ended } from '../processes/cli.js';
import { KeepAliveLoad } from '../http/keep-alive-load.js';
import { PATIENT } from './service.js';
import type { TestLedger } from '../builders/test-ledger.js';

/** Less than a test may take, so that it says what it waited for; a busy machine may need most of it. */
const LIMIT_MS = 100_000;
const LOOK_MS = 20;
const PRELOAD = pathToFileURL('test/support/processes/tell-process.mjs').href;
const started = new Set<RunningService>();

/** Waits until something is so. @throws Error where it is not so in time */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > limit) throw new Error(`never came: ${what}`);
    await wait(LOOK_MS);
  }
}

/** For the end of a test, however it ended: no process outlives it. */
export async function endAll(): Promise<void> {
  for (const service of started) await service.kill();
}

/** The built service as an operator starts it, with all its processes. */
export class RunningService {
  /** What it left behind, when its last process is gone. */
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
    // The workers write to the same pipes, which close with the last of them.
    this.ended = ended(this.child);
    void this.ended.then(() => (this.open = false));
    started.add(this);
  }

  /** Starts it and waits until it says that it listens. */
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

  /** Clients that ask until a test ends them, or ends itself. */
  load(key: string, path: string): KeepAliveLoad {
    const load = new KeepAliveLoad(this.port, key, path);
    this.loads.push(load);
    return load;
  }

  /** The lines so far that match. */
  lines(pattern: RegExp): string[] {
    return this.printed.split('\n').filter((line) => pattern.test(line));
  }

  /** The first process. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Its processes that live, the first one aside. */
  get workers(): number[] {
    return this.living.filter((pid) => pid !== this.pid);
  }

  get living(): number[] {
    return this.told.map(Number).filter(lives);
  }

  /** The processes that have heard this order of the first one, in the order of their hearing it. */
  heard(order: Order): number[] {
    return this.told.flatMap((line) => (line.endsWith(` ${order}`) ? [Number.parseInt(line)] : []));
  }

  private get told(): string[] {
    return existsSync(this.list) ? readFileSync(this.list, 'utf8').split('\n') : [];
  }

  /** Tells it to stop, as an operator does, and waits until it has. */
  async end(): Promise<Ended> {
    this.child.kill('SIGTERM');
    const ended = await this.ended;
    started.delete(this);
    return ended;
  }

  async kill(): Promise<void> {
    started.delete(this);
    // A worker may be born until the first process is gone.
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
