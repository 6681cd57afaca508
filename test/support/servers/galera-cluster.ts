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
/** The same that the containers have. */
const OPTIONS = 'docker/galera.cnf';
const NAME = 'cluster';

/** Whether this machine has what a cluster needs: MariaDB, Galera's library and rsync. */
export function hasGalera(): boolean {
  return existsSync(PROVIDER) && (findServer()?.endsWith('mariadbd') ?? false);
}

/** Where a node is. */
export interface NodeHost {
  readonly address: string;
  /** A command that runs another there. */
  readonly within: readonly string[];
}

/** For nodes that need not be cut off from each other. */
export const THIS_HOST: NodeHost = { address: '127.0.0.1', within: [] };

interface Place extends NodeHost {
  /** Where the nodes talk to each other. */
  readonly group: string;
}

/** A real cluster of MariaDB nodes, each to be killed, or made to refuse queries, and revived. */
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

  /** For DATABASE_URL: these nodes, in this order. */
  url(...places: readonly number[]): string {
    const hosts = places.map((place) => new URL(this.node(place).url).host);
    return `mysql://tests:tests@${hosts.join(',')}/${NAME}`;
  }

  /** Straight to a node. */
  connection(place: number, database = NAME): Promise<Connection> {
    return createConnection(`${this.node(place).url}${database}`);
  }

  pid(place: number): number {
    return this.node(place).pid;
  }

  kill(place: number): Promise<void> {
    return this.node(place).kill();
  }

  /** Starts a node that is not there yet, or not any more, and waits until it has what the others have. */
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
      // rsync, which a new node gets its data by, does not write as root.
      runAs: 'mysql',
      isJoining: others.length > 0,
      address: own.address,
      within: own.within,
      more: [...options, ...positionIn(program, folder, options)],
    });
    await this.inStep(place);
  }

  /** Waits until a node is one of the cluster and has what the others have. */
  async inStep(place: number): Promise<void> {
    await this.comesTo(place, 'wsrep_local_state_comment', 'Synced');
    await until('a read that waits for the cluster', () => this.hasCaughtUp(place));
  }

  /** Nodes that hear nothing of each other: none of them does anything until they do again. */
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

  /** A node hears nothing of the others, nor they of it; whoever asks it is answered all the same. */
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

  /** A node that stood still calls itself synced until it hears that the others went on without it. */
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
 * Where a node that was killed had come to, as its unit in Debian finds out: then it is sent what it
 * lacks, and not everything anew, over which another node would stand still.
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

/** The lines of the file, as options. */
function sharedOptions(): string[] {
  const lines = readFileSync(OPTIONS, 'utf8').matchAll(/^(\w+) *= *(.+)$/gm);
  return [...lines].map(([, name, value = '']) => `--${name}=${value.replaceAll('"', '')}`);
}
