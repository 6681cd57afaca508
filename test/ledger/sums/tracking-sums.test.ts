/** Sales by tracking field equal the ledger, whatever sequence of changes led to it. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Attribution } from '../../../src/modules/reports/report.model.js';
import type {
  TrackingReport,
  TrackingRequest,
} from '../../../src/modules/reports/tracking/tracking-report.model.js';
import { TrackingReportService } from '../../../src/modules/reports/tracking/tracking-report.service.js';
import { VerificationService } from '../../../src/modules/verification/verification.service.js';
import { TrackingBounds } from '../../../src/ledger/sums/tracking-sums.js';
import type { TrackedField } from '../../../src/ledger/sums/kept-sums.model.js';
import { TransactionWritesService } from '../../../src/ledger/writes/transaction-writes.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import {
  figuresByValue,
  NOTHING,
  sumOf,
  type TrackedFigures,
  type TrackedLine,
} from '../../support/oracles/tracking-oracle.js';
import { holds } from '../../support/random/properties.js';
import { TestService } from '../../support/servers/service.js';
import { openRaw, type RawConnection, type RawRow } from '../../support/sql/raw-connection.js';
import { fillTrackingSums } from '../../support/sql/tracking-sums.js';

const LEDGERS = 60;
const VALUES = 4;
const WAITING = 6;
const FIELDS = ['tid', 'sub_id5', 'utm_source'] as const;
const DAYS = [
  '2024-02-29',
  '2024-03-01',
  '2024-03-15',
  '2024-03-31',
  '2024-04-01',
  '2024-04-20',
  '2024-12-31',
  '2025-01-01',
] as const;
const TEXTS = ['a', 'A', 'a ', '', 'é🙂', "O'Brien; --", '%', 'x'.repeat(300), '🙂'.repeat(255)];

const day = fc.constantFrom(...DAYS);
const sale = fc.record({
  place: fc.nat({ max: 9 }),
  day,
  time: fc.constantFrom('00:00:00', '23:59:59'),
  amount: fc.constantFrom('47.00', '0.01', '-3.00', '9999999999999.99'),
  status: fc.constantFrom('completed', 'completed', 'refunded', 'charged_back', 'pending'),
  refunded: fc.option(day),
  tracking: fc.option(
    fc.record(
      Object.fromEntries(FIELDS.map((field) => [field, fc.option(fc.constantFrom(...TEXTS))])),
      { requiredKeys: [] },
    ),
  ),
});
const ledgers = fc.record({
  batches: fc.array(fc.array(sale, { minLength: 1, maxLength: 8, size: 'max' }), {
    minLength: 1,
    maxLength: 4,
    size: 'max',
  }),
  range: fc.tuple(day, day),
  field: fc.constantFrom<TrackedField>(...FIELDS),
  attribution: fc.constantFrom<Attribution>('sale', 'refund'),
});

let service: TestService;
let raw: RawConnection;
let reports: TrackingReportService;
let made = 0;
beforeAll(async () => {
  service = await TestService.start();
  raw = await openRaw(service.database.url);
  reports = service.app.get(TrackingReportService);
  // The bounds are so low that random ledgers reach them.
  Object.assign(service.app.get(TrackingBounds), { values: VALUES, waiting: WAITING });
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

type Sale = typeof sale extends fc.Arbitrary<infer Made> ? Made : never;

function lineOf(vendor_id: number, sold: Sale): TrackedLine {
  const { place, day: sale_day, time, amount, status, refunded, tracking } = sold;
  const date = refunded !== null && refunded >= sale_day ? refunded : null;
  return transaction(`${vendor_id}-${place}`, vendor_id, {
    sale_date: `${sale_day}T${time}Z`,
    amount,
    status,
    tracking,
    ...(date === null ? {} : { refund: refund(`${date}T23:59:59Z`) }),
  });
}

function differences() {
  return service.app.get(VerificationService).differences();
}

function shown(figures: TrackingReport['total'] | null): TrackedFigures {
  if (figures === null) return NOTHING;
  const { sales, gross, refunds, chargebacks, earnings } = figures;
  return {
    sales,
    gross,
    earnings,
    refunds: refunds.transactions,
    chargebacks: chargebacks.transactions,
  };
}

/** Expects that every amount and count is exact, and that each sale is in one line. */
function expectReport(
  report: TrackingReport,
  expected: ReadonlyMap<string | null, TrackedFigures>,
): void {
  const none = expected.get(null) ?? NOTHING;
  const all = sumOf([...expected.values()], 1);
  expect(shown(report.total)).toEqual(all);
  expect(shown(report.none)).toEqual(none);
  for (const { value, figures } of report.lines) {
    expect([value, shown(figures)]).toEqual([value, expected.get(value) ?? NOTHING]);
  }
  const lines = report.lines.map(({ figures }) => shown(figures));
  expect(shown(report.other)).toEqual(sumOf([all, sumOf([none, ...lines], -1)], 1));
  const gross = lines.map((line) => line.gross);
  expect(gross).toEqual([...gross].sort((left, right) => (left < right ? 1 : -1)));
  const withSales = [...expected].filter(
    ([value, { sales }]) =>
      value !== null && value.length <= 510 && value !== 'x'.repeat(300) && sales > 0,
  );
  if (report.mostValues === null) {
    expect(report.lines.map(({ value }) => value).sort()).toEqual(
      withSales.map(([value]) => String(value)).sort(),
    );
  } else {
    expect(report.mostValues).toBe(VALUES);
    expect(report.lines.length).toBeLessThanOrEqual(VALUES);
  }
}

