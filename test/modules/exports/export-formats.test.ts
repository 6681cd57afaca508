/** The export formats NDJSON, CSV and Parquet, and access to them (docs/exports.md). */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REFUND_AMOUNT_FIELDS } from '../../../src/ledger/columns.js';
import { ReportListsService } from '../../../src/modules/reports/lists/report-lists.service.js';
import {
  exportedLedger,
  EXPORTED,
  FORMULA,
  OTHERS,
  PERSONAL,
} from '../../support/builders/exported-ledger.js';
import { basic, type Answer } from '../../support/http/http.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { rowsOfCsv } from '../../support/oracles/csv.js';
import {
  decimalsInDictionaries,
  rewrittenByArrow,
  rewrittenByPolars,
  rowsOfHyparquet,
  rowsOfParquet,
} from '../../support/oracles/parquet.js';
import { walkList, type Listed } from '../../support/oracles/report-oracle.js';
import { TestService } from '../../support/servers/service.js';

const JUNE = { start_date: '2025-06-01', end_date: '2025-06-30' };
const ALL = { start_date: '1000-01-01', end_date: '9999-12-31' };
const IN_JUNE = '?start_date=2025-06-01&end_date=2025-06-30';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import(exportedLedger());
  key = await service.key(1);
});
afterAll(() => service.stop());

function exported(file: string, headers: Record<string, string> = {}): Promise<Answer> {
  return service.get(`/ledger/v1/transactions.${file}`, key, headers);
}

