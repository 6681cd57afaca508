/** The recipes of docs/load.md, run exactly as the page shows them. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, refund, transaction, user } from '../support/builders/ledger-records.js';
import { TestLedger } from '../support/builders/test-ledger.js';
import { ended } from '../support/processes/cli.js';
import { TestService } from '../support/servers/service.js';

const PAGE = readFileSync('docs/load.md', 'utf8');
const SALES = 1_100;
const CONTENTS = { affiliate_id: 2, tracking: { utm_source: 'a,"b"', custom: 'né\n' } };
/** The fields of version 3.0 in the columns of the export. */
const LOADED = `SELECT transaction_id, sale_date, product_id, product_name, amount, status,
    customer.email AS customer_email, customer.last_name AS customer_last_name,
    affiliate.id AS affiliate_id, affiliate.display_name AS affiliate_display_name,
    tracking['utm_source'] AS utm_source, tracking['custom'] AS custom,
    payouts.seller_earnings AS seller_earnings, payouts.service_fee AS service_fee,
    refund.refund_date AS refund_date, refund.refund_amount AS refund_amount,
    refund.service_fee_adjustment AS service_fee_adjustment
  FROM transactions`;
const COLUMNS = `transaction_id, sale_date, product_id, product_name, amount, status,
    customer_email, customer_last_name, affiliate_id, affiliate_display_name, utm_source, custom,
    seller_earnings, service_fee, refund_date, refund_amount, service_fee_adjustment`;

interface FeedItem {
  readonly transaction?: object;
}

let service: TestService;
let ledger: TestLedger;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  ledger = TestLedger.on(service.database);
  await service.import([
    user(1),
    user(2, { display_name: 'First' }),
    product(10, 1),
    ...Array.from({ length: SALES }, (_, index) => transaction(`sale-${index}`, 10, CONTENTS)),
  ]);
  key = await service.key(1);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

function codeIn(name: string): string {
  const [, code] = new RegExp(`<!-- ${name} -->\\s+\`\`\`\\w+\\n(.*?)\`\`\``, 's').exec(PAGE) ?? [];
  if (code === undefined) throw new Error(`the page has no ${name}`);
  return code;
}

