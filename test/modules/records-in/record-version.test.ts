/** Records with versions from their source (docs/ledger-file.md#versions). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { affiliation, recurringPayment, user } from '../../support/builders/ledger-records.js';
import { TestLedger, withoutTime, type Line } from '../../support/builders/test-ledger.js';
import {
  partiesOf,
  PRODUCT,
  VENDOR,
  VERSIONED_KINDS,
} from '../../support/builders/versioned-records.js';
import { runImport, source } from '../../support/servers/import-run.js';
import { TestService } from '../../support/servers/service.js';

const LARGEST = Number.MAX_SAFE_INTEGER;
const OTHER = /^record_version: 5 is stored with other content; a change needs a higher version \(/;

type Outcome = 'updated' | 'unchanged' | 'stale' | 'rejected';
type Version = number | null;
/** The stored version, the new version, its content, the outcome, and the version afterwards. */
type Case = readonly [Version, Version, 'same' | 'other', Outcome, Version];
const CASES: readonly Case[] = [
  [5, 4, 'same', 'stale', 5],
  [5, 4, 'other', 'stale', 5],
  [5, 5, 'same', 'unchanged', 5],
  [5, 5, 'other', 'rejected', 5],
  [5, 6, 'same', 'unchanged', 6],
  [5, 6, 'other', 'updated', 6],
  [5, null, 'same', 'stale', 5],
  [5, null, 'other', 'stale', 5],
  [0, null, 'other', 'stale', 0],
  [null, 0, 'same', 'unchanged', 0],
  [null, 0, 'other', 'updated', 0],
  [null, null, 'same', 'unchanged', null],
  [null, null, 'other', 'updated', null],
  [LARGEST - 1, LARGEST, 'other', 'updated', LARGEST],
];
/** Numbers the cases: each runs once in batches of its own, and once within one batch. */
const numberOf = (at: number, isTogether: boolean) => 10 + 2 * at + Number(isTogether);
const NUMBERS = CASES.flatMap((_, at) => [numberOf(at, false), numberOf(at, true)]);

let service: TestService;
let ledger: TestLedger;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  ledger = TestLedger.on(service.database);
  await service.import(partiesOf(NUMBERS));
  key = await service.key(VENDOR);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

const imported = (lines: readonly Line[], dryRun = false) =>
  runImport(service, source(lines), dryRun);

/** Returns the ledger and the audit log, with all columns. */
async function state() {
  const audit = await ledger.rows('SELECT * FROM audit_log ORDER BY id');
  return { ...(await ledger.dump()), audit };
}

/** Returns the same state with another version in one row. */
async function stateWith(table: string, where: string, version: Version) {
  const before = await state();
  const found = (await ledger.rows(`SELECT * FROM ${table} WHERE ${where}`)).map(withoutTime);
  const rows = (before as Record<string, readonly object[]>)[table] ?? [];
  const isFound = (row: object) => JSON.stringify(row) === JSON.stringify(found[0]);
  const changed = rows.map((row) => (isFound(row) ? { ...row, record_version: version } : row));
  return { ...before, [table]: changed };
}

describe.each(VERSIONED_KINDS)('A stored $type record', ({ type, table, record, where }) => {
  it.each(CASES.map((one, at) => [...one, at] as const))(
    'of version %p: the record of version %p with %s content is %s',
    async (stored, version, content, outcome, after, at) => {
      const number = numberOf(at, false);
      const sent = record(number, content, { record_version: version });
      await imported([record(number, 'same', { record_version: stored })]);
      const [before, raised] = [await state(), await stateWith(table, where(number), after)];
      const rehearsed = await imported([sent], true);
      expect(await state()).toEqual(before);
      const real = await imported([sent]);
      expect(real).toEqual(rehearsed);
      expect(real.summary[type]).toMatchObject({ inserted: 0, [outcome]: 1 });
      const [row] = await ledger.rows(`SELECT record_version FROM ${table} WHERE ${where(number)}`);
      expect(row).toEqual({ record_version: after });
      if (outcome === 'rejected') expect(real.told[0]?.replace(/^line 1: /, '')).toMatch(OTHER);
      if (outcome !== 'updated') expect(await state()).toEqual(raised);
      else expect(await state()).not.toEqual(raised);
    },
  );

  it('and one that comes after it in its batch end as in batches of their own', async () => {
    const lines = CASES.flatMap(([stored, version, content], at) => {
      const number = numberOf(at, true);
      return [
        record(number, 'same', { record_version: stored }),
        record(number, content, { record_version: version }),
      ];
    });
    const rehearsed = await imported(lines, true);
    const real = await imported(lines);
    expect(real).toEqual(rehearsed);
    const count = (wanted: Outcome) => CASES.filter(([, , , outcome]) => outcome === wanted).length;
    expect(real.summary[type]).toMatchObject({
      inserted: CASES.length,
      updated: count('updated'),
      unchanged: count('unchanged'),
      stale: count('stale'),
      rejected: count('rejected'),
    });
    const versions = await Promise.all(
      CASES.map(async (_, at) => {
        const by = where(numberOf(at, true));
        const [row] = await ledger.rows(`SELECT record_version FROM ${table} WHERE ${by}`);
        return row?.record_version;
      }),
    );
    expect(versions).toEqual(CASES.map(([, , , , after]) => after));
  });
});

