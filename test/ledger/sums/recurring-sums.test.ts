/**
 * The lists and counts of subscriptions equal the ledger, whatever sequence of changes led to it.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  RECURRING_LISTS,
  STATUS_OF_LIST,
  type ListedPayment,
  type RecurringList,
} from '../../../src/modules/recurring/list/recurring-list.model.js';
import { RecurringCancelService } from '../../../src/modules/recurring/cancel/recurring-cancel.service.js';
import { RecurringListsService } from '../../../src/modules/recurring/list/recurring-lists.service.js';
import { VerificationService } from '../../../src/modules/verification/verification.service.js';
import { product, recurringPayment, user } from '../../support/builders/ledger-records.js';
import { holds } from '../../support/random/properties.js';
import { onOneDay } from '../../support/processes/one-day.js';
import { TestService } from '../../support/servers/service.js';
import { openRaw, type RawConnection, type RawRow } from '../../support/sql/raw-connection.js';

const LEDGERS = 40;
const PAYMENTS = 12;
const DAY_MS = 86_400_000;
/** Many payments have the same second, so that the key decides their order. */
const TIMES = [0, 0, 12 * 3_600_000 + 1_000];

/** Status texts of a ledger, each with the status that it means. */
const MEANING: Readonly<Record<string, string>> = {
  ACTIVE: 'ACTIVE',
  ' active ': 'ACTIVE',
  CANCELED: 'CANCELED',
  Canceled: 'CANCELED',
  COMPLETED: 'COMPLETED',
  DISABLED: 'OTHER',
};

const change = fc.record({
  place: fc.nat({ max: PAYMENTS - 1 }),
  status: fc.constantFrom(...Object.keys(MEANING)),
  next: fc.option(fc.integer({ min: -3, max: 33 })),
  created: fc.integer({ min: -5, max: 0 }),
  time: fc.nat({ max: TIMES.length - 1 }),
  price: fc.constantFrom('47.00', '0.01', '9999999999999.99'),
  vendor: fc.nat({ max: 1 }),
});
const ledgers = fc.record({
  first: fc.array(change, { minLength: 1, maxLength: 20, size: 'max' }),
  later: fc.array(change, { maxLength: 8 }),
  canceled: fc.array(fc.nat({ max: PAYMENTS - 1 }), { maxLength: 3 }),
});

