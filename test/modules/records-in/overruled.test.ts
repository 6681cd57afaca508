/** A change through the API takes precedence over the ledger (docs/ledger-file.md#changes-through-the-api). */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  affiliation,
  product,
  recurringPayment,
  user,
} from '../../support/builders/ledger-records.js';
import { openRaw } from '../../support/sql/raw-connection.js';
import { TestService } from '../../support/servers/service.js';
import { summaryOf, TestLedger } from '../../support/builders/test-ledger.js';

const VENDOR = 1;
const AFFILIATE = 7;
const PRODUCT = 12;
const PARTIES = [user(VENDOR), user(AFFILIATE), product(PRODUCT, VENDOR)];
const TERMS = { status: 'REQUESTED', comments: 'first', custom_commission: 10 };
const RELATIONSHIP = affiliation(AFFILIATE, PRODUCT, TERMS);
const PAYMENT = recurringPayment('PRE', PRODUCT, { id: 5, current_payments: 1 });

let service: TestService;
let ledger: TestLedger;
let key: string;
beforeEach(async () => {
  service = await TestService.start();
  await service.import(PARTIES);
  key = await service.key(VENDOR);
  ledger = TestLedger.on(service.database);
});
afterEach(async () => {
  await ledger.close();
  await service.stop();
});

async function set(fields: object): Promise<void> {
  const path = `/v2.1/affiliates/${AFFILIATE}/products/${PRODUCT}`;
  expect((await service.put(path, key, fields)).status).toBe(200);
}

async function cancel(): Promise<void> {
  const { status } = await service.put('/v2.0/recurring_payment/PRE', key, { status: 'CANCEL' });
  expect(status).toBe(200);
}

async function rowOf(table: 'affiliations' | 'recurring_payments'): Promise<object> {
  const raw = await openRaw(service.database.url);
  const [row = {}] = await raw.rows(`SELECT * FROM ${table}`);
  await raw.close();
  const { overruled = null, ...fields } = row;
  const parsed: unknown = JSON.parse(String(overruled));
  return { ...fields, overruled: parsed };
}

/** @returns the counts of one type, and the text of standard error */
async function imported(record: Readonly<Record<string, unknown>>) {
  const ended = await ledger.import([record], '--json');
  expect(ended.status).toBe(0);
  return { ...summaryOf(ended)[String(record.type)], stderr: ended.stderr };
}

describe('Affiliate terms that a vendor set', () => {
  beforeEach(() => service.import([RELATIONSHIP]));

  it('stay when the same record is imported again, with a warning', async () => {
    await set({ approval_status: 'DENIED' });
    const before = await rowOf('affiliations');
    expect(await imported(RELATIONSHIP)).toEqual({
      inserted: 0,
      updated: 0,
      unchanged: 1,
      stale: 0,
      rejected: 0,
      warnings: 1,
      stderr: `line 1: warning: status: stays "DENIED" as the interface left it, not "REQUESTED" (affiliation ${AFFILIATE}/${PRODUCT})\n`,
    });
    expect(await rowOf('affiliations')).toEqual(before);
  });

  it('take the fields that differ from the last record, and no others', async () => {
    await set({ approval_status: 'DENIED', custom_commission: 40 });
    expect(await imported({ ...RELATIONSHIP, comments: 'second' })).toMatchObject({
      updated: 1,
      warnings: 1,
    });
    expect(await rowOf('affiliations')).toMatchObject({
      status: 'DENIED',
      custom_commission: 40,
      comments: 'second',
    });
    expect(await imported({ ...RELATIONSHIP, comments: 'second', custom_commission: 11 })).toEqual(
      expect.objectContaining({ updated: 1 }),
    );
    expect(await rowOf('affiliations')).toMatchObject({ status: 'DENIED', custom_commission: 11 });
  });

  it('follow the ledger again after a record that differs from the last one', async () => {
    await set({ approval_status: 'DENIED' });
    const approved = { ...RELATIONSHIP, status: 'APPROVED' };
    expect(await imported(approved)).toMatchObject({ updated: 1, warnings: 0, stderr: '' });
    expect(await imported(approved)).toMatchObject({ unchanged: 1, warnings: 0 });
    expect(await imported(RELATIONSHIP)).toMatchObject({ updated: 1, warnings: 0 });
    expect(await rowOf('affiliations')).toMatchObject({ status: 'REQUESTED', overruled: null });
  });

  it('are no longer overruled after a record with the values that the vendor set', async () => {
    await set({ approval_status: 'DENIED' });
    const denied = { ...RELATIONSHIP, status: 'DENIED' };
    expect(await imported(denied)).toMatchObject({ unchanged: 1, warnings: 0 });
    expect(await rowOf('affiliations')).toMatchObject({ overruled: null });
  });

  it('keep the value from before the first of several changes', async () => {
    await set({ approval_status: 'DENIED' });
    await set({ approval_status: 'INSTANT', custom_commission: 50 });
    expect(await imported(RELATIONSHIP)).toMatchObject({ unchanged: 1, warnings: 1 });
    await set({ approval_status: 'INSTANT', custom_commission: 10 });
    expect(await imported(RELATIONSHIP)).toMatchObject({ unchanged: 1, warnings: 1 });
    expect(await rowOf('affiliations')).toMatchObject({
      status: 'APPROVED',
      custom_commission: 10,
      overruled: { status: { said: 'REQUESTED' } },
    });
  });
});

