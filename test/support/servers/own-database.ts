import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import {
  findServer,
  startServer,
  type ThrowawayServer,
} from '../../../scripts/throwaway-mysql.mjs';
import { FlakyProxy } from './flaky-proxy.js';

const NAME = 'faults';

/**
 * A real database server of the test's own behind a proxy. A test can kill it, restart it and cut
 * it off.
 */
export class OwnDatabase {
  private constructor(
    private server: ThrowawayServer,
    private readonly program: string,
    private readonly folder: string,
    private readonly more: readonly string[],
    readonly network: FlakyProxy,
  ) {}

  /** @param more further options of the server */
  static async start(more: readonly string[] = []): Promise<OwnDatabase> {
    const program = findServer();
    if (program === null) throw new Error('there is no mariadbd and no mysqld');
    const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-faults-'));
    const server = await startServer(program, { keepIn: folder, durable: true, more });
    const network = await FlakyProxy.to(portOf(server));
    const database = new OwnDatabase(server, program, folder, more, network);
    const connection = await createConnection(server.url);
    await connection.query(`CREATE DATABASE ${NAME}`);
    await connection.end();
    return database;
  }

  /** A DATABASE_URL that leads through the proxy, which a test can disturb. */
  get url(): string {
    const url = new URL(NAME, this.server.url);
    url.port = String(this.network.port);
    return url.href;
  }

  /** Opens a second proxy to the server. The caller closes it. */
  anotherNetwork(): Promise<FlakyProxy> {
    return FlakyProxy.to(portOf(this.server));
  }

  /** A DATABASE_URL that leads directly to the server. */
  get directUrl(): string {
    return new URL(NAME, this.server.url).href;
  }

  kill(): Promise<void> {
    return this.server.kill();
  }

  async restart(): Promise<void> {
    const { more } = this;
    this.server = await startServer(this.program, { keepIn: this.folder, durable: true, more });
    this.network.leadTo(portOf(this.server));
  }

  async end(): Promise<void> {
    await this.network.close();
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function portOf({ url }: ThrowawayServer): number {
  return Number(new URL(url).port);
}
