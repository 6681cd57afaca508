/** An upstream cannot show some records: whatever its answers to them are, all others are read. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import {
  STUB_KEY,
  StubUpstream,
  type StubAnswer,
  type StubFault,
} from '../../support/servers/stub-upstream.js';
import {
  stubAffiliate,
  stubPayment,
  stubRelationship,
  stubSale,
} from '../../support/servers/stub/contents.js';

type Fields = Readonly<Record<string, unknown>>;

const [VENDOR, PRODUCT, AFFILIATE] = [1, 10, 7];
/**
 * The failing details are more than those that are read at a time, and belong to the newest sales.
 */
const SALES = 20;
const FAILING = 12;
const ids = Array.from({ length: SALES }, (_, index) => `S-${String(index).padStart(2, '0')}`);

const stub = new StubUpstream({
  vendor: { id: VENDOR, name: 'Vendor', email: 'vendor@example.test' },
  products: [{ id: PRODUCT, name: 'Product 10' }],
  sales: ids.map((id, index) => {
    const sold = new Date(Date.UTC(2025, 5, 1) + index * 60_000).toISOString();
    const affiliate = stubAffiliate(index % 2 === 0 ? AFFILIATE : AFFILIATE + 1);
    return stubSale(id, { sold, affiliate, pre_key: `PRE-${index}` });
  }),
  relationships: [stubRelationship(AFFILIATE, PRODUCT), stubRelationship(AFFILIATE + 1, PRODUCT)],
  payments: ids.map((_, index) =>
    stubPayment(`PRE-${index}`, { id: 1 + index, product_id: PRODUCT }),
  ),
});

let ledger: TestLedger;
let settings: Readonly<Record<string, string>>;
let id: string;

beforeAll(async () => {
  settings = await stub.start();
  ledger = await TestLedger.create();
  await ledger.mustImport([{ ...user(VENDOR), id: VENDOR }]);
  const file = ledger.file('upstream-key', STUB_KEY);
  const options = ['--vendor', String(VENDOR), '--url', stub.url, '--key-file', file, '--json'];
  const added = await command('add', ...options, '--names', 'service=acme,processor=paymenthouse');
  id = String((JSON.parse(added.stdout) as Fields).id);
});
afterAll(async () => {
  stub.stop();
  await ledger.drop();
});

const command = (...args: string[]) => ledger.cli(['upstreams', ...args], { env: settings });

async function run(...options: string[]) {
  const { status, stdout } = await command('run', id, ...options, '--json');
  return { status, upstream: JSON.parse(stdout) as Fields };
}

const count = async (from: string) => {
  const [row] = await ledger.rows(`SELECT COUNT(*) AS found FROM ${from}`);
  return Number(row?.found);
};

/** Makes the upstream answer these paths with a fault instead of its data. */
function failing(faults: readonly (readonly [RegExp, Partial<StubAnswer> | StubFault])[]): void {
  stub.hook = ({ path }, answer) => {
    const [, fault] = faults.find(([pattern]) => pattern.test(path)) ?? [];
    return typeof fault === 'string' ? fault : { ...answer, ...fault };
  };
}

const refusal = {
  status: 403,
  body: '{"meta":{"status":{"code":4012}},"results":[null]}',
};
const newest = ids.slice(-FAILING).join('|');

describe('records that an upstream cannot show', () => {
  it('cost no other record, nor the sales that have them', async () => {
    failing([
      [new RegExp(`/details/(${newest})$`), refusal],
      [/\/details\/S-07$/, 'hung up'],
      [/\/recurring_payment\/PRE-1$/, refusal],
      [/\/recurring_payment\/PRE-6$/, { status: 500 }],
      [new RegExp(`/affiliates/${AFFILIATE}/products/`), refusal],
      [/\/products\/names$/, refusal],
    ]);
    const { status, upstream } = await run();
    expect({ status, ...upstream }).toMatchObject({ status: 1, problem: null, failures: 0 });
    expect(upstream.problems).toMatchObject([
      { kind: 'detail not read', count: FAILING + 1 },
      { kind: 'recurring payment not read', count: 2 },
      { kind: 'names of products not read', count: 1 },
      { kind: 'relationship not read', count: 1 },
    ]);
    expect(await count('transactions')).toBe(SALES);
    expect(await count("transactions WHERE customer_phone <> ''")).toBe(SALES - FAILING - 1);
    expect(await count('recurring_payments')).toBe(SALES - FAILING - 3);
    expect(await count('affiliations')).toBe(1);
  });

  it('are read once it can show them', async () => {
    failing([]);
    await ledger.run("UPDATE upstream_reads SET next_try = '2025-01-01 00:00:00'");
    expect(await run('--full')).toMatchObject({ status: 0, upstream: { problems: [] } });
    expect(await count("transactions WHERE customer_phone <> ''")).toBe(SALES);
    expect(await count('recurring_payments')).toBe(SALES);
    expect(await count('affiliations')).toBe(2);
  });

  it('are kept and told if it no longer lists them', async () => {
    await ledger.run(
      `UPDATE transactions SET transaction_id = 'GONE' WHERE transaction_id = 'S-03'`,
    );
    for (const fault of [refusal, { status: 410 }]) {
      failing([[/^\/v3\.0\/transactions\/GONE$/, fault]]);
      const { status, upstream } = await run('--full');
      expect({ status, ...upstream }).toMatchObject({ status: 1, problem: null, missing: 1 });
      expect(upstream.problems).toMatchObject([{ kind: 'transaction missing at the upstream' }]);
    }
  });
});

describe('an upstream that answers nothing any more', () => {
  it('has no problems with its records', async () => {
    failing([
      [/\/details\//, refusal],
      [/^\/v3\.0\/transactions\?.*page_size=1&/, refusal],
    ]);
    const { upstream } = await run('--full');
    const problem = 'the upstream does not accept the key: it answered 403';
    expect(upstream).toMatchObject({ problem, failures: 1 });
    expect(JSON.stringify(upstream.problems)).not.toContain('detail not read');
  });
});
