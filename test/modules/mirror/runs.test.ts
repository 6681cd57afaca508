/**
 * The runs of a mirror: the data that each reads, and the instance that runs it, while sales are
 * added, changed and removed at the upstream.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { basic, envelopeOf, send } from '../../support/http/http.js';
import { user } from '../../support/builders/ledger-records.js';
import { MirrorUnderTest } from '../../support/servers/mirror-under-test.js';
import { endAll, until } from '../../support/servers/running-service.js';
import { STUB_KEY, StubUpstream } from '../../support/servers/stub-upstream.js';
import {
  stubPayment,
  stubRefund,
  stubSale,
  type StubContents,
} from '../../support/servers/stub/contents.js';
import { Held } from '../../support/servers/stub/held.js';
import { LIST } from '../../support/servers/stub/spoiled.js';

const VENDOR = 1;
const OTHER = 2;
const NAMES = 'service=acme,processor=paymenthouse';
const LATELY = `${new Date(Date.now() - 3_600_000).toISOString().slice(0, 19)}Z`;
const DETAIL = /^\/v2\.1\/transaction\/details\/(.+)$/;
const OLD_SECOND = '2025-01-31T23:59:59Z';

const contents: StubContents = {
  vendor: { id: VENDOR, name: 'Vendor', email: 'vendor@example.test' },
  products: [{ id: 10, name: 'Product 10' }],
  sales: [
    stubSale('old-1', { sold: OLD_SECOND }),
    stubSale('old-2', { sold: OLD_SECOND }),
    stubSale('gone', { sold: '2025-02-01T00:00:00Z' }),
    stubSale('late-1', { sold: LATELY }),
    stubSale('late-2', { sold: LATELY }),
  ],
  relationships: [],
  payments: [],
};
const stub = new StubUpstream(contents);
let mirror: MirrorUnderTest;
let notifyPath: string;

beforeAll(async () => {
  mirror = await MirrorUnderTest.start({ ...user(VENDOR), id: VENDOR }, await stub.start());
  await mirror.ledger.mustImport([user(OTHER)]);
  notifyPath = await add(VENDOR, stub.url);
  await mirror.untilRead();
  await mirror.untilIdle();
  stub.requests.length = 0;
});
afterEach(() => {
  stub.hook = (_, answer) => answer;
  stub.requests.length = 0;
});
afterAll(async () => {
  await mirror.stop();
  stub.stop();
  await endAll();
});

/**
 * Adds an upstream of a vendor.
 * @returns the path for its notifications
 */
async function add(vendor: number, url: string): Promise<string> {
  const options = ['--vendor', String(vendor), '--url', url, '--key-file', '-', '--json'];
  const env = { WEBHOOK_NETWORKS: '127.0.0.0/8,::1' };
  const args = ['upstreams', 'add', ...options, '--names', NAMES];
  const { stdout, stderr } = await mirror.ledger.cli(args, { env, input: STUB_KEY });
  if (stderr !== '') throw new Error(stderr);
  const added = JSON.parse(stdout) as { readonly id: number; readonly notify_path: string };
  if (vendor === VENDOR) mirror.id = added.id;
  return added.notify_path;
}

