import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../scripts/throwaway-mysql.mjs';
import { until } from './running-service.js';

/** A real Redis of the test's own, which can be stopped and started again. */
export class ThrowawayRedis {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly folder: string,
  ) {}

  static async start(): Promise<ThrowawayRedis> {
    const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-redis-'));
    const redis = new ThrowawayRedis(await freePort(), folder);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const { port, folder } = this;
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
    this.child = spawn('redis-server', [...options, '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    });
    await until('Redis', () => answers(port));
  }

  /** Kills Redis without a shutdown, as a power failure does. */
  async kill(): Promise<void> {
    if (this.child === undefined) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
    this.child = undefined;
  }

  /** Suspends Redis: it keeps its connections but does not respond until it is resumed. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
