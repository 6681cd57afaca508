/** Personal data older than its retention rule is deleted, and never stored again. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditService } from '../../../src/modules/audit/audit.service.js';
import { RetentionRulesService } from '../../../src/modules/privacy/retention/retention-rules.service.js';
import {
  RetentionLoopService,
  RetentionRunService,
} from '../../../src/modules/privacy/retention/retention-run.service.js';
import { Visitor } from '../../support/browser/visitor.js';
import { stateOf } from '../../support/builders/ledger-state.js';
import { product, user } from '../../support/builders/ledger-records.js';
import {
  MARK,
  markedAgreement,
  markedInTables,
  markedInText,
  markedSale,
} from '../../support/builders/marked-ledger.js';
import { basic } from '../../support/http/http.js';
import { runCli } from '../../support/processes/cli.js';
import { TestService } from '../../support/servers/service.js';
import { quoteElsewhere } from '../../support/sql/person-traces.js';
import { openRaw, type RawConnection } from '../../support/sql/raw-connection.js';

const [VENDOR, OTHER, AFFILIATE] = [1, 2, 3];
const TODAY = '2026-03-31';
/** This is one month earlier, in a shorter month. */
const FIRST_DAY = '2026-02-28';
const BY = { user_id: 0, application_id: 0 };
const SIGNAL = new AbortController().signal;
const DERIVED = [
  'sale_counts',
  'refund_counts',
  'affiliate_sales',
  'vendor_sums',
  'affiliate_day_sums',
  'refund_cohorts',
  'unpaid_commissions',
  'payout_items',
];

const PEOPLE = [
  user(VENDOR),
  user(OTHER),
  user(AFFILIATE),
  product(10, VENDOR),
  product(20, OTHER),
];
const LEDGER = [
  ...PEOPLE,
  ...Array.from({ length: 250 }, (_, day) => markedSale(`old-${day}`, 10, '2025-06-01T00:00:00Z')),
  markedSale('last-old', 10, '2026-02-28T01:59:59+02:00', { record_version: 5 }),
  markedSale('first-kept', 10, '2026-02-28T00:00:00Z'),
  markedSale('others', 20, '2025-06-01T00:00:00Z'),
  markedAgreement('ended', { id: 1 }),
  markedAgreement('active', { id: 2, status: ' Active', last_date: null, next_date: null }),
  markedAgreement('paid', { id: 3, last_date: '2026-03-01T00:00:00Z' }),
  markedAgreement('canceled-here', { id: 4, status: 'ACTIVE' }),
  markedAgreement('disabled', { id: 5, status: 'DISABLED' }),
  markedAgreement('never-paid', { id: 6, status: ' canceled ', last_date: null, next_date: null }),
];
const KEPT = ['first-kept', 'others', 'active', 'paid'];

let service: TestService;
let raw: RawConnection;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  // The background loop would use the real date.
  await service.app.get(RetentionLoopService).beforeApplicationShutdown();
  await service.import(LEDGER);
  raw = await openRaw(service.database.url);
  key = await service.key(VENDOR);
  const canceled = await service.put('/v2.0/recurring_payment/canceled-here', key, {
    status: 'CANCEL',
  });
  expect(canceled.status).toBe(200);
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

async function derived(): Promise<object> {
  const state: Record<string, unknown> = await stateOf(service);
  return Object.fromEntries(DERIVED.map((table) => [table, state[table]]));
}

async function runAll(today = TODAY): Promise<(object | null)[]> {
  const runs = service.app.get(RetentionRunService);
  const results = [];
  for (const due of await runs.vendors(today)) {
    results.push(await runs.run(due, { today, signal: SIGNAL }));
  }
  return results;
}

function rules(): RetentionRulesService {
  return service.app.get(RetentionRulesService);
}

async function verify(): Promise<void> {
  const { status, stdout } = await runCli(service.database.url, ['verify']);
  expect([status, stdout]).toEqual([0, 'All derived data matches the ledger.\n']);
}