describe('an export', () => {
  it('is as CSV for programs: values unchanged, and date-times as in 3.0', async () => {
    const { headers, text } = await exported(`csv${IN_JUNE}`);
    const listed = await walkList(service, key, JUNE);
    expect(text).toMatch(/^transaction_id,sale_date,product_id,/);
    expect(rowsOfCsv(text)).toEqual(listed.map(cellsOf));
    expect(text).toContain(FORMULA);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(headers['x-ledger-count']).toBe(String(EXPORTED));
    expect((await exported(`csv${IN_JUNE}&csv=machine`)).text).toBe(text);
  });

  it('is as CSV for a spreadsheet what the account pages give', async () => {
    const { headers, text } = await exported(`csv${IN_JUNE}&csv=spreadsheet`);
    const counted = await exported(`csv${IN_JUNE}&csv=spreadsheet&figure=seller_earnings`);
    let ofPages = '';
    for await (const part of service.app.get(ReportListsService).csv({
      viewer: { role: 'vendor', user_id: 1 },
      ...JUNE,
      attribution: 'refund',
      kind: 'all',
    })) {
      ofPages += part;
    }
    expect(counted.text).toBe(ofPages);
    expect(rowsOfCsv(counted.text.slice(1))).toEqual(
      rowsOfCsv(text.slice(1)).map((row): unknown => ({
        ...row,
        kind: 'sale',
        currency: '',
        in_period: expect.stringMatching(/^-?\d+\.\d\d$/),
      })),
    );
    expect(text).toContain(`'${FORMULA}`);
    // An affiliate without a display name is shown by name, as on the pages.
    expect(text).toContain(',affiliate_id,affiliate_display_name,vtid,');
    expect(text.match(/,4,User 4,/g)).toHaveLength(OTHERS / 3);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(headers['x-ledger-count']).toBe(String(EXPORTED));
    expect(headers['x-ignored-parameters']).toBeUndefined();
  });

  it('is as Parquet a column for each field, exact', async () => {
    const { headers, body } = await exported(`parquet${IN_JUNE}`);
    const listed = await walkList(service, key, JUNE);
    const { rows, types } = await rowsOfParquet(
      body,
      `SELECT * EXCLUDE (sale_date, refund_date), epoch_ms(sale_date) AS sold,
        epoch_ms(refund_date) AS refunded FROM file`,
    );
    expect(rows).toEqual(listed.map(wantedOf));
    expect(types).toMatchObject({
      amount: 'DECIMAL(18,2)',
      service_fee_adjustment: 'DECIMAL(18,2)',
      sale_date: 'TIMESTAMP WITH TIME ZONE',
      product_id: 'BIGINT',
      custom: 'VARCHAR',
    });
    expect(headers['content-type']).toBe('application/vnd.apache.parquet');
    expect(headers['x-ledger-count']).toBe(String(listed.length));
  });

  it('is as Parquet the same to hyparquet, to arrow-rs and to polars', async () => {
    const { body } = await exported(`parquet${IN_JUNE}`);
    const listed = await walkList(service, key, JUNE);
    const rows = await rowsOfHyparquet(body);
    expect(rows).toHaveLength(listed.length);
    expect(rows.map(({ transaction_id, amount }) => [transaction_id, amount])).toEqual(
      listed.map(({ transaction_id, amount }) => [transaction_id, expect.closeTo(Number(amount))]),
    );
    expect(await rowsOfHyparquet(rewrittenByArrow(body))).toEqual(rows);
    expect(await rowsOfHyparquet(rewrittenByPolars(body))).toEqual(rows);
    expect(decimalsInDictionaries(body)).toEqual([]);
  });

  it.each(['ndjson', 'csv', 'parquet'])('may be empty, as %s', async (format) => {
    const query = '?start_date=2031-01-01&end_date=2031-12-31';
    const { status, headers, text, body } = await exported(`${format}${query}`);
    expect([status, headers['x-ledger-count']]).toEqual([200, '0']);
    if (format === 'ndjson') expect(text).toBe('');
    if (format === 'csv') expect(text.split('\r\n')).toHaveLength(2);
    if (format === 'parquet') {
      const { rows } = await rowsOfParquet(body, 'SELECT COUNT(*) AS count FROM file');
      expect(rows).toEqual([{ count: '0' }]);
      expect(await rowsOfHyparquet(body)).toEqual([]);
      expect(await rowsOfHyparquet(rewrittenByArrow(body))).toEqual([]);
      expect(await rowsOfHyparquet(rewrittenByPolars(body))).toEqual([]);
    }
  });

  it.each(['ndjson', 'csv'])('is compressed where that is asked for, as %s', async (format) => {
    const plain = await exported(`${format}${IN_JUNE}`);
    const zipped = await exported(`${format}${IN_JUNE}`, { 'Accept-Encoding': 'gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(zipped.headers.vary).toContain('Accept-Encoding');
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
  });

  it('answers HEAD with its headers alone', async () => {
    const path = `/ledger/v1/transactions.csv${IN_JUNE}`;
    const { status, headers, body } = await service.send({
      method: 'HEAD',
      path,
      headers: basic(key),
    });
    expect([status, body.length]).toEqual([200, 0]);
    expect(headers['x-ledger-count']).toBe(String(EXPORTED));
  });

  it.each(['ndjson', 'csv', 'parquet'])(
    'has nothing of persons if masked, as %s',
    async (format) => {
      const masked = await service.key(1, 'masked');
      const { status, body } = await service.get(`/ledger/v1/transactions.${format}`, masked);
      expect(status).toBe(200);
      for (const word of PERSONAL) expect(body.includes(word)).toBe(false);
      if (format === 'ndjson') {
        const listed = await walkList(service, masked, ALL);
        expect(body.toString()).toBe(listed.map((each) => `${JSON.stringify(each)}\n`).join(''));
      }
    },
  );

  it('is for all who may read', async () => {
    const path = '/ledger/v1/transactions.ndjson';
    expectFailure(await service.send({ path }), 4010, 'ledger-1');
    expectFailure(await service.get(path, await service.sourceKey(1)), 4030, 'ledger-1');
    expect((await service.get(path, await service.key(1, 'read'))).status).toBe(200);
    const other = await service.get(path, await service.key(2));
    expect(other.text.trim().split('\n')).toHaveLength(1);
  });
});

describe('a bad request', () => {
  it('for another style of CSV is told the styles, which other formats ignore', async () => {
    const refused = await exported('csv?csv=excel');
    expectFailure(refused, 4001, 'ledger-1');
    expect(refused.text).toContain('csv must be one of spreadsheet, machine');
    expect((await exported('ndjson?csv=excel')).headers['x-ignored-parameters']).toBe('csv');
  });

  it.each([
    ['?start_date=2025-06-01', 'end_date must be a date'],
    ['?end_date=2025-06-01', 'start_date must be a date'],
    ['?start_date=2025-06-02&end_date=2025-06-01', 'end_date must be on or after start_date'],
    ['?start_date=2025-02-30&end_date=2025-06-01', 'start_date must be a date'],
  ])('%s is told so', async (query, detail) => {
    for (const format of ['ndjson', 'csv', 'parquet']) {
      const answer = await exported(`${format}${query}`);
      expectFailure(answer, 4001, 'ledger-1');
      expect(answer.text).toContain(detail);
    }
  });

  it('for another format is not found', async () => {
    expectFailure(await exported('xlsx'), 4040, 'ledger-1');
  });
});

/** Returns the row of the CSV for programs that belongs to a transaction of the list. */
function cellsOf({ customer, affiliate, tracking, payouts, refund: back, ...one }: Listed) {
  const texts = Object.entries(tracking).map(([name, text]) => [name, text ?? ''] as const);
  const noRefund = ['refund_date', ...REFUND_AMOUNT_FIELDS].map((name) => [name, ''] as const);
  return {
    ...one,
    product_id: String(one.product_id),
    customer_email: customer.email,
    customer_first_name: customer.first_name,
    customer_last_name: customer.last_name,
    affiliate_id: String(affiliate?.id ?? ''),
    affiliate_display_name: affiliate?.display_name ?? (affiliate && `User ${affiliate.id}`) ?? '',
    ...Object.fromEntries(texts),
    ...payouts,
    ...(back ?? Object.fromEntries(noRefund)),
  };
}

/**
 * Returns a transaction of the list in the form of the columns, with date-times as text with
 * milliseconds.
 */
function wantedOf({ customer, affiliate, tracking, payouts, refund: back, ...one }: Listed) {
  const { refund_date = null, ...amounts } = back ?? {};
  const noAmounts = Object.fromEntries(REFUND_AMOUNT_FIELDS.map((name) => [name, null]));
  const { sale_date, product_id, ...rest } = one;
  return {
    ...rest,
    product_id: String(product_id),
    sold: String(Date.parse(sale_date)),
    customer_email: customer.email,
    customer_first_name: customer.first_name,
    customer_last_name: customer.last_name,
    affiliate_id: affiliate === null ? null : String(affiliate.id),
    affiliate_display_name: affiliate?.display_name ?? (affiliate && `User ${affiliate.id}`),
    ...tracking,
    ...payouts,
    ...noAmounts,
    ...amounts,
    refunded: refund_date === null ? null : String(Date.parse(refund_date)),
  };
}
