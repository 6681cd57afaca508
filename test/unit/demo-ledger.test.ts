import { describe, expect, it } from '@jest/globals';
import { demoLedger } from '../../src/modules/demo/demo-ledger.js';

type Fields = Readonly<Record<string, unknown>>;
const NOW = new Date('2025-06-15T13:45:00Z');
const records: readonly Fields[] = [...demoLedger(NOW)];
const ofType = (type: string) => records.filter((record) => record.type === type);
const transactions = ofType('transaction');
const partOf = (record: Fields, name: string): Fields => {
  const part = record[name];
  return typeof part === 'object' && part !== null ? { ...part } : {};
};
const refunded = transactions.filter(({ refund }) => refund !== null);
const cents = (value: unknown): number => Math.round(Number(value) * 100);
const timeOf = (value: unknown): number => Date.parse(String(value));

describe('the demo ledger', () => {
  it('is the same at every time of a day', () => {
    expect([...demoLedger(new Date('2025-06-15T00:00:00Z'))]).toEqual(records);
    expect([...demoLedger(new Date('2025-06-15T23:59:59.999Z'))]).toEqual(records);
  });

  it('follows the day', () => {
    expect([...demoLedger(new Date('2025-06-16T00:00:00Z'))]).not.toEqual(records);
  });

  it('has 3 vendors, each with products of its own', () => {
    expect(new Set(ofType('product').map(({ vendor_id }) => vendor_id)).size).toBe(3);
  });

  it('has 40 affiliates, some without a display name', () => {
    const vendors = new Set(ofType('product').map(({ vendor_id }) => vendor_id));
    const affiliates = ofType('user').filter(({ id }) => !vendors.has(id));
    expect(affiliates).toHaveLength(40);
    expect(new Set(affiliates.map(({ display_name }) => display_name === null)).size).toBe(2);
  });

  it('has 4,000 to 6,000 transactions, each under a key of its own', () => {
    expect(transactions.length).toBeGreaterThanOrEqual(4_000);
    expect(transactions.length).toBeLessThanOrEqual(6_000);
    const ids = new Set(transactions.map(({ transaction_id }) => transaction_id));
    expect(ids.size).toBe(transactions.length);
  });

  it('has sales of the last 400 days alone, and none to come', () => {
    const oldest = NOW.getTime() - 401 * 86_400_000;
    const outside = transactions.filter(
      ({ sale_date }) => timeOf(sale_date) < oldest || timeOf(sale_date) > NOW.getTime(),
    );
    expect(outside).toEqual([]);
  });

  it('has sales of every vendor, in each month', () => {
    const vendorOf = new Map(ofType('product').map(({ id, vendor_id }) => [id, vendor_id]));
    const months = new Set(
      transactions.map(
        ({ sale_date, product_id }) =>
          `${String(sale_date).slice(0, 7)} ${String(vendorOf.get(product_id))}`,
      ),
    );
    expect(months.size).toBeGreaterThanOrEqual(3 * 13);
  });

  it('shares each amount out, to the cent', () => {
    const wrong = transactions.filter((record) => {
      const parts = Object.values(partOf(record, 'payouts')).map(cents);
      return parts.reduce((sum, part) => sum + part, 0) !== cents(record.amount);
    });
    expect(wrong).toEqual([]);
  });

  it('takes back at a refund no more than was shared out, and gives back no more than was paid', () => {
    const wrong = refunded.filter((record) => {
      const refund = partOf(record, 'refund');
      const taken =
        cents(refund.seller_refund_impact) + cents(partOf(record, 'payouts').seller_earnings);
      return taken < 0 || cents(refund.refund_amount) > cents(record.amount);
    });
    expect(wrong).toEqual([]);
  });

  it('has refunds that lie after their sales and not to come', () => {
    expect(refunded.length).toBeGreaterThan(50);
    const wrong = refunded.filter((record) => {
      const at = timeOf(partOf(record, 'refund').refund_date);
      return at < timeOf(record.sale_date) || at > NOW.getTime();
    });
    expect(wrong).toEqual([]);
  });

  it('has a refund where the status says so, and nowhere else', () => {
    const wrong = transactions.filter(
      ({ status, refund }) =>
        (status === 'refunded' || status === 'charged_back') !== (refund !== null),
    );
    expect(wrong).toEqual([]);
  });

  it('shows every status', () => {
    expect(new Set(transactions.map(({ status }) => status))).toEqual(
      new Set(['pending', 'completed', 'refunded', 'charged_back']),
    );
  });

  it('shows sales with and without an affiliate, and partial refunds', () => {
    expect(transactions.some(({ affiliate_id }) => affiliate_id === null)).toBe(true);
    expect(transactions.some(({ affiliate_id }) => typeof affiliate_id === 'number')).toBe(true);
    const isPartial = (record: Fields) => partOf(record, 'refund').refund_amount !== record.amount;
    expect(refunded.some(isPartial)).toBe(true);
  });

  it('has recurring payments with payments of theirs, in every state', () => {
    expect(new Set(ofType('recurring_payment').map(({ status }) => status))).toEqual(
      new Set(['ACTIVE', 'CANCELED', 'COMPLETED']),
    );
    const paid = new Set(transactions.map(({ pre_key }) => pre_key));
    expect(ofType('recurring_payment').filter(({ pre_key }) => !paid.has(pre_key))).toEqual([]);
  });

  it('has relationships in every state', () => {
    expect(new Set(ofType('affiliation').map(({ status }) => status))).toEqual(
      new Set(['REQUESTED', 'APPROVED', 'DENIED']),
    );
  });

  it('has clicks, of which no more are unique than there are', () => {
    expect(ofType('clicks').length).toBeGreaterThan(100);
    const wrong = ofType('clicks').filter(
      ({ clicks, unique_clicks }) => Number(unique_clicks) > Number(clicks),
    );
    expect(wrong).toEqual([]);
  });

  it('names no address that could be somebody', () => {
    const addresses = JSON.stringify(records).match(/[\w.]+@[\w.]+/g) ?? [];
    expect(addresses.filter((address) => !/\.(example|test)$/.test(address))).toEqual([]);
  });
});
