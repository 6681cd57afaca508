import { describe, expect, it } from '@jest/globals';
import { demoLedger } from '../../../src/modules/demo/demo-ledger.js';
import { LAUNCH_BEGINS, WAVE_AFFILIATE_ID } from '../../../src/modules/demo/demo-people.js';
import {
  DEMO_PRODUCTS,
  DEMO_VENDOR_ID,
  LAUNCHED,
} from '../../../src/modules/demo/demo-products.js';
import { readmeRange } from '../../support/http/readme-curl.js';

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
const sumOf = (amounts: Fields): number =>
  Object.values(amounts).reduce<number>((sum, amount) => sum + cents(amount), 0);
const made = new Map<string, Fields[]>();
function transactionsOn(day: string): Fields[] {
  const found = made.get(day) ?? [...demoLedger(new Date(`${day}T13:45:00Z`))];
  made.set(day, found);
  return found.filter(({ type }) => type === 'transaction');
}
const timeOf = (value: unknown): number => Date.parse(String(value));

describe('the demo ledger', () => {
  it('is the same at any time of a day', () => {
    expect([...demoLedger(new Date('2025-06-15T00:00:00Z'))]).toEqual(records);
    expect([...demoLedger(new Date('2025-06-15T23:59:59.999Z'))]).toEqual(records);
  });

  it('depends on the day', () => {
    expect([...demoLedger(new Date('2025-06-16T00:00:00Z'))]).not.toEqual(records);
  });

  it('has the sales of June 2025 under the same ids on every later day', () => {
    const idsOn = (day: string) =>
      new Set(transactionsOn(day).map(({ transaction_id }) => transaction_id));
    const [soon, later] = [idsOn('2025-06-30'), idsOn('2026-11-23')];
    const june = transactionsOn('2027-06-30').filter(({ sale_date }) =>
      String(sale_date).startsWith('2025-06-'),
    );
    expect(june.length).toBeGreaterThanOrEqual(29);
    const missing = june.filter(
      ({ transaction_id, sale_date }) =>
        !later.has(transaction_id) ||
        (String(sale_date) < '2025-06-30' && !soon.has(transaction_id)),
    );
    expect(missing).toEqual([]);
  });

  it('has 3 vendors, each with its own products', () => {
    expect(new Set(ofType('product').map(({ vendor_id }) => vendor_id)).size).toBe(3);
  });

  it('has 40 affiliates, some without a display name', () => {
    const vendors = new Set(ofType('product').map(({ vendor_id }) => vendor_id));
    const affiliates = ofType('user').filter(({ id }) => !vendors.has(id));
    expect(affiliates).toHaveLength(40);
    expect(new Set(affiliates.map(({ display_name }) => display_name === null)).size).toBe(2);
  });

  it('has 4,000 to 6,000 transactions with unique ids', () => {
    expect(transactions.length).toBeGreaterThanOrEqual(4_000);
    expect(transactions.length).toBeLessThanOrEqual(6_000);
    for (const day of ['2025-06-15', '2026-07-06', '2026-11-22', '2040-12-31']) {
      const ids = transactionsOn(day).map(({ transaction_id }) => transaction_id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('has sales of the last 400 days only, and none in the future', () => {
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

  it('takes back no more at a refund than was paid out, and refunds no more than was paid', () => {
    const wrong = refunded.filter((record) => {
      const refund = partOf(record, 'refund');
      const taken =
        cents(refund.seller_refund_impact) + cents(partOf(record, 'payouts').seller_earnings);
      return taken < 0 || cents(refund.refund_amount) > cents(record.amount);
    });
    expect(wrong).toEqual([]);
  });

  it('has payout items that add up to everything but the fee', () => {
    const wrong = transactions.filter((record) => {
      const items = record.payout_items as readonly Record<string, unknown>[];
      const paid = items.reduce((sum, { payee_amount }) => sum + cents(payee_amount), 0);
      const named = items.every(({ payee_name }) => typeof payee_name === 'string');
      return !named || paid + cents(partOf(record, 'payouts').service_fee) !== cents(record.amount);
    });
    expect(wrong).toEqual([]);
  });

  it('has refunds after their sales and not in the future', () => {
    expect(refunded.length).toBeGreaterThan(50);
    const wrong = refunded.filter((record) => {
      const at = timeOf(partOf(record, 'refund').refund_date);
      return at < timeOf(record.sale_date) || at > NOW.getTime();
    });
    expect(wrong).toEqual([]);
  });

  it('has a refund exactly if the status says so', () => {
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

  it('has recurring payments with transactions, in every status', () => {
    expect(new Set(ofType('recurring_payment').map(({ status }) => status))).toEqual(
      new Set(['ACTIVE', 'CANCELED', 'COMPLETED']),
    );
    const paid = new Set(transactions.map(({ pre_key }) => pre_key));
    expect(ofType('recurring_payment').filter(({ pre_key }) => !paid.has(pre_key))).toEqual([]);
  });

  it('has agreements with many payments, and completes those that were all made', () => {
    const payments = ofType('recurring_payment');
    expect(Math.max(...payments.map((each) => Number(each.current_payments)))).toBeGreaterThan(9);
    const wrong = payments.filter(
      (each) =>
        (each.status === 'COMPLETED') !== (each.current_payments === each.max_number_of_payments),
    );
    expect(wrong).toEqual([]);
  });

  it('has more first sales in winter than in summer', () => {
    const isFirst = ({ pre_key, affiliate_id }: Fields) =>
      pre_key === null && affiliate_id !== WAVE_AFFILIATE_ID;
    const soldIn = (month: string) =>
      transactionsOn('2026-11-22').filter(
        (sale) => isFirst(sale) && String(sale.sale_date).startsWith(month),
      ).length;
    expect(soldIn('2025-12')).toBeGreaterThan(1.4 * soldIn('2026-07'));
  });

  it('has one affiliate whose sales are refunded far more often than others', () => {
    const isOfWave = ({ affiliate_id }: Fields) => affiliate_id === WAVE_AFFILIATE_ID;
    const shareOf = (sales: readonly Fields[]) =>
      sales.filter(({ refund }) => refund !== null).length / sales.length;
    const wave = transactions.filter(isOfWave);
    expect(shareOf(wave)).toBeGreaterThan(0.25);
    expect(shareOf(transactions.filter((sale) => !isOfWave(sale)))).toBeLessThan(0.1);
  });

  it('gives everybody and everything a whole name', () => {
    const customers = transactions.map((record) => partOf(record, 'customer'));
    const names = [
      ...customers.flatMap(({ first_name, last_name }) => [first_name, last_name]),
      ...[...ofType('user'), ...ofType('product')].map(({ name }) => name),
      ...ofType('user').map(({ display_name }) => display_name ?? 'none'),
      ...transactions.map(({ product_name }) => product_name),
    ];
    const isWhole = (name: unknown) => typeof name === 'string' && /^[^\s’]\S*( \S+)*$/.test(name);
    expect(names.filter((name) => !isWhole(name))).toEqual([]);
  });

  it('gives no two parties, products or affiliates the same name', () => {
    const parties = [...ofType('user'), ...ofType('product')];
    const names = [
      ...parties.map(({ name }) => name),
      ...parties.flatMap(({ display_name }) => display_name ?? []),
    ];
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(['2025-06-15', '2026-03-01', '2026-11-22'])(
    'has sales only by affiliates with approved terms, after these began, on %s',
    (day) => {
      transactionsOn(day);
      const all = made.get(day) ?? [];
      const terms = new Map(
        all
          .filter(({ type }) => type === 'affiliation')
          .map((each) => [`${String(each.affiliate_id)} ${String(each.product_id)}`, each]),
      );
      const termsOf = ({ affiliate_id, product_id }: Fields) =>
        terms.get(`${String(affiliate_id)} ${String(product_id)}`);
      const referred = transactionsOn(day).filter(({ affiliate_id }) => affiliate_id !== null);
      expect(referred.length).toBeGreaterThan(2_000);
      const [ofWave, others] = [true, false].map((isOfWave) =>
        referred.filter((sale) => (sale.affiliate_id === WAVE_AFFILIATE_ID) === isOfWave),
      );
      const wrong = referred.filter(
        (sale) => timeOf(sale.sale_date) <= timeOf(termsOf(sale)?.created ?? NaN),
      );
      expect(wrong).toEqual([]);
      expect(new Set(others?.map((sale) => termsOf(sale)?.status))).toEqual(new Set(['APPROVED']));
      // The affiliate of the wave was denied after it.
      const isOver = (sale: Fields) => timeOf(sale.sale_date) < timeOf(day) - 100 * 86_400_000;
      expect(ofWave?.every(isOver)).toBe(true);
      expect(ofWave?.length).toBeGreaterThan(50);
    },
  );

  it('pays each affiliate the commission of the terms', () => {
    const percentOf = new Map(
      ofType('affiliation').map((each) => [
        `${String(each.affiliate_id)} ${String(each.product_id)}`,
        Number(each.custom_commission ?? 50),
      ]),
    );
    const wrong = transactions.filter((sale) => {
      const { affiliate_payout, service_fee } = partOf(sale, 'payouts');
      const key = `${String(sale.affiliate_id)} ${String(sale.product_id)}`;
      const percent = sale.affiliate_id === null ? 0 : (percentOf.get(key) ?? NaN);
      const rest = cents(sale.amount) - cents(service_fee);
      return cents(affiliate_payout) !== Math.round((rest * percent) / 100);
    });
    expect(wrong).toEqual([]);
  });

  it('delivers to cities in their own countries, and includes their tax', () => {
    const places = new Map(
      transactions
        .map((sale) => partOf(sale, 'delivery'))
        .filter(({ city }) => city !== undefined)
        .map(({ city, country }) => [`${String(city)}, ${String(country)}`, country]),
    );
    expect([...places.keys()].toSorted()).toEqual([
      'Austin, US',
      'Berlin, DE',
      'Kyoto, JP',
      'Lisboa, PT',
      'Lyon, FR',
      'Oslo, NO',
      'Toronto, CA',
      'Valencia, ES',
      'Zürich, CH',
      'Łódź, PL',
    ]);
    const taxed = transactions.filter(({ delivery, taxes }) => delivery !== null && taxes !== null);
    const countries = new Set(taxed.map((sale) => partOf(sale, 'delivery').country));
    expect(countries).toEqual(new Set(['DE', 'PT', 'PL', 'FR', 'NO', 'ES']));
  });

  it('has a launch, before which nothing is sold, and after which sales fall', () => {
    const launched = transactions.filter(({ product_id }) => product_id === LAUNCHED.id);
    const daysAgo = launched.map(({ sale_date }) =>
      Math.ceil((NOW.getTime() - timeOf(sale_date)) / 86_400_000),
    );
    expect(Math.max(...daysAgo)).toBeLessThanOrEqual(LAUNCH_BEGINS + 1);
    const soldFrom = (from: number, to: number) =>
      daysAgo.filter((ago) => ago > to && ago <= from).length;
    const [first, second] = [soldFrom(76, 71), soldFrom(71, 66)];
    expect(first).toBeGreaterThan(70);
    expect(second).toBeGreaterThan(20);
    expect(second).toBeLessThan(first / 2);
  });

  it('has most sales around Black Friday, and grows from year to year', () => {
    const sold = transactionsOn('2026-12-20').filter(({ pre_key }) => pre_key === null);
    const between = (from: string, to: string) =>
      sold.filter(({ sale_date }) => String(sale_date) >= from && String(sale_date) < to).length;
    expect(between('2026-11-27', '2026-12-01')).toBeGreaterThan(
      1.5 * between('2026-11-20', '2026-11-24'),
    );
    expect(between('2026-12-01', '2026-12-20')).toBeGreaterThan(
      1.1 * between('2025-12-01', '2025-12-20'),
    );
  });

  it('has a date of the next payment only for active subscriptions', () => {
    const wrong = ofType('recurring_payment').filter(
      ({ status, next_date }) => (status === 'ACTIVE') !== (next_date !== null),
    );
    expect(wrong).toEqual([]);
  });

  it('has customers who bought more than once, and other things', () => {
    const products = new Map<unknown, Set<unknown>>();
    for (const record of transactions) {
      const { email } = partOf(record, 'customer');
      products.set(email, (products.get(email) ?? new Set()).add(record.product_id));
    }
    const several = [...products.values()].filter((bought) => bought.size > 1);
    expect(several.length).toBeGreaterThan(50);
  });

  it('has commissions that are unpaid for up to 120 days', () => {
    const ages = transactions
      .filter((sale) => sale.affiliate_commission_status === 'UNPAID')
      .map(({ sale_date }) => Math.floor((NOW.getTime() - timeOf(sale_date)) / 86_400_000));
    const bounds = [30, 60, 90, 120];
    const counts = bounds.map((bound) => ages.filter((age) => age > bound - 30 && age <= bound));
    expect(counts.filter(({ length }) => length === 0)).toEqual([]);
    expect(Math.max(...ages)).toBeLessThanOrEqual(120);
  });

  it('has affiliate terms in every status', () => {
    expect(new Set(ofType('affiliation').map(({ status }) => status))).toEqual(
      new Set(['REQUESTED', 'APPROVED', 'DENIED']),
    );
  });

  it('has no more unique clicks than clicks', () => {
    expect(ofType('clicks').length).toBeGreaterThan(100);
    const wrong = ofType('clicks').filter(
      ({ clicks, unique_clicks }) => Number(unique_clicks) > Number(clicks),
    );
    expect(wrong).toEqual([]);
  });

  it.each(['2025-06-02', '2026-07-06', '2026-11-22', '2040-12-31'])(
    'adds up to the cent, sale by sale, on %s',
    (day) => {
      const wrong = transactionsOn(day).filter((record) => {
        const { refund_amount, refund_date, ...impacts } = partOf(record, 'refund');
        const [paid, taken] = [sumOf(partOf(record, 'payouts')), sumOf(impacts)];
        const isGone = refund_date !== undefined;
        return paid !== cents(record.amount) || (isGone && -taken !== cents(refund_amount));
      });
      expect(wrong).toEqual([]);
    },
  );

  it('has no e-mail or IP address that could be real', () => {
    const addresses = JSON.stringify(records).match(/[\w.]+@[\w.]+/g) ?? [];
    expect(addresses.filter((address) => !/\.(example|test)$/.test(address))).toEqual([]);
  });
});

describe('the sales of the curl example in the README', () => {
  const { start_date, end_date } = readmeRange();
  const own = new Set(
    DEMO_PRODUCTS.filter(({ vendor }) => vendor.id === DEMO_VENDOR_ID).map(({ id }) => id),
  );
  const asked = (day: string) =>
    transactionsOn(day).filter(({ sale_date, product_id }) => {
      const sold = String(sale_date).slice(0, 10);
      return own.has(Number(product_id)) && sold >= start_date && sold <= end_date;
    });

  it.each(['2025-07-15', '2026-07-06', '2026-11-22', '2040-12-31'])(
    'exist on %s, for the vendor whose key is shown',
    (day) => {
      expect(asked(day).length).toBeGreaterThan(2);
    },
  );

  it('are the same on every later day', () => {
    const soldOn = (day: string) => asked(day).map(({ sale_date }) => sale_date);
    expect(soldOn('2040-12-31')).toEqual(soldOn('2026-11-22'));
  });

  it('make the ledger only slightly larger', () => {
    expect(transactionsOn('2026-11-22').length).toBeLessThan(6_500);
    expect(transactionsOn('2040-12-31').length).toBeLessThan(12_000);
  });
});