async function stored(): Promise<RawRow[]> {
  return raw.rows(`SELECT s.vendor_id, s.series, s.kind, s.day, v.value, CAST(s.transactions AS CHAR) AS transactions,
      CAST(s.amount AS CHAR) AS amount, CAST(s.earnings AS CHAR) AS earnings
    FROM tracking_sums s LEFT JOIN tracking_values v ON v.vendor_id = s.vendor_id
      AND v.id = s.value_id AND s.series IN (v.field, ${concat('v.field', "'_month'")}, ${concat('v.field', "'_year'")})
    ORDER BY s.vendor_id, s.series, s.kind, s.day, v.value`);
}

function concat(left: string, right: string): string {
  return service.database.url.startsWith('sqlite')
    ? `${left} || ${right}`
    : `CONCAT(${left}, ${right})`;
}

/** Returns a report, which has kept sums. */
async function reportOf(request: TrackingRequest): Promise<TrackingReport> {
  const report = await reports.report(request);
  if (typeof report === 'number') throw new Error(`${report} sales would be read`);
  return report;
}

describe('Sales by tracking field', () => {
  it('match the ledger after any imports and changes, whatever waits or has no room', async () => {
    let full = 0;
    await holds(
      fc.asyncProperty(ledgers, async ({ batches, range, field, attribution }) => {
        made += 1;
        const vendor_id = made * 10;
        await service.import([user(vendor_id), product(vendor_id, vendor_id)]);
        const ledger = new Map<string, TrackedLine>();
        for (const batch of batches) {
          const lines = batch.map((sold) => lineOf(vendor_id, sold));
          await service.import(lines);
          for (const line of lines) ledger.set(line.transaction_id, line);
        }
        const [start_date = '', end_date = ''] = [...range].sort();
        const request = { vendor_id, field, attribution, start_date, end_date };
        const report = await reportOf({ ...request, filter: {} });
        expectReport(report, figuresByValue([...ledger.values()], request));
        full += Number(report.mostValues !== null);
      }),
      { numRuns: LEDGERS, atLeast: 10 },
    );
    expect(full).toBeGreaterThan(0);
    expect(await differences()).toEqual([]);
    const [tracked] = await raw.rows(`SELECT COUNT(*) AS count FROM ledger_revisions
      WHERE tracked_sequence > 0 AND tracked_sequence < last_sequence`);
    expect(Number(tracked?.count)).toBeGreaterThan(0);
  });

  it('stay exact if sales of one second change their places', async () => {
    const vendor_id = 900_010;
    const ids = Array.from({ length: 8 }, (_, place) => `reordered-${place}`);
    await service.import([
      user(vendor_id),
      product(vendor_id, vendor_id),
      ...ids.map((id, at) => transaction(id, vendor_id, { tracking: { tid: `t${at % 3}` } })),
    ]);
    await service.app
      .get(Database)
      .write((session) =>
        service.app.get(TransactionWritesService).reorder(session, vendor_id, [[...ids].reverse()]),
      );
    const request = { vendor_id, field: 'tid', attribution: 'refund' } as const;
    const report = await reportOf({
      ...request,
      filter: {},
      start_date: '2025-06-01',
      end_date: '2025-06-30',
    });
    expect(report.lines.map(({ value, figures }) => [value, figures.sales])).toEqual([
      ['t0', 3],
      ['t1', 3],
      ['t2', 2],
    ]);
    expect(await differences()).toEqual([]);
  });

  it('are compared by verify, each figure by itself', async () => {
    const where = "vendor_id = 900010 AND series = 'tid' AND value_id = 1 AND kind = 'sale'";
    for (const figure of ['transactions', 'amount', 'earnings']) {
      await raw.run(`UPDATE tracking_sums SET ${figure} = ${figure} + 1 WHERE ${where}`);
      const found = await differences();
      await raw.run(`UPDATE tracking_sums SET ${figure} = ${figure} - 1 WHERE ${where}`);
      expect(found.map(({ figure: name, kept, actual }) => [name, kept - actual])).toEqual([
        [`${figure} of vendor's tracking, kind, day, value 900010, tid, sale, 2025-06-01, 1`, 1],
      ]);
    }
  });

  it('are compared with the ledger at one moment, while sales are added', async () => {
    const verification = service.app.get(VerificationService);
    const found: unknown[] = [];
    const imported = { isEnded: false };
    const compared = (async () => {
      while (!imported.isEnded) {
        found.push(...(await verification.differences()));
        await yieldToOthers();
      }
    })();
    const vendor_id = 900_030;
    await service.import([user(vendor_id), product(vendor_id, vendor_id)]);
    for (let number = 0; number < 40; number += 1) {
      const added = Array.from({ length: 5 }, (_, at) =>
        transaction(`MEANWHILE-${number}-${at}`, vendor_id, { tracking: { tid: `t${at}` } }),
      );
      await service.import(added);
    }
    imported.isEnded = true;
    await compared;
    expect(found).toEqual([]);
  });

  it('have all sales at the end of an import, unless few wait', async () => {
    Object.assign(service.app.get(TrackingBounds), {
      values: 2_000,
      waiting: 50,
      waitingAtEnd: 10,
    });
    const vendor_id = 900_040;
    const waiting = async () =>
      raw.rows(
        `SELECT last_sequence - tracked_sequence AS waiting FROM ledger_revisions
          WHERE vendor_id = ${vendor_id}`,
      );
    const sales = Array.from({ length: 14 }, (_, at) =>
      transaction(`END-${at}`, vendor_id, { tracking: { tid: `t${at}` } }),
    );
    await service.import([user(vendor_id), product(vendor_id, vendor_id), ...sales.slice(0, 10)]);
    expect(await waiting()).toEqual([{ waiting: 0 }]);
    await service.import(sales.slice(10));
    expect(await waiting()).toEqual([{ waiting: 4 }]);
    expect(await differences()).toEqual([]);
  });

  it('are the same from one calculation in SQL as from imports', async () => {
    Object.assign(service.app.get(TrackingBounds), { values: 2_000, waiting: 1 });
    const vendor_id = 900_020;
    await service.import([user(vendor_id), product(vendor_id, vendor_id)]);
    const sales = Array.from({ length: 40 }, (_, place) => ({
      place,
      day: DAYS[place % 8] ?? DAYS[0],
      time: '12:00:00',
      amount: '47.00',
      status: ['completed', 'refunded', 'charged_back', 'pending'][place % 4] ?? '',
      refunded: place % 3 === 0 ? ('2025-01-01' as const) : null,
      tracking: { tid: TEXTS[place % TEXTS.length] ?? null, sub_id5: place % 5 === 0 ? 'b' : null },
    }));
    await service.import(sales.map((sold) => lineOf(vendor_id, sold as Sale)));
    const ofVendor = async () => (await stored()).filter((row) => row.vendor_id === vendor_id);
    const imported = await ofVendor();
    expect(imported.length).toBeGreaterThan(60);
    await fillTrackingSums(raw);
    expect(await ofVendor()).toEqual(imported);
    expect(await differences()).toEqual([]);
  });
});
