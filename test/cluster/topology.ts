import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/throwaway-mysql.mjs';
import { GaleraCluster } from '../support/servers/galera-cluster.js';
import { Lan } from '../support/servers/lan.js';
import { openRaw, type RawRow } from '../support/sql/raw-connection.js';
import { RunningService } from '../support/servers/running-service.js';
import { TestLedger } from '../support/builders/test-ledger.js';
import { ThrowawayHaproxy, type Ports } from '../support/servers/throwaway-haproxy.js';
import { ThrowawayRedis } from '../support/servers/throwaway-redis.js';

export const SIZE = 3;
const PLACES = [0, 1, 2] as const;

/**
 * The topology of docker/compose.cluster.yaml as processes: three nodes of Galera, each on a host
 * of its own, Redis, three instances of the service, each with another preferred node, and the
 * balancer.
 */
export class Topology {
  private readonly running = new Map<number, RunningService>();
  private readonly folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-cluster-'));

  private constructor(
    readonly lan: Lan,
    readonly database: GaleraCluster,
    readonly redis: ThrowawayRedis,
    readonly ports: readonly Ports[],
  ) {}

  /** Starts the topology without instances. */
  static async start(): Promise<Topology> {
    const lan = await Lan.start(SIZE);
    const database = await GaleraCluster.start(lan.hosts);
    const redis = await ThrowawayRedis.start();
    const ports: Ports[] = [];
    for (let place = 0; place < SIZE; place += 1) {
      ports.push({ service: await freePort(), management: await freePort() });
    }
    return new Topology(lan, database, redis, ports);
  }

  startProxy(): Promise<ThrowawayHaproxy> {
    return ThrowawayHaproxy.start(this.ports);
  }

  /** Starts an instance that does not run. */
  async startInstance(place: number): Promise<void> {
    const { service, management } = this.port(place);
    const instance = await RunningService.start(this.ledger(place), 1, {
      PORT: String(service),
      MANAGEMENT_PORT: String(management),
      REDIS_URL: this.redis.url,
      // This is the value in docker/compose.cluster.yaml.
      DATABASE_STATEMENT_MS: '10000',
      // Requests are counted, but never reach the limit.
      THROTTLE_LIMITS: '1000000/1m',
      LOG_LEVEL: 'warn',
    });
    this.running.set(place, instance);
  }

  /** Returns the database as an instance uses it, with its own order of nodes. */
  ledger(place: number): TestLedger {
    const url = this.database.url(...PLACES.map((after) => (place + after) % SIZE));
    return TestLedger.on({ url, folder: this.folder, drop: () => Promise.resolve() });
  }

  /** Returns the committed rows of the cluster, as a node shows them. */
  async rows(sql: string, place = SIZE - 1): Promise<RawRow[]> {
    const direct = await openRaw(this.database.url(place));
    try {
      await direct.run('SET SESSION wsrep_sync_wait = 1');
      return await direct.rows(sql);
    } finally {
      await direct.close();
    }
  }

  instance(place: number): RunningService {
    const instance = this.running.get(place);
    if (instance === undefined) throw new Error(`there is no instance ${place}`);
    return instance;
  }

  async killInstance(place: number): Promise<void> {
    await this.instance(place).kill();
    this.running.delete(place);
  }

  /** Stops an instance as an operator does: running requests are answered first. */
  async stopInstance(place: number): Promise<void> {
    const instance = this.instance(place);
    process.kill(instance.pid, 'SIGTERM');
    const { status } = await instance.ended;
    if (status !== 0) throw new Error(`it ended with ${String(status)}`);
    this.running.delete(place);
  }

  async end(): Promise<void> {
    for (const place of [...this.running.keys()]) await this.killInstance(place);
    await this.redis.end();
    await this.database.end();
    this.lan.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private port(place: number): Ports {
    const ports = this.ports[place];
    if (ports === undefined) throw new Error(`there is no instance ${place}`);
    return ports;
  }
}
