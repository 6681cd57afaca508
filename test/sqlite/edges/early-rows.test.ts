/** Rows from before a column existed are changed, refunded, erased and expired like all others. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Visitor } from '../../support/browser/visitor.js';
import {
  affiliation,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
  WITH_COMMISSION,
} from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { sendRecords, verdictsIn } from '../../support/http/records.js';
import { TestService } from '../../support/servers/service.js';

const [VENDOR, AFFILIATE] = [1, 2];
const NAMES = ['changed', 'refunded', 'erased', 'old', 'same', 'last'] as const;
const PERSON = 'erased@example.test';

function sale(name: (typeof NAMES)[number], changes: object = {}): object {
  return transaction(name, 10, {
    affiliate_id: AFFILIATE,
    payouts: WITH_COMMISSION,
    pre_key: 'PRE',
    customer: {
      email: name === 'erased' ? PERSON : `${name}@example.test`,
      first_name: 'A',
      last_name: 'B',
    },
    tracking: { tid: 'spring', utm_source: name },
    sale_date:
      name === 'old'
        ? '2020-01-01T00:00:00Z'
        : new Date().toISOString().slice(0, 10) + 'T00:00:00Z',
    ...changes,
  });
}

let service: TestService;
let ledger: TestLedger;
let key: string;
let begun: string;
beforeAll(async () => {
  service = await TestService.start();
  ledger = TestLedger.on(service.database);
  await service.import([
    user(VENDOR),
    user(AFFILIATE),
    product(10, VENDOR),
    affiliation(AFFILIATE, 10),
    recurringPayment('PRE', 10),
    ...NAMES.slice(0, -1).map((name) => sale(name)),
  ]);
  // So many changes wait that the next sale adds all of them to the sums by tracking field.
  await ledger.run('UPDATE ledger_revisions SET tracked_sequence = -5000');
  await service.import([sale('last')]);
  await ledger.run('UPDATE transactions SET sequence = NULL, changed_at = NULL, rendered = NULL');
  await ledger.run(
    'UPDATE transactions SET customer_processor_email = NULL, record_version = NULL',
  );
  await ledger.run('UPDATE changed_records SET sequence = sequence + 1000');
  const last = '(SELECT MAX(sequence) FROM changed_records)';
  await ledger.run(
    `UPDATE ledger_revisions SET last_sequence = ${last}, tracked_sequence = ${last} WHERE vendor_id = ${VENDOR}`,
  );
  for (const table of ['affiliations', 'recurring_payments']) {
    await ledger.run(`UPDATE ${table} SET overruled = NULL, record_version = NULL`);
  }
  key = await service.key(VENDOR);
  begun = (await changes('0')).cursor;
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

interface Feed {
  readonly ids: readonly string[];
  readonly cursor: string;
}

/** Returns the transactions in the feed after a cursor, page by page. */
async function changes(after: string): Promise<Feed> {
  const ids: string[] = [];
  let cursor = after;
  for (let has_more = true; has_more;) {
    const path = `/ledger/v1/changes?kinds=transaction&limit=2&after=${cursor}`;
    const { meta, results } = await service.envelope(path, key);
    for (const { transaction: shown } of results) {
      ids.push((shown as { transaction_id: string }).transaction_id);
    }
    ({ cursor, has_more } = meta as typeof meta & { cursor: string; has_more: boolean });
  }
  return { ids, cursor };
}

async function run(...args: readonly string[]): Promise<string> {
  const env = { ERASURES_FILE: join(service.database.folder, 'erasures.ndjson') };
  const { status, stdout, stderr } = await ledger.cli(args, { env });
  expect([args, status, stderr, stdout]).toEqual([args, 0, '', stdout]);
  return stdout;
}

/**
 * Expects that every sum matches, and that the feed has each transaction once, with the changed
 * ones at its end.
 */
async function expectWhole(changed: readonly string[]): Promise<void> {
  expect(await run('verify')).toBe('All derived data matches the ledger.\n');
  const all = await changes('0');
  expect([...all.ids].sort()).toEqual([...NAMES].sort());
  expect(all.ids.slice(NAMES.length - changed.length)).toEqual(changed);
  expect((await changes(begun)).ids).toEqual(changed);
}

describe('a row from before the feed of changes and the sums', () => {
  it('is in the feed in the order of its arrival, and in every answer', async () => {
    await expectWhole([]);
    expect((await changes('0')).ids).toEqual(NAMES);
    const range = 'start_date=2020-01-01&end_date=9999-12-31';
    const list = await service.envelope(`/v3.0/transactions?${range}`, key);
    const file = await service.get('/ledger/v1/transactions.ndjson', key);
    const lines = file.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual(list.results);
    expect(list.results).toHaveLength(NAMES.length);
  });

  it('is unchanged by the record that it came from', async () => {
    const summary = await service.import([
      ...NAMES.map((name) => sale(name)),
      affiliation(AFFILIATE, 10),
      recurringPayment('PRE', 10),
    ]);
    expect(summary.transaction).toMatchObject({ unchanged: NAMES.length, updated: 0 });
    expect(summary.affiliation).toMatchObject({ unchanged: 1, updated: 0 });
    expect(summary.recurring_payment).toMatchObject({ unchanged: 1, updated: 0 });
    await expectWhole([]);
  });

  it('is changed by an import', async () => {
    await service.import([sale('changed', { amount: '50.00', tracking: { tid: 'autumn' } })]);
    await expectWhole(['changed']);
  });

  it('is refunded by a source', async () => {
    const source = await service.sourceKey(VENDOR);
    const back = refund(new Date().toISOString());
    const record = sale('refunded', { status: 'refunded', refund: back, record_version: 1 });
    expect(verdictsIn(await sendRecords(service, source, [record]))).toEqual(['updated']);
    await expectWhole(['changed', 'refunded']);
  });

  it('is erased with its person', async () => {
    await run('people', 'erase', PERSON, '--vendor', String(VENDOR));
    await expectWhole(['changed', 'refunded', 'erased']);
    expect((await service.get('/v3.0/transactions/erased', key)).text).not.toContain(PERSON);
  });

  it('is emptied when its personal data has had its time', async () => {
    await run('retention', 'set', '--vendor', String(VENDOR), '--months', '12');
    await run('retention', 'run');
    await expectWhole(['changed', 'refunded', 'erased', 'old']);
    expect((await service.get('/v3.0/transactions/old', key)).text).not.toContain('old@');
  });

  it('is in the sums by tracking field as it is now', async () => {
    const visitor = await Visitor.signedIn(service, VENDOR);
    const { text } = await visitor.get('/account/tracking.csv?range=all-time&field=tid');
    const lines = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',').slice(1, 3));
    expect(lines).toEqual(
      expect.arrayContaining([
        ['spring', '5'],
        ['autumn', '1'],
      ]),
    );
  });
});
