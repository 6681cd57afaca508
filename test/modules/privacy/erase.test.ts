/** Erases customers: remaining data, unchanged data, and records that contain the person again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NO_APPLICATION, OPERATOR } from '../../../src/platform/values/author.js';
import { ErasePersonService } from '../../../src/modules/privacy/people/erase-person.service.js';
import { DeliveryLoopService } from '../../../src/modules/webhooks/delivery/deliveries.job.js';
import { DeliveriesService } from '../../../src/modules/webhooks/delivery/deliveries.service.js';
import { PeopleService } from '../../../src/modules/privacy/people/people.service.js';
import {
  affiliation,
  payoutItem,
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
import { dialect } from '../../support/sql/test-database.js';
import { dumpOf, quoteElsewhere, sumsOf, tracesIn } from '../../support/sql/person-traces.js';

const BY = { user_id: OPERATOR, application_id: NO_APPLICATION };
const [VENDOR, AFFILIATE, OTHER] = [1, 2, 3];
const EMAIL = 'Quillonia.Vastergard@private.example';
const CUSTOMER = {
  email: EMAIL,
  first_name: 'Quillonia',
  last_name: 'Vastergard',
  ip: '198.51.100.177',
  phone: '+1-555-0177-319',
  processor_email: 'pay.q@private.example',
};
const DELIVERY = {
  name: 'Q. von Vastergard',
  address_line_1: '4711 Thistlewick',
  city: 'Wobbleford',
};
const TRACKING = { vtid: 'v-4711', custom: 'custom-quill', other_params: 'quill=1', tid: 'spring' };
const VALUES = [
  'quillonia',
  'vastergard',
  '198.51.100.177',
  '555-0177',
  'pay.q@',
  'thistlewick',
  'wobbleford',
  'v-4711',
  'custom-quill',
  'quill=1',
  'mail.private.example',
];
const PAYMENT = {
  contact_email: EMAIL.toUpperCase(),
  processor_email: 'pay.q@private.example',
  sender_email: 's@private.example',
  referrer: 'https://mail.private.example/',
  vtid: 'v-4711',
};

/**
 * Returns sales of the person at two vendors, in other spellings and as the payer, and sales of
 * others.
 */
function records(): object[] {
  const own = { customer: CUSTOMER, delivery: DELIVERY, tracking: TRACKING };
  const refunded = { status: 'refunded', refund: refund('2025-06-03T00:00:00Z') };
  return [
    user(VENDOR),
    user(AFFILIATE),
    user(OTHER),
    product(10, VENDOR),
    product(30, OTHER),
    affiliation(AFFILIATE, 10),
    recurringPayment('PRE-1', 10, PAYMENT),
    recurringPayment('PRE-2', 10),
    transaction('own', 10, {
      ...own,
      pre_key: 'PRE-1',
      affiliate_id: AFFILIATE,
      payouts: WITH_COMMISSION,
      payout_items: [payoutItem(VENDOR)],
    }),
    transaction('refunded', 10, { ...own, ...refunded }),
    transaction('upper', 10, { ...own, customer: { ...CUSTOMER, email: EMAIL.toUpperCase() } }),
    transaction('padded', 10, { ...own, customer: { ...CUSTOMER, email: ` ${EMAIL} ` } }),
    transaction('payer', 10, {
      customer: {
        email: 'friend@private.example',
        first_name: 'F',
        last_name: 'R',
        processor_email: EMAIL,
      },
    }),
    transaction('longer', 10, {
      customer: { email: `${EMAIL}.org`, first_name: 'L', last_name: 'O' },
    }),
    transaction('elsewhere', 30, own),
    transaction('nobody', 10),
  ];
}

