import { createConnection, type Connection } from 'mysql2/promise';
import type { FlakyProxy } from './flaky-proxy.js';
import { affiliation, product, user } from '../builders/ledger-records.js';
import { OwnDatabase } from './own-database.js';
import { TestService } from './service.js';

export const RELATIONSHIP = '/v2.1/affiliates/100/products/10';

/** A service with two hosts in its DATABASE_URL. */
export interface OnTwoHosts {
  readonly service: TestService;
  /** The vendor's key. */
  readonly key: string;
  /** Direct connection to the database server. */
  readonly direct: Connection;
}

/** Two proxies to one database server. A test can disturb each of them. */
export class TwoHosts {
  private running: OnTwoHosts | undefined;

  private constructor(
    private readonly database: OwnDatabase,
    readonly second: FlakyProxy,
  ) {}

  static async start(): Promise<TwoHosts> {
    const database = await OwnDatabase.start();
    return new TwoHosts(database, await database.anotherNetwork());
  }

  get first(): FlakyProxy {
    return this.database.network;
  }

  /** A DATABASE_URL with the addresses of both proxies, the first one first. */
  get url(): string {
    return this.database.url.replace(/@([^/]+)/, `@$1,127.0.0.1:${this.second.port}`);
  }

  async serve(environment: Record<string, string> = {}): Promise<OnTwoHosts> {
    const drop = () => Promise.resolve();
    const onBoth = { url: this.url, folder: '', drop };
    const service = await TestService.on(onBoth, { PAGE_CACHE_MB: '0', ...environment });
    await service.import([user(1), product(10, 1), user(100), affiliation(100, 10)]);
    const direct = await createConnection(this.database.directUrl);
    return (this.running = { service, key: await service.key(1), direct });
  }

  /** Stops the service and repairs both proxies. */
  async rest(): Promise<void> {
    for (const network of [this.first, this.second]) {
      network.isCut = false;
      network.isRefused = false;
      network.failsOnceBroken = false;
    }
    await this.running?.direct.end();
    await this.running?.service.stop();
    this.running = undefined;
    // The server would otherwise keep the locks of clients that were cut off.
    for (const network of [this.first, this.second]) network.breakAll();
  }

  async end(): Promise<void> {
    await this.second.close();
    await this.database.end();
  }
}