describe('Affiliate terms that a vendor added', () => {
  it('keep what the vendor set, and take the rest from their first record', async () => {
    await set({ approval_status: 'INSTANT', custom_sales_page_url: 'https://mine.example/' });
    await set({ approval_status: 'INSTANT', custom_payment_1st_payout: 3 });
    const first = { ...RELATIONSHIP, delayed_commission: true, custom_payment_1st_payout: 9 };
    expect(await imported(first)).toMatchObject({ updated: 1, warnings: 1 });
    const kept = {
      status: 'APPROVED',
      delayed_commission: 0,
      custom_payment_1st_payout: 3,
      custom_sales_page_url: 'https://mine.example/',
    };
    expect(await rowOf('affiliations')).toMatchObject({
      ...kept,
      comments: 'first',
      custom_commission: 10,
    });
    expect(await imported(first)).toMatchObject({ unchanged: 1, warnings: 1 });
    expect(await imported({ ...first, delayed_commission: false })).toMatchObject({ unchanged: 1 });
    expect(await rowOf('affiliations')).toMatchObject(kept);
  });
});

describe('A cancellation that was acknowledged', () => {
  beforeEach(() => service.import([PAYMENT]));

  it('stays when the same record is imported again, also with one more payment', async () => {
    await cancel();
    expect(await imported(PAYMENT)).toMatchObject({ unchanged: 1, warnings: 1 });
    const counted = await imported({ ...PAYMENT, current_payments: 2 });
    expect(counted).toMatchObject({ updated: 1, warnings: 1 });
    expect(counted.stderr).toBe(
      'line 1: warning: status: stays "CANCELED" as the interface left it, not "ACTIVE" (recurring_payment PRE)\n',
    );
    expect(await rowOf('recurring_payments')).toMatchObject({
      status: 'CANCELED',
      current_payments: 2,
    });
  });

  it('is overwritten by a record whose status differs from the last one', async () => {
    await cancel();
    expect(await imported({ ...PAYMENT, status: 'COMPLETED' })).toMatchObject({ updated: 1 });
    expect(await rowOf('recurring_payments')).toMatchObject({ status: 'COMPLETED' });
  });

  it('is not lost to an import that runs at the same time', async () => {
    const records = Array.from({ length: 300 }, (_, at) => ({ ...PAYMENT, current_payments: at }));
    const [result] = await Promise.all([ledger.import(records), cancel()]);
    expect(result.status).toBe(0);
    expect(await rowOf('recurring_payments')).toMatchObject({
      status: 'CANCELED',
      current_payments: 299,
    });
  });
});

describe('The audit log', () => {
  interface Entry {
    readonly action: string;
  }
  async function audited(): Promise<Entry[]> {
    const { stdout } = await ledger.cli(['audit']);
    const entries = stdout.trim().split('\n').filter(Boolean);
    return entries
      .map((line) => JSON.parse(line) as Entry)
      .filter(({ action }) => action.endsWith('.import'));
  }

  it('has an entry for each record that changed something, with the name of the file', async () => {
    const records = [...PARTIES, RELATIONSHIP, { ...PAYMENT, current_payments: 0 }, PAYMENT];
    const changed = [
      user(AFFILIATE, { status: 'suspended' }),
      product(PRODUCT, VENDOR, { name: 'Renamed' }),
      { ...RELATIONSHIP, status: 'APPROVED' },
      { ...PAYMENT, status: 'CANCELED' },
    ];
    const text = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n');
    const first = ledger.file('first.ndjson', text(records));
    const second = ledger.file('second\n.ndjson', text(changed));
    for (const file of [first, first, second, second]) {
      expect(await ledger.cli(['import', file])).toMatchObject({ status: 0 });
    }
    expect(await ledger.cli(['import', '--dry-run', first])).toMatchObject({ status: 0 });
    const by = { user_id: 0, application_id: 0, source: String.raw`second\u000a.ndjson` };
    const relationship = `affiliate ${AFFILIATE}, product ${PRODUCT}`;
    expect(await audited()).toMatchObject([
      {
        ...by,
        action: 'user.import',
        subject: `user ${AFFILIATE}`,
        after: { status: 'suspended' },
      },
      { ...by, action: 'product.import', before: {}, after: { name: 'Renamed' } },
      { ...by, action: 'affiliation.import', subject: relationship, after: { status: 'APPROVED' } },
      {
        ...by,
        action: 'recurring_payment.import',
        subject: 'recurring payment 5',
        before: { status: 'ACTIVE' },
        after: { status: 'CANCELED' },
      },
    ]);
  });
});
