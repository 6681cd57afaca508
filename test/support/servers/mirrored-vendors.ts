import { readFileSync } from 'node:fs';
import { product, recurringPayment, transaction, user } from '../builders/ledger-records.js';
import { TestLedger, type Dump } from '../builders/test-ledger.js';
import type { Ended } from '../processes/cli.js';
import type { RawRow } from '../sql/raw-connection.js';
import { RunningService, until } from './running-service.js';
import { STUB_KEY, StubUpstream, type StubHook } from './stub-upstream.js';
import { stubSale, type StubSale } from './stub/contents.js';

/** A vendor without an upstream, whose ledger must not change. */
export const BYSTANDER = { vendor: 2, product: 21, sale: 'OTHER-1', pre_key: 'PRE-OTHER' } as const;
const FIRST_VENDOR = 100;
const AUTHORITIES = 'authorities.pem';
const NAMES = 'service=acme,processor=paymenthouse';

/** A fault of a vendor's upstream. */
export interface Fault {
  readonly hook?: StubHook;
  /** Changes the address that the mirror calls. */
  readonly address?: (url: string) => string;
  /** False if the mirror does not trust the issuer of the upstream's certificate. */
  readonly isTrusted?: boolean;
}

/** A vendor with three sales at an upstream of its own. A test may corrupt the second one. */
export interface MirroredVendor {
  readonly vendor: number;
  readonly product: number;
  readonly stub: StubUpstream;
  readonly sales: readonly [newest: string, bad: string, oldest: string];
}

/** A service with vendors whose upstreams are stubs, all read at the same time. */
export class MirroredVendors {
  service!: RunningService;

  private constructor(
    readonly ledger: TestLedger,
    readonly vendors: readonly MirroredVendor[],
    readonly settings: Readonly<Record<string, string>>,
    /** Certificates of the issuers of all upstreams, including those that are not trusted. */
    private readonly authorities: readonly string[],
  ) {}

  /** @param makeFaults returns the fault of each upstream, given its vendor */
  static async start(makeFaults: readonly ((of: MirroredVendor) => Fault)[]) {
    const ledger = await TestLedger.create();
    const vendors = makeFaults.map((_, index) => vendorOf(FIRST_VENDOR + index));
    const faults = makeFaults.map((make, index) => make(at(vendors, index)));
    const [all, trusted]: [string[], string[]] = [[], []];
    let networks = '';
    for (const [index, { stub }] of vendors.entries()) {
      const settings = await stub.start();
      networks = settings.WEBHOOK_NETWORKS ?? '';
      const { hook, isTrusted = true } = at(faults, index);
      if (hook !== undefined) stub.hook = hook;
      const authority = readFileSync(settings.NODE_EXTRA_CA_CERTS ?? '', 'utf8');
      all.push(authority);
      if (isTrusted) trusted.push(authority);
    }
    const file = ledger.file(AUTHORITIES, trusted.join('\n'));
    // Color codes would separate the words of the log.
    const settings = { WEBHOOK_NETWORKS: networks, NODE_EXTRA_CA_CERTS: file, NO_COLOR: '1' };
    await ledger.mustImport([...bystanders(), ...vendors.map(({ vendor }) => user(vendor))]);
    const mirrors = new MirroredVendors(ledger, vendors, settings, all);
    for (const [index, each] of vendors.entries()) await mirrors.add(each, at(faults, index));
    mirrors.service = await RunningService.start(ledger, 1, settings);
    return mirrors;
  }

  /** Returns the row of the vendor's upstream. */
  async upstreamOf({ vendor }: MirroredVendor): Promise<RawRow> {
    const [row] = await this.ledger.rows(`SELECT * FROM upstreams WHERE vendor_id = ${vendor}`);
    if (row === undefined) throw new Error(`user ${vendor} has no upstream`);
    return row;
  }

  async untilUpstream(of: MirroredVendor, holds: (row: RawRow) => boolean): Promise<RawRow> {
    await until(`the upstream of ${of.vendor}`, async () => holds(await this.upstreamOf(of)));
    return this.upstreamOf(of);
  }

  /** Returns the ids of a vendor's stored transactions, newest first. */
  async salesOf({ vendor }: MirroredVendor): Promise<string[]> {
    const from = `FROM transactions WHERE vendor_id = ${vendor} ORDER BY sale_date DESC`;
    const rows = await this.ledger.rows(`SELECT transaction_id ${from}`);
    return rows.map(({ transaction_id }) => String(transaction_id));
  }