describe('the load into DuckDB that anybody can copy', () => {
  const file = () => join(service.database.folder, 'ledger.duckdb');

  function load(environment: Readonly<Record<string, string>> = {}) {
    const API_URL = `http://127.0.0.1:${service.port}`;
    const child = spawn(process.execPath, ['--input-type=module', '-'], {
      env: { ...process.env, API_URL, API_KEY: key, DUCKDB_FILE: file(), ...environment },
    });
    child.stdin.end(codeIn('load.mjs'));
    return ended(child);
  }

  /** Counts the loaded rows, and the rows that only the file or only an export has. */
  async function comparison(): Promise<unknown> {
    const { body } = await service.get('/ledger/v1/transactions.parquet', key);
    const parquet = join(service.database.folder, 'export.parquet');
    writeFileSync(parquet, body);
    const instance = await DuckDBInstance.create(file());
    const connection = await instance.connect();
    try {
      const exported = `SELECT ${COLUMNS} FROM '${parquet}'`;
      const reader = await connection.runAndReadAll(
        `SELECT (SELECT COUNT(*) FROM transactions),
          (SELECT COUNT(*) FROM (${LOADED} EXCEPT ALL ${exported})),
          (SELECT COUNT(*) FROM (${exported} EXCEPT ALL ${LOADED}))`,
      );
      return reader.getRowsJson();
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  }

  it('loads an export, and later the changes, and then equals an export', async () => {
    const quiet = { status: 0, stdout: '', stderr: '' };
    expect(await load()).toEqual(quiet);
    expect(await comparison()).toEqual([[String(SALES), '0', '0']]);
    await service.import([
      user(2, { display_name: 'Renamed' }),
      ...Array.from({ length: SALES - 1 }, (_, index) =>
        transaction(`sale-${index}`, 10, {
          ...CONTENTS,
          amount: '0.30',
          status: 'refunded',
          refund: refund('2025-07-01T00:00:00Z'),
        }),
      ),
      transaction('new', 10),
    ]);
    expect(await load()).toEqual(quiet);
    expect(await comparison()).toEqual([[String(SALES + 1), '0', '0']]);
    const whose = ['--vendor', '1', '--product', '10'];
    await ledger.cli(['sources', 'remove', ...whose, '--yes', '--force']);
    expect(await load()).toEqual(quiet);
    expect(await comparison()).toEqual([['0', '0', '0']]);
  });

  it('ends with the reason if the service rejects the request', async () => {
    const { status, stderr } = await load({ API_KEY: 'no-key' });
    expect(status).toBe(1);
    expect(stderr).toContain('4011');
  });
});

describe('the n8n workflow that anybody can copy', () => {
  interface Pages {
    readonly parameters: { readonly parameters: readonly { name: string; value: string }[] };
    readonly completeExpression: string;
  }
  interface Node {
    readonly name: string;
    readonly parameters: {
      readonly url?: string;
      readonly jsCode?: string;
      readonly queryParameters?: Pages['parameters'];
      readonly options?: { readonly pagination: { readonly pagination: Pages } };
    };
  }
  const { nodes } = JSON.parse(codeIn('workflow.json')) as { readonly nodes: readonly Node[] };
  const [read, request, split] = ['Read the cursor', 'Get the changes', 'Split the pages'].map(
    (name) => nodes.find((node) => node.name === name)?.parameters,
  );

  /** Evaluates an expression or a program as n8n does. */
  function evaluated(code: string, values: Readonly<Record<string, unknown>>): unknown {
    return runInNewContext(code, { ...values });
  }

  function expression(text: string, values: Readonly<Record<string, unknown>>): unknown {
    const [, code] = /^=\{\{(.*)\}\}$/.exec(text) ?? [];
    return code === undefined ? text : evaluated(code, values);
  }

  /** Runs the nodes, and returns the items of the last one. */
  async function run(state: object): Promise<readonly { readonly json: FeedItem }[]> {
    const $getWorkflowStaticData = () => state;
    const programOf = (node = read) => `(() => { ${node?.jsCode ?? ''} })()`;
    const [start] = evaluated(programOf(), { $getWorkflowStaticData }) as { json: object }[];
    const pages: { readonly json: unknown }[] = [];
    const { pagination } = request?.options?.pagination ?? {};
    const path = new URL(request?.url ?? '').pathname;
    let values: Readonly<Record<string, unknown>> = { $json: start?.json, $response: {} };
    do {
      const parameters = [request?.queryParameters, pagination?.parameters].flatMap((some) =>
        (some?.parameters ?? []).map(({ name, value }) => [
          name,
          String(expression(value, values)),
        ]),
      );
      const query = new URLSearchParams(parameters).toString();
      const body: unknown = JSON.parse((await service.get(`${path}?${query}`, key)).text);
      pages.push({ json: body });
      values = { ...values, $response: { body } };
    } while (expression(pagination?.completeExpression ?? '', values) !== true);
    const $input = { all: () => pages };
    return evaluated(programOf(split), { $getWorkflowStaticData, $input }) as {
      readonly json: FeedItem;
    }[];
  }

  it('yields every transaction of the export, and later only what changed', async () => {
    await service.import([
      product(11, 1),
      ...Array.from({ length: SALES }, (_, index) => transaction(`next-${index}`, 11, CONTENTS)),
    ]);
    const state = {};
    const items = await run(state);
    const exported = (await service.get('/ledger/v1/transactions.ndjson', key)).text.trim();
    const sales = items.flatMap(({ json }) => json.transaction ?? []);
    expect(sales).toHaveLength(SALES);
    expect(new Set(sales.map((sale) => JSON.stringify(sale)))).toEqual(
      new Set(exported.split('\n')),
    );
    await service.import([transaction('next-0', 11, { ...CONTENTS, amount: '0.31' })]);
    expect((await run(state)).map(({ json }) => json.transaction)).toEqual([
      expect.objectContaining({ transaction_id: 'next-0', amount: '0.31' }),
    ]);
  });
});
