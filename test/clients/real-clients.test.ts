/**
 * Small clients that behave like observed real ones, each as a process of its own in its own
 * language, against the built service with its default limits.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Certificates } from '../support/servers/certificates.js';
import {
  itRuns,
  printedBy,
  runClient,
  type ClientEnvironment,
} from '../support/http/client-programs.js';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../support/builders/ledger-records.js';
import { endAll, RunningService } from '../support/servers/running-service.js';
import { TestLedger } from '../support/builders/test-ledger.js';

const VENDOR = 1;
const OTHER_VENDOR = 2;
/** User id of a vendor and affiliate with few sales. */
const POLLER = 5;
const [KNOWN, NEW] = [100, 101];
const PRODUCT = 10;
const JUNE = ['2025-06-01', '2025-06-30'] as const;
/** The name has more bytes than characters. */
const NAME = 'Zoë’s 漢字 🦊';
const OWN = Array.from({ length: 95 }, (_, index) => `own-${index}`);
const SOLD = Array.from({ length: 250 }, (_, index) => `sold/${index}`);
const FEW = Array.from({ length: 30 }, (_, index) => index);
/** Tests use the default limits unless they set others. */
const DEFAULT_LIMITS = { THROTTLE_LIMITS: '' };

let ledger: TestLedger;
let certificates: Certificates;
let vendor: ClientEnvironment;
let overTls: ClientEnvironment;
let poller: ClientEnvironment;

/** Returns a time within the 90 days of the affiliate's feed, later for each place. */
function recently(place: number): string {
  return new Date(Date.now() - (80 - place / 4) * 86_400_000).toISOString();
}

function records(): object[] {
  return [
    ...[VENDOR, OTHER_VENDOR, POLLER, KNOWN, NEW].map((id) => user(id)),
    product(PRODUCT, VENDOR, { name: NAME }),
    product(20, OTHER_VENDOR),
    product(50, POLLER),
    affiliation(KNOWN, PRODUCT, { status: 'REQUESTED', comments: 'Please' }),
    ...['PA-ABC123', 'PA-DEF456'].map((pre_key) => recurringPayment(pre_key, PRODUCT)),
    ...OWN.map((id, index) =>
      transaction(id, PRODUCT, {
        product_name: NAME,
        sale_date: `2025-06-${String(1 + (index % 30)).padStart(2, '0')}T12:00:00Z`,
      }),
    ),
    ...SOLD.map((id, place) =>
      transaction(id, 20, { sale_date: recently(place), affiliate_id: VENDOR }),
    ),
    ...FEW.flatMap((place) => [
      transaction(`polled-own-${place}`, 50, { sale_date: recently(place) }),
      transaction(`polled-sold-${place}`, 20, { sale_date: recently(place), affiliate_id: POLLER }),
    ]),
  ];
}

beforeAll(async () => {
  certificates = new Certificates();
  certificates.make('service', 'localhost');
  const tls = {
    TLS_CERT: certificates.certificate('service'),
    TLS_KEY: certificates.key('service'),
  };
  ledger = await TestLedger.create();
  await ledger.mustImport(records());
  const [own, ofPoller] = [await ledger.key(VENDOR), await ledger.key(POLLER)];
  const plain = await RunningService.start(ledger, 1, DEFAULT_LIMITS);
  const encrypted = await RunningService.start(ledger, 1, { ...DEFAULT_LIMITS, ...tls });
  const API_ADDRESS = `http://127.0.0.1:${plain.port}`;
  vendor = { API_ADDRESS, API_KEY: own };
  poller = { API_ADDRESS, API_KEY: ofPoller };
  overTls = {
    API_ADDRESS: `https://localhost:${encrypted.port}`,
    API_KEY: own,
    API_AUTHORITY: tls.TLS_CERT,
  };
});
afterAll(async () => {
  await endAll();
  await ledger.drop();
  certificates.remove();
});

async function relationshipOf(affiliate: number) {
  const [row] = await ledger.rows(
    `SELECT status, comments, custom_commission, custom_sales_page_url AS page
     FROM affiliations WHERE affiliate_id = ${affiliate} AND product_id = ${PRODUCT}`,
  );
  return row;
}

describe('a plug-in in PHP', () => {
  const itRunsPhp = itRuns('.php');
  const plugIn = (...args: string[]) => runClient('relationships.php', vendor, ...args);
  const statusOf = async (pre_key: string) =>
    (await ledger.rows(`SELECT status FROM recurring_payments WHERE pre_key = '${pre_key}'`))[0]
      ?.status;

  itRunsPhp('cancels by a form, with a key that its user typed in part', async () => {
    expect(await printedBy(plugIn('cancel', '<b>ABC123</b> '))).toEqual([{ canceled: true }]);
    expect(await printedBy(plugIn('cancel', 'PA-ABC123'))).toEqual([{ canceled: true }]);
    expect(await statusOf('PA-ABC123')).toBe('CANCELED');
    expect(await statusOf('PA-DEF456')).toBe('ACTIVE');
  });

  itRunsPhp('is told three times that there is no such payment, and what to mend', async () => {
    const { status, stderr } = await plugIn('cancel', 'NONE');
    expect(status).toBe(1);
    const told = stderr.trim().split('\n');
    expect(told).toHaveLength(3);
    for (const line of told)
      expect(line).toMatch(/^404 \{"meta":.*"code":4040.*"results":\[null\]\}$/);
  });

  itRunsPhp('approves by a form with a page of which its user pasted HTML', async () => {
    // Above 1,024 bytes, curl first asks for permission to send the body.
    const page = `https://sales.example/?from=${'x'.repeat(1_500)}&a=b`;
    const args = ['approve', `${KNOWN}`, `${PRODUCT}`, '75', `<a href="x">${page}</a>`];
    expect(await printedBy(plugIn(...args))).toMatchObject([
      {
        status: 'APPROVED',
        custom_commission: 75,
        custom_sales_page_url: page,
        comments: 'Please',
      },
    ]);
    expect(await relationshipOf(KNOWN)).toMatchObject({ status: 'APPROVED', page });
  });

  itRunsPhp('approves by JSON that it sends as a form', async () => {
    const args = ['approve-json', `${NEW}`, `${PRODUCT}`, '40', 'https://sales.example/json'];
    expect(await printedBy(plugIn(...args))).toMatchObject([
      { status: 'APPROVED', custom_commission: 40 },
    ]);
    expect(await relationshipOf(NEW)).toMatchObject({ page: 'https://sales.example/json' });
  });

  itRunsPhp('finds out by the bare version whether a key is good', async () => {
    expect(await printedBy(runClient('key-check.php', vendor))).toEqual({ valid: true });
    const mistyped = { ...vendor, API_KEY: `${vendor.API_KEY}x` };
    expect(await printedBy(runClient('key-check.php', mistyped))).toEqual({ valid: false });
    expect(await printedBy(runClient('key-check.php', vendor))).toEqual({ valid: true });
  });
});