describe('retention', () => {
  it('empties nothing without a rule', async () => {
    expect(await runAll()).toEqual([]);
    expect(await markedInTables(raw)).toContain('old-0');
  });

  it('goes on where it was interrupted, with one process at a time', async () => {
    await rules().set({ vendor_id: VENDOR, months: 1 }, BY);
    await quoteElsewhere(raw, VENDOR, `${MARK}-old-249-email`);
    const runs = service.app.get(RetentionRunService);
    const [due] = await runs.vendors(TODAY);
    if (due === undefined) throw new Error('nothing is due');
    const stop = new AbortController();
    const onProgress = () => {
      stop.abort();
    };
    expect(await runs.run(due, { today: TODAY, signal: stop.signal, onProgress })).toBeNull();
    const left = await markedInTables(raw);
    expect(left).toContain('old-249');
    expect(left).not.toContain('old-0');
    // A killed process leaves its lease, which ends by itself.
    const leased = (ends: string) =>
      raw.run(`UPDATE retained_ledgers SET claim = 'killed', claim_ends = '${ends}'`);
    await leased('2099-01-01 00:00:00');
    expect(await runs.run(due, { today: TODAY, signal: SIGNAL })).toBeNull();
    expect(await markedInTables(raw)).toEqual(left);
    await leased('2025-01-01 00:00:00');
  });

  it('empties every personal value of older sales and ended agreements, and nothing else', async () => {
    const [figures, revision] = [
      await derived(),
      await service.get('/v3.0/transactions/old-0', key),
    ];
    expect(await runAll()).toEqual([
      { vendor_id: VENDOR, retained_from: FIRST_DAY, transactions: 251, recurring_payments: 4 },
    ]);
    expect(await markedInTables(raw)).toEqual([...KEPT].sort());
    expect(await derived()).toEqual(figures);
    const { headers } = await service.get('/v3.0/transactions/old-0', key);
    expect(headers.etag).not.toBe(revision.headers.etag);
    await verify();
  });

  it('is in answers, exports, changes and the search', async () => {
    const own = ['first-kept'];
    const month = 'start_date=2025-06-01&end_date=2026-03-31';
    for (const [path, expected] of [
      [`/v3.0/transactions?${month}`, own],
      ['/v2.1/transaction/details/old-7', []],
      ['/v2.0/latest-transactions', []],
      ['/ledger/v1/transactions.ndjson', own],
      ['/ledger/v1/transactions.csv', own],
      ['/ledger/v1/changes?limit=1000', ['active', 'first-kept', 'paid']],
      ['/v2.0/recurring_payment/ended', []],
      ['/v2.0/recurring_payment/active', ['active']],
    ] as const) {
      const { status, text } = await service.get(path, key);
      expect([path, status, markedInText(text)]).toEqual([path, 200, expected]);
    }
    const visitor = await Visitor.signedIn(service, VENDOR);
    const found = await visitor.get(`/account/search?q=${MARK}-old-7`);
    expect(found.text).toContain('No results for');
    expect((await visitor.get('/account/search?q=old-7')).text).toContain('>old-7<');
  });

  it('brings nothing back when the same records arrive again', async () => {
    const before = await stateOf(service);
    const summary = await service.import(LEDGER);
    expect(summary.transaction).toMatchObject({ unchanged: 253, updated: 0, inserted: 0 });
    expect(summary.recurring_payment).toMatchObject({ unchanged: 6, updated: 0, inserted: 0 });
    expect(await stateOf(service)).toEqual(before);
  });

  it('empties what arrives later, and applies the rest of it', async () => {
    const source = await service.sourceKey(null);
    const refunded = {
      refund_date: '2026-03-30T00:00:00Z',
      refund_amount: '47.00',
      seller_refund_impact: '-40.00',
      affiliate_refund_impact: '0.00',
      agent_refund_impact: '0.00',
      jv_refund_impact: '0.00',
      service_fee_adjustment: '-7.00',
    };
    const records = [
      markedSale('late', 10, '2025-07-01T00:00:00Z'),
      markedSale('last-old', 10, '2026-02-27T23:59:59Z', {
        record_version: 6,
        status: 'refunded',
        refund: refunded,
      }),
      markedSale('others-late', 20, '2025-07-01T00:00:00Z'),
      markedAgreement('ended-late', { id: 5 }),
    ];
    const answer = await service.send({
      method: 'POST',
      path: '/ledger/v1/records',
      headers: { ...basic(source), 'Content-Type': 'application/json' },
      body: JSON.stringify(records),
    });
    const { results } = JSON.parse(answer.text) as { results: { verdict: string }[] };
    const verdicts = ['inserted', 'updated', 'inserted', 'inserted'];
    expect(results.map(({ verdict }) => verdict)).toEqual(verdicts);
    expect(await markedInTables(raw)).toEqual([...KEPT, 'others-late'].sort());
    const { text } = await service.get('/v3.0/transactions/last-old', key);
    expect(text).toContain('"refund_amount":"47.00"');
    await verify();
  });

  it('keeps the day when months are added or the rule is cleared, and never lowers it', async () => {
    await rules().set({ vendor_id: VENDOR, months: 12 }, BY);
    await runAll();
    expect(await rules().of(VENDOR)).toEqual({ months: 12, isOwn: true, retained_from: FIRST_DAY });
    await service.import([markedSale('later-still', 10, '2026-02-01T00:00:00Z')]);
    expect(await markedInTables(raw)).toEqual([...KEPT, 'others-late'].sort());
    await rules().clear(VENDOR, BY);
    expect(await rules().of(VENDOR)).toEqual({
      months: null,
      isOwn: false,
      retained_from: FIRST_DAY,
    });
  });

  it('holds for all by a default, but not for those who have their own', async () => {
    await rules().set({ vendor_id: 0, months: 1 }, BY);
    await rules().set({ vendor_id: OTHER, months: null }, BY);
    await runAll('2026-04-30');
    expect(await markedInTables(raw)).toEqual(['active', 'others', 'others-late']);
    expect(await rules().of(VENDOR)).toMatchObject({ months: 1, retained_from: '2026-03-30' });
    await rules().clear(OTHER, BY);
    await runAll('2026-04-30');
    expect(await markedInTables(raw)).toEqual(['active']);
    expect((await rules().ledgers()).map(({ vendor_id }) => vendor_id)).toEqual([VENDOR, OTHER]);
    await verify();
  });

  it('loses nothing to an import at the same time', async () => {
    const sales = (round: number) =>
      Array.from({ length: 150 }, (_, sale) =>
        markedSale(`busy${round}-${sale}`, 20, `2026-05-01T00:${10 + (sale % 40)}:00Z`),
      );
    await service.import(sales(0));
    const imports = async () => {
      for (let round = 0; round < 4; round += 1) await service.import(sales(round));
    };
    await Promise.all([imports(), runAll('2026-06-30')]);
    await runAll('2026-06-30');
    expect(await markedInTables(raw)).toEqual(['active']);
    await verify();
  });

  it('is done once a day, by one instance', async () => {
    await rules().set({ vendor_id: OTHER, months: 2 }, BY);
    await raw.run('UPDATE retained_ledgers SET done_on = NULL');
    await service.import([markedSale('once', 20, '2026-06-15T00:00:00Z')]);
    const beside = await service.beside();
    await beside.app.get(RetentionLoopService).beforeApplicationShutdown();
    const due = { today: '2026-09-30', signal: SIGNAL };
    const entries = async () => (await service.app.get(AuditService).lastEntries(100)).length;
    const before = await entries();
    await Promise.all([service, beside].map(({ app }) => app.get(RetentionRunService).runDue(due)));
    expect(await entries()).toBe(before + 1);
    const day = await raw.rows('SELECT done_on, claim FROM retained_ledgers ORDER BY vendor_id');
    expect(day).toMatchObject([{ claim: null }, { claim: null }]);
    await beside.app.get(RetentionRunService).runDue(due);
    expect(await entries()).toBe(before + 1);
    await beside.stop();
  });

  it('is in the audit log, with numbers alone', async () => {
    const entries = await service.app.get(AuditService).lastEntries(100);
    const told = entries.filter(({ action }) => action.startsWith('retention.'));
    expect(told.slice(0, 3)).toMatchObject([
      { action: 'retention.set', subject: 'vendor 1', before: null, after: { months: 1 } },
      {
        action: 'retention.run',
        subject: 'vendor 1',
        user_id: 0,
        after: { retained_from: FIRST_DAY, transactions: 251, recurring_payments: 4 },
      },
      { action: 'retention.set', before: { months: 1 }, after: { months: 12 } },
    ]);
    expect(told.map(({ action }) => action)).toContain('retention.clear');
  });
});