describe('A record_version', () => {
  it.each([
    ['text', '"5"'],
    ['a fraction', '1.5'],
    ['less than zero', '-1'],
    ['2^53', '9007199254740992'],
    ['beyond 2^53', '9007199254740993'],
    ['a huge number', '1e400'],
    ['true', 'true'],
    ['a list', '[5]'],
    ['an object', '{"a":5}'],
  ])('is refused if it is %s', async (_, version) => {
    const line = JSON.stringify(user(VENDOR, { record_version: 'x' })).replace('"x"', version);
    const { summary, told } = await imported([line]);
    expect(summary.user.rejected).toBe(1);
    expect(told).toEqual([
      expect.stringMatching(
        /^line 1: record_version: must be a whole number, 0 (or more|to 9007199254740991), not .+ \(user 1\)$/,
      ),
    ]);
  });

  it('is in no answer, and raised alone leaves the pages of others as they were', async () => {
    const kind = VERSIONED_KINDS.find(({ type }) => type === 'transaction');
    const sale = (record_version: number) => kind?.record(9, 'shown', { record_version }) ?? {};
    await service.import([sale(1)]);
    const path = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30';
    const before = await service.get(path, key);
    expect((await imported([sale(2)])).summary.transaction.unchanged).toBe(1);
    const after = await service.get(path, key, { 'If-None-Match': String(before.headers.etag) });
    expect([before.status, after.status]).toEqual([200, 304]);
    for (const shown of [path, '/v2.1/transaction/details/T-9', '/v2.0/recurring_payment/PRE-10']) {
      const { status, body } = await service.get(shown, key);
      expect([shown, status]).toEqual([shown, 200]);
      expect(body.toString()).not.toContain('record_version');
    }
  });

  it('leaves counts and sums that pass verify', async () => {
    expect(await ledger.cli(['verify'])).toMatchObject({ status: 0 });
  });
});

describe('A versioned record that the API changed', () => {
  const AFFILIATE = 2;
  const terms = (more: object) =>
    affiliation(AFFILIATE, PRODUCT, { comments: 'a', custom_commission: 10, ...more });
  const payment = (more: object) => recurringPayment('PRE', PRODUCT, { id: 7, ...more });
  const rowOf = async (table: string, where: string) =>
    (await ledger.rows(`SELECT * FROM ${table} WHERE ${where}`))[0];
  const relationship = () => rowOf('affiliations', `affiliate_id = ${AFFILIATE}`);
  const paid = () => rowOf('recurring_payments', "pre_key = 'PRE'");

  async function set(fields: object): Promise<void> {
    const path = `/v2.1/affiliates/${AFFILIATE}/products/${PRODUCT}`;
    expect((await service.put(path, key, fields)).status).toBe(200);
  }

  it('is compared with what the ledger said last (affiliation)', async () => {
    await service.import([terms({ record_version: 5 })]);
    await set({ approval_status: 'DENIED', custom_commission: 40 });
    const set5 = await relationship();
    expect(set5).toMatchObject({ status: 'DENIED', custom_commission: 40, record_version: 5 });
    const same = await imported([terms({ record_version: 5 })]);
    expect(same.summary.affiliation).toMatchObject({ unchanged: 1, warnings: 1 });
    const asSet = terms({ record_version: 5, status: 'DENIED', custom_commission: 40 });
    expect((await imported([asSet])).summary.affiliation.rejected).toBe(1);
    const older = terms({ record_version: 4, custom_commission: 1 });
    expect((await imported([older])).summary.affiliation).toMatchObject({ stale: 1, warnings: 0 });
    expect(await relationship()).toEqual(set5);
    const newer = await imported([terms({ record_version: 6 })]);
    expect(newer.summary.affiliation).toMatchObject({ unchanged: 1, warnings: 1 });
    expect(await relationship()).toEqual({ ...set5, record_version: 6 });
    const changed = terms({ record_version: 7, comments: 'b', custom_commission: 20 });
    expect((await imported([changed])).summary.affiliation.updated).toBe(1);
    expect(await relationship()).toMatchObject({
      status: 'DENIED',
      comments: 'b',
      custom_commission: 20,
      record_version: 7,
    });
  });

  it('is compared with what the ledger said last (recurring_payment)', async () => {
    await service.import([payment({ record_version: 5 })]);
    const cancel = await service.put('/v2.0/recurring_payment/PRE', key, { status: 'CANCEL' });
    expect(cancel.status).toBe(200);
    const canceled = await paid();
    expect(canceled).toMatchObject({ status: 'CANCELED', record_version: 5 });
    expect(
      (await imported([payment({ record_version: 5 })])).summary.recurring_payment,
    ).toMatchObject({ unchanged: 1, warnings: 1 });
    const asSet = payment({ record_version: 5, status: 'CANCELED' });
    expect((await imported([asSet])).summary.recurring_payment.rejected).toBe(1);
    expect(await paid()).toEqual(canceled);
    await service.import([payment({ record_version: 6, current_payments: 2 })]);
    expect(await paid()).toMatchObject({
      status: 'CANCELED',
      current_payments: 2,
      record_version: 6,
    });
  });

  it('takes the first record of a relationship that the API added', async () => {
    const path = `/v2.1/affiliates/${VENDOR}/products/${PRODUCT}`;
    await service.put(path, key, { approval_status: 'DENIED' });
    const first = affiliation(VENDOR, PRODUCT, { comments: 'first', record_version: 3 });
    expect((await imported([first])).summary.affiliation).toMatchObject({
      updated: 1,
      warnings: 1,
    });
    expect((await imported([first])).summary.affiliation).toMatchObject({ unchanged: 1 });
    const [row] = await ledger.rows(
      `SELECT status, comments, record_version FROM affiliations WHERE affiliate_id = ${VENDOR}`,
    );
    expect(row).toEqual({ status: 'DENIED', comments: 'first', record_version: 3 });
  });
});