/** Runs a command on the upstream that makes no call. */
async function told(command: string): Promise<void> {
  const { status, stderr } = await mirror.ledger.cli(['upstreams', command, String(mirror.id)]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

/** Returns the ids that the API shows, in its order. */
async function shown(): Promise<string[]> {
  const path = '/v3.0/transactions?start_date=2025-01-01&end_date=2099-12-31&page_size=200';
  const answer = await send(mirror.service.port, { path, headers: basic(mirror.key) });
  return envelopeOf(answer).results.map(({ transaction_id }) => String(transaction_id));
}

/** Returns the ids at the upstream: newest second first, latest arrival first. */
function upstreamsOrder(): string[] {
  const sales = contents.sales.map((sale, index) => ({ ...sale, index }));
  const key = (sale: (typeof sales)[number]) =>
    `${sale.sold} ${String(sale.index).padStart(4, '0')}`;
  return sales
    .sort((left, right) => (key(left) < key(right) ? 1 : -1))
    .map((sale) => sale.transaction_id);
}

function detailsRead(): string[] {
  return stub.requests.flatMap(({ path }) => DETAIL.exec(path)?.[1] ?? []).sort();
}

async function ring(...ids: readonly string[]): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  for (const paykey of ids) {
    const request = { method: 'POST', path: notifyPath, headers, body: JSON.stringify({ paykey }) };
    expect((await send(mirror.service.port, request)).status).toBe(200);
  }
}

async function notified(...ids: readonly string[]): Promise<void> {
  await ring(...ids);
  await until('the notified sales', async () => {
    const list = await shown();
    return ids.every((id) => list.includes(id));
  });
  await mirror.untilIdle();
}

describe('a run', () => {
  it('reads no details again of what did not change', async () => {
    await mirror.readAgain('recent');
    expect(stub.requests.filter(({ path }) => LIST.test(path))).not.toEqual([]);
    expect(detailsRead()).toEqual([]);
    contents.sales = contents.sales.map((sale) =>
      sale.transaction_id === 'late-1' ? { ...sale, refund: stubRefund(LATELY) } : sale,
    );
    await mirror.readAgain('recent');
    expect(detailsRead()).toEqual(['late-1']);
  });

  it('keeps the order of sales of one second, those as well that were notified', async () => {
    expect(await shown()).toEqual(upstreamsOrder());
    const [first, ...others] = contents.sales;
    if (first === undefined) throw new Error('there are sales');
    const before = [stubSale('old-0', { sold: OLD_SECOND }), first];
    const after = [stubSale('late-0', { sold: LATELY }), stubSale('late-3', { sold: LATELY })];
    contents.sales = [...before, ...others, ...after];
    await notified('late-3', 'late-0', 'old-0');
    await mirror.readAgain('full');
    expect(await shown()).toEqual(upstreamsOrder());
  });

  it('reads a sale again that is notified while it is read', async () => {
    const held = new Held(/^\/v3\.0\/transactions\/noted$/);
    stub.hook = held.hook;
    contents.sales = [...contents.sales, stubSale('noted', { sold: LATELY, amount: '1.00' })];
    const first = notified('noted');
    await until('the first read', () => held.count === 1);
    // The next notification has to be in another second, by which the table distinguishes the two.
    const second = Math.floor(Date.now() / 1_000);
    await until('the next second', () => Math.floor(Date.now() / 1_000) > second);
    contents.sales = contents.sales.map((sale) =>
      sale.transaction_id === 'noted' ? { ...sale, amount: '2.00' } : sale,
    );
    const again = notified('noted');
    await until('the second notification', async () => {
      const sql = "SELECT sale_date FROM upstream_reads WHERE kind = 'notified'";
      const [row] = await mirror.ledger.rows(sql);
      return Date.parse(`${String(row?.sale_date)}Z`) / 1_000 > second;
    });
    held.release();
    await Promise.all([first, again]);
    const amounts = "SELECT amount FROM transactions WHERE transaction_id = 'noted'";
    await until('the second read', async () => {
      const [row] = await mirror.ledger.rows(amounts);
      return Number(row?.amount) === 200;
    });
    await mirror.untilIdle();
  });

  it('keeps a sale that is gone, and tells it', async () => {
    contents.sales = contents.sales.filter(({ transaction_id }) => transaction_id !== 'gone');
    await mirror.readAgain('full');
    expect(await mirror.upstream()).toMatchObject({ missing: 1, problem: null, failures: 0 });
    const text = 'the upstream no longer has sale gone, which is kept';
    const kind = 'transaction missing at the upstream';
    const problems = "SELECT kind, text FROM upstream_problems WHERE subject = 'transaction gone'";
    expect(await mirror.ledger.rows(problems)).toEqual([{ kind, text }]);
    await mirror.readAgain('recent');
    expect(await mirror.ledger.rows(problems)).toEqual([{ kind, text }]);
    expect(await shown()).toContain('gone');
    expect(await mirror.ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });
});

describe('a notification', () => {
  const OLD = { sold: '2025-03-01T00:00:00Z' };
  const asked = (path: string) => stub.requests.filter((request) => request.path === path).length;

  async function statusOf(pre_key: string): Promise<unknown> {
    const of = `FROM recurring_payments WHERE pre_key = '${pre_key}'`;
    const [row] = await mirror.ledger.rows(`SELECT status ${of}`);
    return row?.status;
  }

  it('brings the details and the recurring payment, whether or not the sale changed', async () => {
    contents.payments = [stubPayment('PRE')];
    contents.sales = [...contents.sales, stubSale('agreed', { ...OLD, pre_key: 'PRE' })];
    await ring('agreed');
    await until('the recurring payment', async () => (await statusOf('PRE')) === 'ACTIVE');
    await mirror.untilIdle();
    contents.payments = [stubPayment('PRE', { status: 'CANCELED' })];
    stub.requests.length = 0;
    await ring('agreed');
    await until('the cancellation', async () => (await statusOf('PRE')) === 'CANCELED');
    await mirror.untilIdle();
    expect(detailsRead()).toEqual(['agreed']);
    expect(asked('/v2.0/recurring_payment/PRE')).toBe(1);
  });

  it('names a sale also without its prefix, and by the number of a rebill', async () => {
    const sales = [
      'AP-first',
      'PA-second',
      'third',
      'AP-fourth',
      'PA-fifth',
      'sixth-B001',
      'sixth',
    ];
    contents.sales = [...contents.sales, ...sales.map((id) => stubSale(id, OLD))];
    await ring('first', 'second', 'third-B001', 'fourth-B012', 'PA-fifth-b3', 'sixth-B001');
    const known = sales.filter((id) => id !== 'sixth');
    await until('the sales', async () => {
      const list = await shown();
      return known.every((id) => list.includes(id));
    });
    await mirror.untilIdle();
    expect(await shown()).not.toContain('sixth');
    expect((await mirror.upstream()).seek_run).toBeNull();
  });

  it('of an unknown sale begins one run a minute, asks once more, and is told then', async () => {
    stub.requests.length = 0;
    await ring('nobody-B001');
    const told = 'the upstream has no sale nobody-B001, which a notification named';
    const problems = "SELECT text FROM upstream_problems WHERE subject = 'notified nobody-B001'";
    await until('the problem', async () => (await mirror.ledger.rows(problems)).length > 0);
    expect(await mirror.ledger.rows(problems)).toEqual([{ text: told }]);
    await mirror.untilIdle();
    const [first, last] = [0, -1].map((at) =>
      stub.requests.filter(({ path }) => path.includes('PA-nobody')).at(at),
    );
    const lists = stub.requests.filter(({ path }) => LIST.test(path));
    const places = [first, lists[0], last].map((request) =>
      stub.requests.findIndex((each) => each === request),
    );
    expect(places).toEqual([...places].sort((left, right) => left - right));
    expect(new Set(places).size).toBe(3);
    stub.requests.length = 0;
    await ring('comes', 'nobody');
    const row = await mirror.untilUpstream('the next run', ({ seek_run }) => seek_run !== null);
    const [next, before] = [row.seek_run, row.last_seek].map((at) => Date.parse(`${String(at)}Z`));
    expect(Number(next) - Number(before)).toBe(60_000);
    await mirror.untilUpstream('the end of the turn', ({ claim }) => claim === null);
    expect(stub.requests.filter(({ path }) => LIST.test(path))).toEqual([]);
    contents.sales = [...contents.sales, stubSale('AP-comes', OLD)];
    await mirror.ledger.run(`UPDATE upstreams SET seek_run = '2025-01-01 00:00:00'`);
    await mirror.passTime();
    await until('the sale', async () => (await shown()).includes('AP-comes'));
    await mirror.untilIdle();
    expect(stub.requests.filter(({ path }) => LIST.test(path))).not.toEqual([]);
  });
});

describe('a run that is going on', () => {
  /** @returns the hook that holds the run's list back, once the list is requested */
  async function heldRun(): Promise<Held> {
    const held = new Held(LIST);
    stub.hook = held.hook;
    await mirror.want('full');
    await until('a page that is asked for', () => held.count > 0);
    return held;
  }

  it('is left when it is paused, and goes on when it is resumed', async () => {
    const late = stubSale('while-paused', { sold: LATELY });
    contents.sales = [...contents.sales, late];
    const held = await heldRun();
    await told('pause');
    held.release();
    await mirror.untilUpstream('its end', ({ claim }) => claim === null);
    expect(await mirror.upstream()).toMatchObject({ state: 'paused', run: 'full' });
    expect(await shown()).not.toContain(late.transaction_id);
    await told('resume');
    await mirror.untilIdle();
    expect(await shown()).toContain(late.transaction_id);
  });

  it('is of one instance; when that is killed, another goes on once the claim has ended', async () => {
    const last = stubSale('while-killed', { sold: LATELY });
    contents.sales = [...contents.sales, last];
    const held = await heldRun();
    const another = await mirror.another();
    await mirror.service.kill();
    const { claim } = await mirror.upstream();
    stub.requests.length = 0;
    // The instance tries the upstream of another vendor, so it has already checked this one.
    await add(OTHER, `${stub.url}/nowhere`);
    const failed = `SELECT 1 FROM upstreams WHERE vendor_id = ${OTHER} AND failures > 0`;
    await until('a try of the other', async () => (await mirror.ledger.rows(failed)).length > 0);
    expect(stub.requests.filter(({ path }) => LIST.test(path))).toEqual([]);
    expect(await mirror.upstream()).toMatchObject({ claim });
    held.release();
    await mirror.releaseClaim();
    mirror.service = another;
    await mirror.untilIdle();
    expect(await shown()).toContain(last.transaction_id);
    await mirror.ledger.run(`DELETE FROM upstreams WHERE vendor_id = ${OTHER}`);
  });

  it('ends when its upstream is removed; what was read stays', async () => {
    const sales = 'SELECT transaction_id FROM transactions ORDER BY transaction_id';
    const before = await mirror.ledger.rows(sales);
    const held = await heldRun();
    await told('remove');
    held.release();
    const { status } = await mirror.service.end();
    expect(status).toBe(0);
    expect(mirror.service.lines(/could not be read/)).toEqual([]);
    expect(await mirror.ledger.rows('SELECT 1 FROM upstream_reads')).toEqual([]);
    expect(await mirror.ledger.rows(sales)).toEqual(before);
    expect(await mirror.ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });
});
