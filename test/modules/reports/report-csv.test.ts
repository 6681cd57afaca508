/**
 * The download of a report: CSV with the transactions of the 3.0 list, which a spreadsheet opens
 * safely.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReportListsService } from '../../../src/modules/reports/lists/report-lists.service.js';
import type { ListRequest } from '../../../src/modules/reports/lists/report-list.model.js';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { recordsOf, rowsOfCsv } from '../../support/oracles/csv.js';
import { walkList, type Listed } from '../../support/oracles/report-oracle.js';
import { TestService } from '../../support/servers/service.js';
import { StatementLog, tablesOf } from '../../support/sql/statements.js';

const YEAR = { start_date: '2025-01-01', end_date: '2025-12-31' };
const MANY = 2_500;
/** Number of rows in a part of a download. */
const AT_A_TIME = 200;
/** The parts are the column names, the full parts, the remaining rows and the end. */
const PARTS = 3 + Math.floor(MANY / AT_A_TIME);
const VENDOR: ListRequest = {
  viewer: { role: 'vendor', user_id: 1 },
  ...YEAR,
  attribution: 'sale',
  kind: 'all',
};
/** Texts that a customer can send, each with its cell. */
const TEXTS = [
  ['=1+1', "'=1+1"],
  ['=1', "'=1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', "'\r=1"],
  ['\n=1', "'\n=1"],
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠1', "'＠1"],
  ['a=1', 'a=1'],
  ['', ''],
  ['Sørensen, "Ada"', 'Sørensen, "Ada"'],
  ['two\r\nlines', 'two\r\nlines'],
  ['a;b', 'a;b'],
  ["'", "'"],
] as const;

let service: TestService;
let lists: ReportListsService;

beforeAll(async () => {
  service = await TestService.start();
  lists = service.app.get(ReportListsService);
  await service.import([
    user(1),
    user(2),
    user(3, { display_name: '=Partner' }),
    product(10, 1),
    product(20, 2),
    ...TEXTS.map(([text], index) =>
      transaction(`text-${index}`, 10, {
        product_name: text,
        affiliate_id: 3,
        tracking: { vtid: text, other_params: text },
        customer: { email: text, first_name: text, last_name: text },
      }),
    ),
    transaction('-back', 10, {
      status: 'refunded',
      amount: '-18.80',
      affiliate_id: 3,
      refund: refund('2025-06-20T00:00:00Z', { affiliate_refund_impact: '-1.50' }),
    }),
    ...Array.from({ length: MANY }, (_, index) => transaction(`many-${index}`, 20)),
  ]);
});
afterAll(() => service.stop());

async function textOf(request: ListRequest): Promise<string> {
  let text = '';
  for await (const part of lists.csv(request)) text += part;
  return text;
}

/** Returns the file without its byte order mark. */
function unmarked(csv: string): string {
  expect(csv.startsWith('\ufeff')).toBe(true);
  expect(csv.endsWith('\r\n')).toBe(true);
  return csv.slice(1);
}

/** Returns the safe cell for a text. */
function cellOf(text: string | null): string {
  const known = TEXTS.find(([sent]) => sent === text);
  if (known !== undefined) return known[1];
  return text === '=Partner' || text === '-back' ? `'${text}` : (text ?? '');
}

/** Returns a date-time in a form that a spreadsheet recognizes. */
function dateCellOf(dateTime: string): string {
  return dateTime.slice(0, 19).replace('T', ' ');
}

function flat({ customer, affiliate, tracking, payouts, ...one }: Listed): Record<string, string> {
  const texts = (
    prefix: string,
    fields: Readonly<Record<string, string | null>>,
  ): Record<string, string> =>
    Object.fromEntries(
      Object.entries(fields).map(([name, text]) => [`${prefix}${name}`, cellOf(text)]),
    );
  const { refund_date, ...amounts } = one.refund ?? {};
  return {
    ...texts('', { transaction_id: one.transaction_id, product_name: one.product_name }),
    ...texts('customer_', customer),
    ...texts('affiliate_', { display_name: affiliate?.display_name ?? null }),
    ...texts('', tracking),
    ...payouts,
    ...amounts,
    'sale_date (UTC)': dateCellOf(one.sale_date),
    'refund_date (UTC)': refund_date === undefined ? '' : dateCellOf(refund_date),
    product_id: String(one.product_id),
    amount: one.amount,
    status: one.status,
    affiliate_id: String(affiliate?.id ?? ''),
  };
}

describe('The CSV of a vendor', () => {
  it('is the list of 3.0 in rows, every text harmless and every amount a number', async () => {
    const list = await walkList(service, await service.key(1), YEAR);
    const rows = rowsOfCsv(unmarked(await textOf(VENDOR)));
    expect(rows).toHaveLength(TEXTS.length + 1);
    list.forEach((one, index) => {
      expect(rows[index]).toMatchObject(flat(one));
    });
    const back = rows.find(({ transaction_id }) => transaction_id === "'-back");
    expect(back).toMatchObject({
      amount: '-18.80',
      status: 'refunded',
      'sale_date (UTC)': '2025-06-01 12:00:00',
      'refund_date (UTC)': '2025-06-20 00:00:00',
      affiliate_refund_impact: '-1.50',
    });
  });

  it('has the header alone where nothing was sold', async () => {
    const csv = await textOf({ ...VENDOR, viewer: { role: 'vendor', user_id: 3 } });
    expect(recordsOf(unmarked(csv))).toHaveLength(1);
    expect(csv).toMatch(
      /^\ufefftransaction_id,sale_date \(UTC\),product_id,product_name,amount,status,/,
    );
  });

  it('is read two hundred rows at a time, and no further than it is taken', async () => {
    const log = await StatementLog.of(service);
    const parts = lists.csv({ ...VENDOR, viewer: { role: 'vendor', user_id: 2 } });
    const sizes: number[] = [];
    const reads: number[] = [];
    for (let taken = 0; taken < PARTS; taken += 1) {
      const statements = await log.during(async () => {
        const part = await parts.next();
        if (part.done === true) return;
        sizes.push(recordsOf(part.value.replace('\ufeff', '')).length);
      });
      reads.push(statements.filter((sent) => tablesOf(sent).includes('transactions')).length);
    }
    const whole = Array.from({ length: Math.floor(MANY / AT_A_TIME) }, () => AT_A_TIME);
    expect(sizes).toEqual([1, ...whole, MANY % AT_A_TIME]);
    // Each part is a page, and a look at the subscriptions of its transactions.
    expect(reads).toEqual([0, ...whole.map(() => 2), 2, 0]);
  });
});

describe('The CSV of an affiliate', () => {
  it('shows nothing of the customer and of the vendor’s part', async () => {
    const csv = await textOf({ ...VENDOR, viewer: { role: 'affiliate', user_id: 3 } });
    const [header, ...records] = recordsOf(unmarked(csv));
    expect(header).toEqual([
      'transaction_id',
      'sale_date (UTC)',
      'product_name',
      'vendor_name',
      'amount',
      'status',
      'commission',
      'affiliate_commission_status',
      'in_period',
    ]);
    expect(records).toHaveLength(TEXTS.length + 1);
    expect(records[0]).toEqual([
      "'-back",
      '2025-06-01 12:00:00',
      'Product 10',
      'User 1',
      '-18.80',
      'refunded',
      '-1.50',
      'UNPAID',
      '-1.50',
    ]);
  });
});
