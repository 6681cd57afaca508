import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import {
  findServer,
  freePort,
  startServer,
  type ThrowawayServer,
} from '../../scripts/throwaway-mysql.mjs';
import { until } from './running-service.js';

const PROVIDER = '/usr/lib/galera/libgalera_smm.so';
const NAME = 'cluster';

/** Whether this machine has what a cluster needs: MariaDB, Galera's library and rsync. */
export function hasGalera(): boolean {
  return existsSync(PROVIDER) && (findServer()?.endsWith('mariadbd') ?? false);
}

/** A real cluster of MariaDB nodes, each to be killed, or made to refuse queries, and revived. */
export class GaleraCluster {
  private readonly nodes: ThrowawayServer[] = [];
  private readonly groupPorts: number[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-galera-'));

  static async start(size: number): Promise<GaleraCluster> {
    const cluster = new GaleraCluster();
    chmodSync(cluster.folder, 0o755);
    for (let place = 0; place < size; place += 1) {
      cluster.groupPorts.push(await freePort());
      await cluster.join(place);
    }
    const first = await cluster.connection(0, '');
    await first.query(`CREATE DATABASE ${NAME}`);
    await first.end();
    return cluster;
  }

  /** For DATABASE_URL: these nodes, in this order. */
  url(...places: readonly number[]): string {
    const hosts = places.map((place) => new URL(this.node(place).url).host);
    return `mysql://tests:tests@${hosts.join(',')}/${NAME}`;
  }

  /** Straight to a node. */
  connection(place: number, database = NAME): Promise<Connection> {
    return createConnection(`${this.node(place).url}${database}`);
  }

  kill(place: number): Promise<void> {
    return this.node(place).kill();
  }

  /** Starts a node that is not there yet, or not any more, and waits until it has what the others have. */
  async join(place: number): Promise<void> {
    const program = findServer();
    if (program === null) throw new Error('there is no mariadbd');
    const own = this.groupPorts[place] ?? 0;
    const others = this.groupPorts.filter((port) => port !== own);
    this.nodes[place] = await startServer(program, {
      keepIn: join(this.folder, String(place)),
      bufferPool: '64M',
      // rsync, which a new node gets its data by, does not write as root.
      runAs: 'mysql',
      isJoining: others.length > 0,
      more: await optionsOf(own, others),
    });
    await until('a node in step', async () => (await this.state(place)) === 'Synced');
  }

  async end(): Promise<void> {
    for (const node of this.nodes) await node.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async state(place: number): Promise<unknown> {
    try {
      const connection = await this.connection(place, '');
      const [rows] = await connection.query<RowDataPacket[]>(
        "SHOW STATUS LIKE 'wsrep_local_state_comment'",
      );
      await connection.end();
      return rows[0]?.Value;
    } catch {
      return 'away';
    }
  }

  private node(place: number): ThrowawayServer {
    const node = this.nodes[place];
    if (node === undefined) throw new Error(`there is no node ${place}`);
    return node;
  }
}

async function optionsOf(own: number, others: readonly number[]): Promise<string[]> {
  const [incremental, whole] = [await freePort(), await freePort()];
  return [
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${PROVIDER}`,
    `--wsrep-cluster-address=gcomm://${others.map((port) => `127.0.0.1:${port}`).join(',')}`,
    '--wsrep-node-address=127.0.0.1',
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${whole}`,
    `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${own};ist.recv_addr=127.0.0.1:${incremental}`,
  ];
}
