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
 * The topology of docker/compose.cluster.yaml as processes: three nodes of Galera, each with a host of
 * its own, Redis, three instances of the service, each with another node first, and the balancer.
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

  /** Without an instance yet. */
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

  /** Starts an instance that is not there yet, or not any more. */
  async startInstance(place: number): Promise<void> {
    const { service, management } = this.port(place);
    const instance = await RunningService.start(this.ledger(place), 1, {
      PORT: String(service),
      MANAGEMENT_PORT: String(management),
      REDIS_URL: this.redis.url,
      // As in docker/compose.cluster.yaml.
      DATABASE_STATEMENT_MS: '10000',
      // Counted, and never reached.
      THROTTLE_LIMITS: '1000000/1m',
      LOG_LEVEL: 'warn',
    });
    this.running.set(place, instance);
  }

  /** Each instance's own way to the database: another node first. */
  ledger(place: number): TestLedger {
    const url = this.database.url(...PLACES.map((after) => (place + after) % SIZE));
    return TestLedger.on({ url, folder: this.folder, drop: () => Promise.resolve() });
  }

  /** What the cluster has committed, as a node shows it. */
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

  /** As an operator stops it: what is under way is answered first. */
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