let service: TestService;
let ledger: TestLedger;
beforeAll(async () => {
  service = await TestService.start();
  await service.import(records());
  ledger = TestLedger.on(service.database);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

const isOfLedger = (line: string) => line.startsWith('transactions ');
const tracesAt = async (vendor_id: number) =>
  tracesIn(await dumpOf(ledger, vendor_id), VALUES).filter((line) => !line.includes('.org'));

describe('a person', () => {
  it('is found in any case and between spaces, as the buyer and as the payer', async () => {
    const found = await service.app.get(PeopleService).find(EMAIL.toLowerCase(), null);
    const dates = { first_sale: '2025-06-01 12:00:00', last_sale: '2025-06-01 12:00:00' };
    expect(found).toEqual([
      { vendor_id: VENDOR, sales: 5, ...dates, recurring_payments: 1 },
      { vendor_id: OTHER, sales: 1, ...dates, recurring_payments: 0 },
    ]);
  });

  it('is exported with everything that is kept', async () => {
    let text = '';
    for await (const part of service.app.get(PeopleService).json(EMAIL, VENDOR)) text += part;
    const { records: exported } = JSON.parse(text) as { records: Record<string, unknown>[] };
    expect(
      exported.map(({ transaction_id, pre_key, type }) => [type, transaction_id ?? pre_key]),
    ).toEqual(
      expect.arrayContaining([
        ['recurring_payment', 'PRE-1'],
        ...['own', 'refunded', 'upper', 'padded', 'payer'].map((id) => ['transaction', id]),
      ]),
    );
    expect(exported).toHaveLength(6);
    for (const value of VALUES) expect(text.toLowerCase()).toContain(value);
  });

  it('is erased at one vendor, and no sum changes', async () => {
    await quoteElsewhere(ledger, VENDOR, EMAIL);
    await service.app.get(DeliveryLoopService).beforeApplicationShutdown();
    const deliveries = service.app.get(DeliveriesService);
    await ledger.run("UPDATE webhook_endpoints SET state = 'active'");
    const sender = await deliveries.take(1);
    const key = await service.key(VENDOR);
    const etag = (await service.get('/v3.0/transactions/own', key)).headers.etag ?? '';
    const [sums, others] = [await sumsOf(ledger), (await dumpOf(ledger, OTHER)).filter(isOfLedger)];
    expect(await service.app.get(ErasePersonService).erase(EMAIL, VENDOR, BY)).toEqual({
      erased: [{ vendor_id: VENDOR, sales: 5, recurring_payments: 1 }],
      reason: 'found',
    });
    expect(await tracesAt(VENDOR)).toEqual([]);
    expect(await sumsOf(ledger)).toEqual(sums);
    expect((await dumpOf(ledger, OTHER)).filter(isOfLedger)).toEqual(others);
    expect((await ledger.cli(['verify'])).stdout).toBe('All derived data matches the ledger.\n');
    const again = await service.get('/v3.0/transactions/own', key, { 'If-None-Match': etag });
    expect(again.status).toBe(200);
    expect(again.text).toMatch(/"email":"erased-[0-9a-f]{16}@erased\.invalid","first_name":""/);
    // A receiver answers a delivery that was sent before the erasure.
    if (sender === null) throw new Error('nothing was to be sent');
    const answered = { webhook_id: 'id', first_sequence: 1, last_sequence: 2, changes: 2 };
    const delivery = {
      ...answered,
      sent: sender.created,
      duration_ms: 1,
      status: 200,
      problem: null,
      position: 2,
      skipped: null,
    };
    const result = { changes: { position: 2 }, delivery: { ...delivery, answer: EMAIL } };
    expect(await deliveries.end(sender, result, false)).toBeNull();
    expect(await tracesAt(VENDOR)).toEqual([]);
  });

  it('has left the feed of changes, the details and the file of the database', async () => {
    const key = await service.key(VENDOR);
    for (const path of [
      '/ledger/v1/changes?limit=1000',
      '/ledger/v1/transactions.csv',
      '/v2.1/transactions/own',
    ]) {
      const { text } = await service.get(path, key);
      expect(tracesIn(text.split('\n'), VALUES.slice(2))).toEqual([]);
    }
    if (dialect !== 'sqlite') return;
    // Pages that were split while sales were added may have old copies of rows.
    await ledger.run('VACUUM');
    await ledger.run('PRAGMA wal_checkpoint(TRUNCATE)');
    const file = readFileSync(service.database.url.slice('sqlite:'.length)).toString('latin1');
    // The other vendor has the same customer.
    const bought = file.split('4711 Thistlewick').length - 1;
    expect(bought).toBe(1);
  });

  it('leaves an audit entry and a line in the file of erasures, without an e-mail', async () => {
    const [entry] = await ledger.rows("SELECT * FROM audit_log WHERE action = 'person.erase'");
    expect(entry).toMatchObject({ subject: `person at user ${VENDOR}` });
    expect(String(entry?.state_after)).toContain('"sales":5,"recurring_payments":1');
    const file = readFileSync(join(service.database.folder, 'erasures.ndjson'), 'utf8');
    expect(file).toMatch(/"person":"[0-9a-f]{64}"/);
    expect(tracesIn([file], VALUES)).toEqual([]);
  });
});

describe('an erased person is not brought back', () => {
  it('by the same ledger again: everything is unchanged', async () => {
    const summary = await service.import(records());
    const { unchanged } = summary.transaction;
    expect(unchanged).toBe(8);
    expect(summary.recurring_payment).toMatchObject({ unchanged: 2, updated: 0 });
    expect(await tracesAt(VENDOR)).toEqual([]);
  });

  it('by records of a source, with versions and with another address', async () => {
    const key = await service.sourceKey(VENDOR);
    const own = { customer: CUSTOMER, delivery: DELIVERY, tracking: TRACKING };
    const sale = (version: number | null, changes: object = {}) =>
      transaction('upper', 10, { ...own, ...changes, record_version: version });
    const sent = [
      sale(7),
      sale(7),
      sale(8, { amount: '48.00' }),
      sale(9, {
        amount: '48.00',
        customer: { ...CUSTOMER, email: 'x.vastergard@private.example' },
      }),
      recurringPayment('PRE-1', 10, { ...PAYMENT, record_version: 3 }),
      transaction('new', 10, own),
    ];
    expect(verdictsIn(await sendRecords(service, key, sent))).toEqual([
      'unchanged',
      'unchanged',
      'updated',
      'unchanged',
      'unchanged',
      'inserted',
    ]);
    expect(await tracesAt(VENDOR)).toEqual([]);
  });

  it('but what is sold later is kept', async () => {
    const later = new Date(Date.now() + 60_000).toISOString();
    await service.import([transaction('later', 10, { customer: CUSTOMER, sale_date: later })]);
    expect(await service.app.get(PeopleService).find(EMAIL, VENDOR)).toMatchObject([{ sales: 1 }]);
  });
});

describe('the commands', () => {
  const cli = (args: string[], input?: string) =>
    ledger.cli(['people', ...args], {
      env: { ERASURES_FILE: join(service.database.folder, 'erasures.ndjson') },
      ...(input === undefined ? {} : { input }),
    });

  it('erase at all vendors, whose name comes from standard input', async () => {
    const found = await cli(['find', '-', '--vendor', String(OTHER)], `${EMAIL}\n`);
    expect(found.stdout).toContain(`Vendor ${OTHER}: 1 sales`);
    const erased = await cli(['erase', EMAIL, '--all', '--json']);
    expect(erased).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(erased.stdout)).toEqual({
      vendor_id: OTHER,
      sales: 1,
      recurring_payments: 0,
    });
    expect(await tracesAt(OTHER)).toEqual([]);
    await service.import(records());
    expect(await tracesAt(OTHER)).toEqual([]);
  });

  it('say what is wrong without the e-mail', async () => {
    expect(await cli(['erase', EMAIL])).toMatchObject({ status: 1, stdout: '' });
    const wrong = await cli(['erase', 'vastergard', '--all']);
    expect(wrong).toEqual({ status: 1, stdout: '', stderr: 'This is not an e-mail address.\n' });
    expect((await cli(['erase', EMAIL, '--vendor', '99'])).stderr).toBe('There is no user 99.\n');
    expect((await cli(['find', 'a@b.example'])).stdout).toBe('No data of this person is stored.\n');
  });

  it('re-encrypt the key of the hashes', async () => {
    const env = {
      KEY_ENCRYPTION_SECRET: 'another secret of the tests, long enough',
      ERASURES_FILE: join(service.database.folder, 'erasures.ndjson'),
    };
    const refused = await ledger.cli(['people', 'erase', EMAIL, '--all'], { env });
    expect(refused).toMatchObject({ status: 1 });
    expect(refused.stderr).toContain('keys rewrap');
  });
});
