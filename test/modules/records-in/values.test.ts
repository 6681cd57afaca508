import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../../support/processes/cli.js';
import {
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { openRaw, type RawConnection } from '../../support/sql/raw-connection.js';
import { TestService } from '../../support/servers/service.js';
import { bytesOf, summaryOf } from '../../support/builders/test-ledger.js';

const MOST = '9999999999999.99';
const MOST_CENTS = 999_999_999_999_999;
const UNICODE = 'Zoë 🦊👩‍👩‍👧 漢字 עברית \u{10FFFF} e\u0301 \u0080 "\\\' %_ \u2028';
const LINES = `${'🦊'.repeat(15_996)}\t\r\n.`;
/** A name contains no control characters and no line breaks. */
const NAME = UNICODE.replace(/[\p{Cc}\u2028]/gu, '');
const PRE_KEYS = ['ABC', 'abc', 'ABC ', ' ABC', 'ÁBC', 'ABC\u0301', 'Å', 'A\u030a', 'ABC\u0080'];
/** A time in the form of a ledger, and in its stored and returned form. */
const MOMENTS = [
  ['before the gap of New York', '2025-03-09T01:59:59-05:00', '2025-03-09T06:59:59+00:00'],
  ['after the gap of New York', '2025-03-09T03:00:00-04:00', '2025-03-09T07:00:00+00:00'],
  ['that New York does not have', '2025-03-09T02:30:00Z', '2025-03-09T02:30:00+00:00'],
  ['in the fold of New York, first', '2025-11-02T01:30:00-04:00', '2025-11-02T05:30:00+00:00'],
  ['in the fold of New York, second', '2025-11-02T01:30:00-05:00', '2025-11-02T06:30:00+00:00'],
  ['that New York has twice', '2025-11-02T01:30:00+00:00', '2025-11-02T01:30:00+00:00'],
  ['with half an hour of offset', '2025-06-01T00:00:00+09:30', '2025-05-31T14:30:00+00:00'],
  ['with a fraction of a second', '2025-06-01T00:00:00.999Z', '2025-06-01T00:00:00+00:00'],
  ['on a leap day', '2024-02-29T23:59:59-00:00', '2024-02-29T23:59:59+00:00'],
  ['before 1970', '1969-12-31T23:59:59Z', '1969-12-31T23:59:59+00:00'],
  ['after 2038', '2038-01-19T03:14:08Z', '2038-01-19T03:14:08+00:00'],
  ['with an offset without a colon', '2025-06-01T14:03:11-0400', '2025-06-01T18:03:11+00:00'],
  ['with an offset of hours', '2025-06-01t14:03:11+02', '2025-06-01T12:03:11+00:00'],
  ['with spaces, in small letters', '2025-06-01 14:03:11 z', '2025-06-01T14:03:11+00:00'],
  ['without seconds', '2025-06-01T14:03Z', '2025-06-01T14:03:00+00:00'],
  ['of the last second', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59+00:00'],
] as const;

let service: TestService;
let raw: RawConnection;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  raw = await openRaw(service.database.url);
  const input = bytesOf([
    user(1),
    user(2, { display_name: NAME }),
    product(10, 1),
    ...PRE_KEYS.map((pre_key, index) => recurringPayment(pre_key, 10, { id: index + 1 })),
    ...MOMENTS.map(([, sale_date], index) => transaction(`moment-${index}`, 10, { sale_date })),
    transaction('most', 10, {
      amount: MOST,
      payouts: {
        seller_earnings: MOST,
        affiliate_payout: `-${MOST}`,
        agent_payout: '0.01',
        jv_payout: '-0.00',
        service_fee: '0000000000000000.10',
      },
      refund: refund('2025-06-02T00:00:00Z', {
        refund_amount: MOST,
        seller_refund_impact: `-${MOST}`,
      }),
      payout_items: [payoutItem(1, { payee_amount: MOST })],
      shipping_fee: '999999999.999999',
    }),
    transaction('unicode', 10, {
      product_name: UNICODE,
      affiliate_id: 2,
      customer: { email: UNICODE, first_name: '🦊'.repeat(255), last_name: '' },
      tracking: { custom: UNICODE, vtid: '', other_params: LINES },
    }),
    transaction('!~\'"%_\\;--', 10),
    transaction('case', 10),
    transaction('CASE', 10),
  ]);
  const { stderr } = await runCli(service.database.url, ['import', '-'], { input });
  if (stderr !== '') throw new Error(stderr);
  key = await service.key(1);
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

async function answered(id: string): Promise<Record<string, unknown> | undefined> {
  const path = `/v3.0/transactions/${encodeURIComponent(id)}`;
  return (await service.envelope(path, key)).results[0];
}

describe('A date-time with an offset', () => {
  it.each(MOMENTS)('is stored in UTC, to the second (%s: %s)', async (_name, sale_date, utc) => {
    const id = `moment-${MOMENTS.findIndex((moment) => moment[1] === sale_date)}`;
    expect((await answered(id))?.sale_date).toBe(utc);
    const [row] = await raw.rows(
      `SELECT sale_date FROM transactions WHERE transaction_id = '${id}'`,
    );
    expect(row?.sale_date).toBe(utc.replace('T', ' ').slice(0, 19));
  });
});

describe('Money', () => {
  it('is exact up to its limit of 13 digits before the point', async () => {
    const most = await answered('most');
    expect(most?.amount).toBe(MOST);
    expect(most?.payouts).toEqual({
      seller_earnings: MOST,
      affiliate_payout: `-${MOST}`,
      agent_payout: '0.01',
      jv_payout: '0.00',
      service_fee: '0.10',
    });
    expect(most?.refund).toMatchObject({ refund_amount: MOST, seller_refund_impact: `-${MOST}` });
  });

  it('is stored as an integer that no database rounds', async () => {
    const rows = await raw.rows(
      "SELECT amount, shipping_fee FROM transactions WHERE transaction_id = 'most'",
    );
    expect(rows).toEqual([{ amount: MOST_CENTS, shipping_fee: MOST_CENTS }]);
    expect(await raw.rows('SELECT payee_amount FROM payout_items')).toEqual([
      { payee_amount: MOST_CENTS },
    ]);
    const sums = await raw.rows(
      "SELECT CAST(amount - 1 AS CHAR) AS less FROM transactions WHERE transaction_id = 'most'",
    );
    expect(sums).toEqual([{ less: '999999999999998' }]);
  });
});

describe('Text', () => {
  it('is stored completely, including four-byte characters and the lines of other_params', async () => {
    expect(await answered('unicode')).toMatchObject({
      product_name: UNICODE,
      affiliate: { id: 2, display_name: NAME },
      customer: { email: UNICODE, first_name: '🦊'.repeat(255), last_name: '' },
      tracking: { custom: UNICODE, vtid: '', other_params: LINES, tid: null },
    });
  });
});

describe('A key', () => {
  it('of a recurring payment is compared byte for byte in the database', async () => {
    const rows = await raw.rows('SELECT pre_key, id FROM recurring_payments ORDER BY id');
    expect(rows).toEqual(PRE_KEYS.map((pre_key, index) => ({ pre_key, id: index + 1 })));
    for (const [index, pre_key] of ['ABC', 'abc', 'ABC '].entries()) {
      const where = `WHERE pre_key = '${pre_key}'`;
      expect(await raw.rows(`SELECT id FROM recurring_payments ${where}`)).toEqual([
        { id: index + 1 },
      ]);
    }
  });

  it('of a transaction is compared byte for byte in the database', async () => {
    const where = (id: string) =>
      `SELECT transaction_id FROM transactions WHERE transaction_id = '${id}'`;
    for (const id of ['case', 'CASE']) {
      expect(await raw.rows(where(id))).toEqual([{ transaction_id: id }]);
    }
    for (const id of ['Case', 'case ']) expect(await raw.rows(where(id))).toEqual([]);
  });

  it('of a transaction can contain any printable character', async () => {
    expect(await answered('!~\'"%_\\;--')).toMatchObject({ transaction_id: '!~\'"%_\\;--' });
  });

  it('is the same key when it is imported again', async () => {
    const input = bytesOf(
      PRE_KEYS.map((pre_key, index) => recurringPayment(pre_key, 10, { id: index + 1 })),
    );
    const result = await runCli(service.database.url, ['import', '-', '--json'], { input });
    expect(summaryOf(result).recurring_payment?.unchanged).toBe(PRE_KEYS.length);
  });
});
