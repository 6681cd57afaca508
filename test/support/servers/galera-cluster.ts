import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import {
  findServer,
  freePort,
  startServer,
  type ThrowawayServer,
} from '../../../scripts/throwaway-mysql.mjs';
import { until } from './running-service.js';

const PROVIDER = '/usr/lib/galera/libgalera_smm.so';
/** The containers use the same options. */
const OPTIONS = 'docker/galera.cnf';
const NAME = 'cluster';

/**
 * Returns true if this machine has everything a cluster needs: MariaDB, Galera's library and rsync.
 */
export function hasGalera(): boolean {
  return existsSync(PROVIDER) && (findServer()?.endsWith('mariadbd') ?? false);
}

/** The host that a node runs on. */
export interface NodeHost {
  readonly address: string;
  /** Command that runs another command on this host. */
  readonly within: readonly string[];
}

/** This host. It suffices for nodes that need not be cut off from each other. */
export const THIS_HOST: NodeHost = { address: '127.0.0.1', within: [] };

interface Place extends NodeHost {
  /** Address and port on which the nodes replicate with each other. */
  readonly group: string;
}

/**
 * A real cluster of MariaDB nodes. A test can kill each node, make it refuse queries, and restart
 * it.
 */
export class GaleraCluster {
  private readonly nodes: ThrowawayServer[] = [];
  private readonly places: Place[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-galera-'));

  static async start(hosts: readonly NodeHost[]): Promise<GaleraCluster> {
    const cluster = new GaleraCluster();
    chmodSync(cluster.folder, 0o755);
    for (const [place, { address, within }] of hosts.entries()) {
      cluster.places.push({ address, within, group: `${address}:${await freePort()}` });
      await cluster.join(place);
    }
    const first = await cluster.connection(0, '');
    await first.query(`CREATE DATABASE ${NAME}`);
    await first.end();
    return cluster;
  }

  /** Returns a DATABASE_URL with these nodes, in this order. */
  url(...places: readonly number[]): string {
    const hosts = places.map((place) => new URL(this.node(place).url).host);
    return `mysql://tests:tests@${hosts.join(',')}/${NAME}`;
  }

  /** Connects directly to a node. */
  connection(place: number, database = NAME): Promise<Connection> {
    return createConnection(`${this.node(place).url}${database}`);
  }

  pid(place: number): number {
    return this.node(place).pid;
  }

  kill(place: number): Promise<void> {
    return this.node(place).kill();
  }

  /** Starts a node that is not running and waits until it has the data of the others. */
  async join(place: number): Promise<void> {
    const program = findServer();
    const own = this.places[place];
    if (program === null || own === undefined) throw new Error('there is no mariadbd');
    const others = this.places.filter((other) => other !== own);
    const folder = join(this.folder, String(place));
    const options = await optionsOf(own, others);
    this.nodes[place] = await startServer(program, {
      keepIn: folder,
      bufferPool: '64M',
      // New nodes receive their data through rsync, which does not write as root.
      runAs: 'mysql',
      isJoining: others.length > 0,
      address: own.address,
      within: own.within,
      more: [...options, ...positionIn(program, folder, options)],
    });
    await this.inStep(place);
  }

  /** Waits until a node has joined the cluster and has the data of the others. */
  async inStep(place: number): Promise<void> {
    await this.comesTo(place, 'wsrep_local_state_comment', 'Synced');
    await until('a read that waits for the cluster', () => this.hasCaughtUp(place));
  }

  /** Cuts the nodes off from each other. No node accepts statements until they are reunited. */
  async part(): Promise<void> {
    const places = [...this.nodes.keys()];
    for (const place of places) await this.isolate(place, true);
    for (const place of places) await this.comesTo(place, 'wsrep_cluster_status', 'non-Primary');
  }

  async reunite(): Promise<void> {
    const places = [...this.nodes.keys()];
    for (const place of places) await this.isolate(place, false);
    for (const place of places) await this.inStep(place);
  }

  /** Cuts a node off from the others, or reconnects it. Clients can still connect to it. */
  async isolate(place: number, isAlone: boolean): Promise<void> {
    const connection = await this.connection(place, '');
    const option = `gmcast.isolate=${isAlone ? 1 : 0}`;
    await connection.query('SET GLOBAL wsrep_provider_options = ?', [option]);
    await connection.end();
  }

  async end(): Promise<void> {
    for (const node of this.nodes) await node.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private comesTo(place: number, name: string, value: string): Promise<void> {
    return until(`${name}=${value}`, async () => (await this.status(place, name)) === value);
  }

  /**
   * Checks with a read that waits for replication, because a node that was suspended reports
   * "Synced" until it learns that the others have newer data.
   */
  private async hasCaughtUp(place: number): Promise<boolean> {
    const connection = await this.connection(place, '');
    try {
      await connection.query('SET SESSION wsrep_sync_wait = 1');
      await connection.query('SELECT 1 FROM information_schema.TABLES LIMIT 1');
      return true;
    } catch {
      return false;
    } finally {
      await connection.end();
    }
  }

  private async status(place: number, name: string): Promise<unknown> {
    try {
      const connection = await this.connection(place, '');
      const [rows] = await connection.query<RowDataPacket[]>('SHOW STATUS LIKE ?', [name]);
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

async function optionsOf(
  { address, group }: Place,
  others: readonly Place[],
): Promise<readonly string[]> {
  const [incremental, whole] = [await freePort(), await freePort()];
  return [
    ...sharedOptions().map((option) =>
      option.startsWith('--wsrep_provider_options=')
        ? `${option};gmcast.listen_addr=tcp://${group};ist.recv_addr=${address}:${incremental}`
        : option,
    ),
    `--wsrep-cluster-address=gcomm://${others.map((other) => other.group).join(',')}`,
    `--wsrep-node-address=${address}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=${address}:${whole}`,
  ];
}

/**
 * Returns the option with the last position of a killed node, which is determined as Debian's
 * systemd unit does. With it, the node receives only the missing changes. A full state transfer
 * would block the node that sends it.
 */
function positionIn(program: string, folder: string, options: readonly string[]): string[] {
  const data = join(folder, 'data');
  if (!existsSync(data)) return [];
  const { stderr } = spawnSync(
    program,
    ['--no-defaults', '--user=mysql', `--datadir=${data}`, ...options, '--wsrep-recover'],
    { encoding: 'utf8' },
  );
  const position = /Recovered position: (\S+)/.exec(stderr)?.[1];
  return position === undefined ? [] : [`--wsrep-start-position=${position}`];
}

/** Returns the lines of the shared configuration file as command line options. */
function sharedOptions(): string[] {
  const lines = readFileSync(OPTIONS, 'utf8').matchAll(/^(\w+) *= *(.+)$/gm);
  return [...lines].map(([, name, value = '']) => `--${name}=${value.replaceAll('"', '')}`);
}
