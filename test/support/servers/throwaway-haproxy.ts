import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { findProgram } from '../../../scripts/find-program.mjs';
import { freePort } from '../../../scripts/throwaway-mysql.mjs';
import { send } from '../http/http.js';
import { until } from './running-service.js';

/**
 * A configuration that reads the addresses from the environment, and the path below which it serves
 * the API.
 */
interface Configuration {
  readonly file: string;
  readonly basePath: string;
}

const OF_OPERATORS: Configuration = { file: 'docker/haproxy.cfg', basePath: '' };
/**
 * Configuration for a service below a path. HAProxy removes the path for hosts whose names begin
 * with `removed.`.
 */
export const BELOW_REPORTS: Configuration = {
  file: 'test/support/servers/below-a-path.haproxy.cfg',
  basePath: '/reports',
};

/** Ports on which an instance listens. */
export interface Ports {
  readonly service: number;
  readonly management: number;
}

/**
 * A real HAProxy in front of instances on this machine. By default it has the configuration for
 * operators.
 */
export class ThrowawayHaproxy {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly instances: readonly Ports[],
    private readonly configuration: Configuration,
  ) {}

  static async start(
    instances: readonly Ports[],
    configuration = OF_OPERATORS,
  ): Promise<ThrowawayHaproxy> {
    const proxy = new ThrowawayHaproxy(await freePort(), instances, configuration);
    await proxy.start();
    return proxy;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  async start(): Promise<void> {
    const addresses = this.instances.flatMap(({ service, management }, place) => [
      [`INSTANCE_${place + 1}`, `127.0.0.1:${service}`] as const,
      [`MANAGEMENT_PORT_${place + 1}`, String(management)] as const,
    ]);
    const env = { LISTEN: `127.0.0.1:${this.port}`, ...Object.fromEntries(addresses) };
    const { file, basePath } = this.configuration;
    this.child = spawn(findProgram(['haproxy']) ?? 'haproxy', ['-W', '-db', '-f', file], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    await until('the balancer', () =>
      send(this.port, { path: `${basePath}/v3.0` }).then(
        ({ status }) => status === 401,
        () => false,
      ),
    );
  }

  /** Reloads the configuration, as for a new certificate: a new process takes over. */
  reload(): void {
    this.child?.kill('SIGUSR2');
  }

  /** Ends HAProxy. All requests in progress are lost. */
  async kill(): Promise<void> {
    if (this.child === undefined) return;
    const ended = once(this.child, 'exit');
    // The main process ends its workers, too.
    this.child.kill('SIGTERM');
    await ended;
    this.child = undefined;
  }
}
