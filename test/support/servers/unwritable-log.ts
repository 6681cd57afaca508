import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/throwaway-mysql.mjs';
import { cliEnvironment } from '../processes/cli.js';
import { until } from './running-service.js';

/** The built service, whose standard output and standard error a test chooses. */
export class LoggingService {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly port: number,
    private readonly management: number,
  ) {}

  /** Starts the service and waits until it responds. */
  static async start(log: number, env: Readonly<Record<string, string>>): Promise<LoggingService> {
    const [port, management] = [await freePort(), await freePort()];
    const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-test-'));
    const child = spawn(process.execPath, ['dist/main.js'], {
      env: {
        ...cliEnvironment(`sqlite:${join(folder, 'ledger.sqlite')}`),
        PORT: String(port),
        MANAGEMENT_PORT: String(management),
        LOG_LEVEL: 'info',
        ...env,
      },
      stdio: ['ignore', log, log],
    });
    const service = new LoggingService(child, folder, port, management);
    try {
      await until('an answer', () => service.answers());
    } catch (error) {
      await service.end();
      throw error;
    }
    return service;
  }

  /** @throws Error if the service has ended */
  async answers(): Promise<boolean> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) throw new Error('it ended');
    return fetch(`http://127.0.0.1:${this.port}/v3.0`).then(
      ({ status }) => status === 401,
      () => false,
    );
  }

  async linesLost(): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.management}/metrics`);
    const lost = /^vendor_reporting_log_lines_lost_total\{stream="stdout"\} (\d+)$/m;
    return Number(lost.exec(await answer.text())?.[1]);
  }

  async end(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