  /** Returns the problems with records of the vendor's upstream. */
  async problemsOf(of: MirroredVendor): Promise<RawRow[]> {
    const { id } = await this.upstreamOf(of);
    const from = `FROM upstream_problems WHERE upstream_id = ${Number(id)}`;
    return this.ledger.rows(`SELECT kind, subject, text ${from} ORDER BY kind, subject`);
  }

  /** Runs `upstreams run` and returns its JSON and exit status. */
  async run(of: MirroredVendor, full = false) {
    const options = [...(full ? ['--full'] : []), '--json'];
    const { status, stdout } = await this.command(of, ...options);
    const told = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    return { status, told };
  }

  /** Runs `upstreams run` and returns its output. */
  async command(of: MirroredVendor, ...options: string[]): Promise<Ended> {
    const { id } = await this.upstreamOf(of);
    const args = ['upstreams', 'run', String(id), ...options];
    return this.ledger.cli(args, { env: this.settings });
  }

  /** Repairs all upstreams, ends all pauses and leases, and restarts the service. */
  async cure(): Promise<void> {
    await this.service.kill();
    for (const { stub } of this.vendors) stub.hook = (_, answer) => answer;
    this.ledger.file(AUTHORITIES, this.authorities.join('\n'));
    const past = "next_try = '2025-01-01 00:00:00'";
    const free = 'claim = NULL, claim_ends = NULL';
    await this.ledger.run(`UPDATE upstreams SET ${past}, ${free}, wanted = 'full'`);
    await this.ledger.run(`UPDATE upstream_reads SET ${past}`);
    this.service = await RunningService.start(this.ledger, 1, this.settings);
  }

  /** Returns all rows that belong to the bystander. */
  async othersRows(): Promise<Dump> {
    const dump = await this.ledger.dump();
    return Object.fromEntries(
      Object.entries(dump).map(([table, rows]) => [
        table,
        rows.filter((row) => isOfBystander(table, row)),
      ]),
    );
  }

  async stop(): Promise<void> {
    await this.service.kill();
    for (const { stub } of this.vendors) stub.stop();
    await this.ledger.drop();
  }

  private async add({ vendor, stub }: MirroredVendor, { address }: Fault): Promise<void> {
    const file = this.ledger.file('upstream-key', STUB_KEY);
    const url = address?.(stub.url) ?? stub.url;
    const options = ['--vendor', String(vendor), '--url', url, '--key-file', file];
    const { WEBHOOK_NETWORKS = '' } = this.settings;
    const args = ['upstreams', 'add', ...options, '--names', NAMES];
    const { status, stderr } = await this.ledger.cli(args, { env: { WEBHOOK_NETWORKS } });
    if (status !== 0) throw new Error(stderr);
  }
}

function vendorOf(vendor: number): MirroredVendor {
  const ids = [`new-${vendor}`, `bad-${vendor}`, `old-${vendor}`] as const;
  const [newest, bad, oldest] = ids;
  const product_id = vendor * 10;
  const sale = (id: string, sold: string): StubSale => stubSale(id, { sold, product_id });
  const stub = new StubUpstream({
    vendor: { id: vendor, name: 'Vendor', email: 'vendor@example.test' },
    products: [{ id: product_id, name: 'Product' }],
    sales: [
      sale(oldest, '2025-06-01T12:00:00Z'),
      sale(bad, '2025-06-02T12:00:00Z'),
      sale(newest, '2025-06-03T12:00:00Z'),
    ],
    relationships: [],
    payments: [],
  });
  return { vendor, product: product_id, stub, sales: [newest, bad, oldest] };
}

function bystanders(): object[] {
  const { vendor, product: id, sale, pre_key } = BYSTANDER;
  return [
    user(vendor),
    product(id, vendor),
    recurringPayment(pre_key, id),
    transaction(sale, id, { pre_key }),
  ];
}

function isOfBystander(table: string, row: RawRow): boolean {
  const isUser = table === 'users' && Number(row.id) === BYSTANDER.vendor;
  const isProduct = Number(row.product_id) === BYSTANDER.product;
  return isUser || isProduct || Number(row.vendor_id) === BYSTANDER.vendor;
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}