describe('a script in JavaScript', () => {
  it('reads the feed, with trailing slashes, up to the first empty page', async () => {
    expect(await printedBy(runClient('affiliate-feed.mjs', vendor))).toEqual({
      pages: [100, 100, 50, 0],
      transaction_ids: SOLD,
    });
  });

  it('polls both feeds with undefined, then with one key, and misses nothing', async () => {
    const told = await printedBy<{ calls: object[]; transaction_ids: string[] }>(
      runClient('feeds-poller.mjs', poller),
    );
    expect(told.calls).toEqual([
      { feed: 'latest-transactions', sent: 'undefined', paykey: 'unknown', results: 30 },
      { feed: 'latest-affiliates-transactions', sent: 'undefined', paykey: 'unknown', results: 30 },
      // The key belongs to the other feed.
      { feed: 'latest-transactions', sent: 'polled-sold-29', paykey: 'unknown', results: 30 },
      { feed: 'latest-affiliates-transactions', sent: 'polled-sold-29', paykey: null, results: 0 },
    ]);
    expect(told.transaction_ids).toEqual([
      ...FEW.map((place) => `polled-own-${place}`),
      ...FEW.map((place) => `polled-sold-${place}`),
    ]);
  });
});

describe('a script in Python', () => {
  const itRunsPython = itRuns('.py');
  const namesIn = (header: string | null) => header?.split(/, */).toSorted();

  interface ManyNames {
    readonly ignored: (string | null)[];
    readonly total: number;
    readonly transaction_ids: string[];
  }

  itRunsPython('reads the whole list with the names of other services beside its own', async () => {
    const told = await printedBy<ManyNames>(runClient('many-names.py', vendor, 'own', ...JUNE));
    expect(told.transaction_ids.toSorted()).toEqual(OWN.toSorted());
    expect(told.total).toBe(OWN.length);
    expect(told.ignored.map(namesIn)).toEqual([1, 2, 3].map(() => ['limit', 'page', 'per_page']));
  });

  itRunsPython('is told which names are not known where it uses those alone', async () => {
    const told = await printedBy<ManyNames>(runClient('many-names.py', vendor, 'others', ...JUNE));
    expect(told.transaction_ids).toHaveLength(50);
    expect(told.total).toBe(OWN.length);
    expect(told.ignored.map(namesIn)).toEqual([['limit', 'page', 'per_page']]);
  });

  itRunsPython('reads by HTTP/1.0 what it cuts off by Content-Length', async () => {
    const range = `start_date=${JUNE[0]}&end_date=${JUNE[1]}`;
    const told = await printedBy<
      {
        headers: Record<string, string>;
        body: { results: { product_name?: string }[] };
        bytes: number;
        left: number;
      }[]
    >(
      runClient(
        'http-1.0.py',
        vendor,
        `/v3.0/transactions?${range}&page_size=200`,
        '/v2.1/products/names',
        '/v2.0',
      ),
    );
    expect(told.map(({ body }) => body.results.length)).toEqual([OWN.length, 1, 1]);
    for (const { body } of told.slice(0, 2)) {
      for (const { product_name } of body.results) expect(product_name).toBe(NAME);
    }
    for (const { headers, bytes, left } of told) {
      expect([bytes, left]).toEqual([Number(headers['content-length']), 0]);
      expect(headers.connection).toBe('close');
      expect(headers['transfer-encoding']).toBeUndefined();
    }
  });

  itRunsPython('sends JSON over TLS to a service whose certificate it checks', async () => {
    const path = `/v2.1/affiliates/${KNOWN}/products/${PRODUCT}`;
    const set = { approval_status: 'DENIED', custom_commission: null, custom_sales_page_url: null };
    const send = (to: ClientEnvironment) =>
      runClient('json-over-tls.py', to, path, JSON.stringify(set));
    expect(await printedBy(send(overTls))).toMatchObject([
      { status: 'DENIED', custom_commission: 0, custom_sales_page_url: null },
    ]);
    expect(await relationshipOf(KNOWN)).toMatchObject({ status: 'DENIED', page: null });
    const address = overTls.API_ADDRESS.replace('localhost', '127.0.0.1');
    const { status, stderr } = await send({ ...overTls, API_ADDRESS: address });
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/CERTIFICATE_VERIFY_FAILED/);
  });
});