let service: TestService;
let raw: RawConnection;
let lists: RecurringListsService;
let made = 0;
beforeAll(async () => {
  service = await TestService.start();
  raw = await openRaw(service.database.url);
  lists = service.app.get(RecurringListsService);
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

/** Two vendors with a product each. A record may move a payment from one to the other. */
class TwoVendors {
  readonly vendors: readonly [number, number];

  constructor(number: number) {
    this.vendors = [number * 10 + 1, number * 10 + 2];
  }

  parties(): object[] {
    return this.vendors.flatMap((id) => [user(id), product(id, id, { name: `Product ${id}` })]);
  }

  line({
    place,
    status,
    next,
    created,
    time,
    price,
    vendor,
  }: typeof change extends fc.Arbitrary<infer C> ? C : never) {
    const at = (days: number) => {
      const day = Math.floor(Date.now() / DAY_MS) + days;
      return new Date(day * DAY_MS + (TIMES[time] ?? 0)).toISOString();
    };
    return recurringPayment(this.key(place), this.vendors[vendor === 0 ? 0 : 1], {
      id: place + 1,
      status,
      price,
      created: at(created),
      // `next_date` determines the day of the next payment, and this field does not.
      next_payment: at(0),
      next_date: next === null ? null : at(next),
    });
  }

  /** Returns keys that differ by case and by a space. */
  key(place: number): string {
    const key = `${this.vendors[0]}-${'ab'[place % 2] ?? ''}${String(Math.floor(place / 2))}`;
    return place % 3 === 0 ? key.toUpperCase() : place % 3 === 1 ? `${key} ` : `${key}/é`;
  }
}

function differences() {
  return service.app.get(VerificationService).differences();
}

async function storedOf(vendor_id: number): Promise<RawRow[]> {
  return raw.rows(`SELECT r.pre_key, COALESCE(r.status_word, r.status) AS word, r.next_date, r.created, r.price
    FROM recurring_payments r JOIN products p ON p.id = r.product_id WHERE p.vendor_id = ${vendor_id}`);
}

/** Returns the keys of a list in the expected order. */
function orderOf(stored: readonly RawRow[], list: RecurringList): string[] {
  const sign = list === 'active' ? 1 : -1;
  // Payments without a date come after all others.
  const at = (row: RawRow) => (list === 'active' ? (row.next_date ?? 'none') : row.created);
  const byBytes = (one: unknown, other: unknown) =>
    Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
  return stored
    .filter(({ word }) => MEANING[String(word)] === STATUS_OF_LIST[list])
    .sort(
      (one, other) => sign * (byBytes(at(one), at(other)) || byBytes(one.pre_key, other.pre_key)),
    )
    .map(({ pre_key }) => String(pre_key));
}

function dueOf(stored: readonly RawRow[], isDue: (day: string) => boolean) {
  const due = stored.filter(
    ({ word, next_date }) =>
      MEANING[String(word)] === 'ACTIVE' &&
      next_date !== null &&
      isDue(String(next_date).slice(0, 10)),
  );
  return {
    agreements: due.length,
    amount: due.reduce((sum, { price }) => sum + BigInt(price ?? 0), 0n),
  };
}

const keyIn = ({ pre_key }: ListedPayment) => pre_key;

function expectLists(vendor_id: number): Promise<void> {
  return onOneDay(async (today) => {
    const stored = await storedOf(vendor_id);
    const counts = await lists.counts(vendor_id);
    for (const list of RECURRING_LISTS) {
      const order = orderOf(stored, list);
      expect(counts[list]).toBe(order.length);
      expect((await lists.page(vendor_id, list, null)).payments.map(keyIn)).toEqual(order);
    }
    const day = (after: number) =>
      new Date(Date.parse(today) + after * DAY_MS).toISOString().slice(0, 10);
    const { upcoming } = await lists.overview(vendor_id);
    const { days, total, overdue } = upcoming;
    const month = Array.from({ length: 30 }, (_, index) => day(index));
    const expected = month.map((each) => ({ day: each, ...dueOf(stored, (due) => due === each) }));
    expect(days).toEqual(expected.filter(({ agreements }) => agreements > 0));
    expect(total).toEqual(dueOf(stored, (due) => month.includes(due)));
    expect(overdue).toEqual(dueOf(stored, (due) => due < today));
  });
}

async function sums(): Promise<RawRow[]> {
  return raw.rows(`SELECT vendor_id, status, day, CAST(agreements AS CHAR) AS agreements,
    CAST(amount AS CHAR) AS amount FROM recurring_sums ORDER BY vendor_id, status, day`);
}

describe('The lists of recurring payments', () => {
  it('match the ledger after any imports and cancels', async () => {
    await holds(
      fc.asyncProperty(ledgers, async ({ first, later, canceled }) => {
        made += 1;
        const two = new TwoVendors(made);
        await service.import([...two.parties(), ...first.map((each) => two.line(each))]);
        for (const place of canceled) {
          for (const user_id of two.vendors) {
            const by = { user_id, application_id: 0 };
            const cancel = service.app.get(RecurringCancelService).cancel(by, two.key(place));
            await cancel.catch(() => undefined);
          }
        }
        await service.import(later.map((each) => two.line(each)));
        for (const vendor_id of two.vendors) await expectLists(vendor_id);
      }),
      { numRuns: LEDGERS },
    );
    expect(await differences()).toEqual([]);
  });

  it('are the same from one calculation in SQL as from imports', async () => {
    const imported = await sums();
    expect(imported.length).toBeGreaterThan(made);
    await raw.run('DELETE FROM recurring_sums');
    expect((await differences()).length).toBeGreaterThan(made);
    const day = "COALESCE(DATE(next_date), '9999-12-31')";
    await raw.run(
      `INSERT INTO recurring_sums (vendor_id, status, day, agreements, amount)
         SELECT vendor_id, status, ${day}, COUNT(*), SUM(price)
         FROM recurring_payments GROUP BY vendor_id, status, ${day}`,
    );
    expect(await sums()).toEqual(imported);
    expect(await differences()).toEqual([]);
  });

  it('page through payments of one second, forwards and backwards, each once', async () => {
    // There are 100 payments in one second, 10 a day later, and 60 without a date.
    const [vendor_id, size] = [900_001, 170];
    const dates = (index: number) =>
      index < 100 ? '2025-07-01T00:00:00Z' : index < 110 ? '2025-07-02T00:00:00Z' : null;
    const keys = Array.from({ length: size }, (_, index) => `PAGE-${index}`);
    await service.import([
      user(vendor_id),
      product(vendor_id, vendor_id),
      ...keys.map((key, index) =>
        recurringPayment(key, vendor_id, {
          id: index + 1,
          next_date: dates(index),
        }),
      ),
    ]);
    const order = orderOf(await storedOf(vendor_id), 'active');
    const pages = [await lists.page(vendor_id, 'active', null)];
    for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) {
      pages.push(await lists.page(vendor_id, 'active', next));
    }
    expect(pages.map(({ payments }) => payments.length)).toEqual([50, 50, 50, 20]);
    expect(pages.flatMap(({ payments }) => payments.map(keyIn))).toEqual(order);
    let back = pages.at(-1);
    for (const from of [100, 50, 0]) {
      back = await lists.page(vendor_id, 'active', back?.previous ?? null);
      expect(back.payments.map(keyIn)).toEqual(order.slice(from, from + 50));
    }
    expect(back?.previous).toBeNull();
    expect(pages[0]?.previous).toBeNull();
  });

  it('are compared by verify, each figure by itself', async () => {
    const where = "vendor_id = 900001 AND status = 'ACTIVE' AND day = '2025-07-01'";
    const of = (figure: string) =>
      `${figure} of vendor's recurring payments, status, day of the next payment 900001, ACTIVE, 2025-07-01`;
    for (const figure of ['agreements', 'amount']) {
      await raw.run(`UPDATE recurring_sums SET ${figure} = ${figure} + 1 WHERE ${where}`);
      const found = await differences();
      await raw.run(`UPDATE recurring_sums SET ${figure} = ${figure} - 1 WHERE ${where}`);
      expect(found.map(({ figure: name, kept, actual }) => [name, kept - actual])).toEqual([
        [of(figure), 1],
      ]);
    }
    await raw.run("UPDATE recurring_payments SET vendor_id = 1 WHERE pre_key = 'PAGE-1'");
    expect(await differences()).toEqual([
      { figure: 'recurring payments without their vendor_id of vendor 900001', kept: 1, actual: 0 },
    ]);
    await raw.run("UPDATE recurring_payments SET vendor_id = 900001 WHERE pre_key = 'PAGE-1'");
  });
});
