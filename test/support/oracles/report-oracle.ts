/**
 * Computes the expected reports from the list of version 3.0, read over HTTP. It shares no code
 * with the service.
 */
import type { TestService } from '../servers/service.js';

export type Attribution = 'sale' | 'refund';
/** Kinds of transactions that have a list in the reports. */
type Kind = 'all' | 'sales' | 'pending' | 'refunds' | 'chargebacks';
export interface Days {
  readonly start_date: string;
  readonly end_date: string;
}

/** Fields of a transaction in the list of version 3.0 that the oracle uses. */
export interface Listed {
  readonly transaction_id: string;
  readonly sale_date: string;
  readonly product_id: number;
  readonly product_name: string;
  readonly amount: string;
  readonly status: 'settled' | 'pending' | 'refunded' | 'chargeback';
  readonly customer: Readonly<Record<string, string>>;
  readonly affiliate: { readonly id: number; readonly display_name: string | null } | null;
  readonly tracking: Readonly<Record<string, string | null>>;
  readonly payouts: Readonly<Record<string, string>>;
  readonly refund: (Readonly<Record<string, string>> & { readonly refund_date: string }) | null;
}

/** Reads every transaction of a range page by page, newest sale first. */
export async function walkList(
  service: TestService,
  key: string,
  { start_date, end_date }: Days,
): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let page = 0; ; page += 1) {
    const path = `/v3.0/transactions?start_date=${start_date}&end_date=${end_date}&page_size=200&page_index=${page}`;
    const { meta, results } = await service.envelope(path, key);
    all.push(...(results as unknown as Listed[]));
    if (meta.pagination?.has_more !== true) return all;
  }
}

export function isRefund({ status, refund }: Listed): boolean {
  return status === 'refunded' || (status === 'settled' && refund !== null);
}

/** Returns the day on which a refund or chargeback counts. */
export function dayOfReturn({ sale_date, refund }: Listed, by: Attribution): string {
  return (by === 'sale' ? sale_date : (refund?.refund_date ?? sale_date)).slice(0, 10);
}

export function isIn({ start_date, end_date }: Days, day: string): boolean {
  return day >= start_date && day <= end_date;
}

/** Returns a filter for the transactions that count towards a value of the report. */
export function isBehind(kind: Kind, by: Attribution, range: Days) {
  return (one: Listed): boolean => {
    const isSoldIn = isIn(range, one.sale_date.slice(0, 10));
    const isBackIn = isIn(range, dayOfReturn(one, by));
    switch (kind) {
      case 'all':
        return by === 'refund' || isSoldIn;
      case 'sales':
        return isSoldIn && one.status !== 'pending';
      case 'pending':
        return isSoldIn && one.status === 'pending';
      case 'refunds':
        return isBackIn && isRefund(one);
      case 'chargebacks':
        return isBackIn && one.status === 'chargeback';
    }
  };
}

/**
 * Computes the report of a vendor or, if `of` is 'affiliate', of the affiliate of these
 * transactions.
 */
export function figuresOf(
  list: readonly Listed[],
  range: Days,
  by: Attribution,
  of: 'vendor' | 'affiliate' = 'vendor',
) {
  const soldIn = list.filter(({ sale_date }) => isIn(range, sale_date.slice(0, 10)));
  const sales = soldIn.filter(({ status }) => status !== 'pending');
  const pending = soldIn.filter(({ status }) => status === 'pending');
  const back = list.filter((one) => isIn(range, dayOfReturn(one, by)));
  const refunds = back.filter(isRefund);
  const chargebacks = back.filter(({ status }) => status === 'chargeback');
  const paid = (fields: readonly string[], impacts: readonly string[]) =>
    sum(sales, ({ payouts }) => fields.map((field) => payouts[field])) +
    sum([...refunds, ...chargebacks], ({ refund }) => impacts.map((field) => refund?.[field]));
  const gross = sum(sales, ({ amount }) => [amount]);
  const parties = of === 'vendor' ? ['affiliate', 'agent', 'jv'] : ['affiliate'];
  const paidTo = (party: string) =>
    parties.includes(party) ? paid([`${party}_payout`], [`${party}_refund_impact`]) : 0n;
  const [affiliate, agent, jv] = [paidTo('affiliate'), paidTo('agent'), paidTo('jv')];
  const returned = (rows: readonly Listed[]) => ({
    transactions: rows.length,
    amount: sum(rows, ({ refund }) => [refund?.refund_amount]),
  });
  return {
    sales: sales.length,
    gross,
    pending: { transactions: pending.length, amount: sum(pending, ({ amount }) => [amount]) },
    refunds: returned(refunds),
    chargebacks: returned(chargebacks),
    earnings: of === 'vendor' ? paid(['seller_earnings'], ['seller_refund_impact']) : 0n,
    commissions: affiliate + agent + jv,
    parties: { affiliate, agent, jv },
    fees: of === 'vendor' ? paid(['service_fee'], ['service_fee_adjustment']) : 0n,
    refund_rate: rounded(BigInt(refunds.length) * 10_000n, BigInt(sales.length)),
    average_order: rounded(gross, BigInt(sales.length)),
  };
}

/** Returns the figure to which these transactions add up, in cents. */
export function figureOf(
  figure: string,
  ...[list, range, by, of]: Parameters<typeof figuresOf>
): bigint {
  const figures = figuresOf(list, range, by, of);
  const { gross, refunds, chargebacks, fees, commissions, earnings, parties } = figures;
  const known = new Map([
    ['gross', gross],
    ['seller_earnings', earnings],
    ['service_fees', fees],
    ['commissions', commissions],
    ['affiliate_commissions', parties.affiliate],
    ['agent_commissions', parties.agent],
    ['jv_commissions', parties.jv],
    ['refunded', refunds.amount],
    ['charged_back', chargebacks.amount],
    ['pending_amount', figures.pending.amount],
    ['other', earnings - gross + refunds.amount + chargebacks.amount + fees + commissions],
  ]);
  const value = known.get(figure);
  if (value === undefined) throw new Error(`There is no figure ${figure}.`);
  return value;
}

/** Expected values of a month of sales. The first entry of `after` is the month itself. */
export interface ExpectedCohort {
  readonly month: string;
  readonly sales: number;
  readonly gross: bigint;
  readonly after: readonly { readonly transactions: number; readonly amount: bigint }[];
  readonly to_date: { readonly transactions: number; readonly amount: bigint };
}

/**
 * Returns the months of sales, newest first, each with the refunds and chargebacks until the end of
 * each later month.
 * @param kinds the statuses that count as returned
 * @param until the last month of sales, such as `2025-06`
 * @param thisMonth the last month of returns, such as `2025-06`
 */
export function cohortsOf(
  list: readonly Listed[],
  kinds: readonly ('refund' | 'chargeback')[],
  until: string,
  thisMonth: string,
): ExpectedCohort[] {
  const sold = list.filter(({ status }) => status !== 'pending');
  const months = [...new Set(sold.map(({ sale_date }) => sale_date.slice(0, 7)))];
  return months
    .filter((month) => month <= until)
    .sort()
    .reverse()
    .map((month) => {
      const sales = sold.filter(({ sale_date }) => sale_date.startsWith(month));
      const back = sales.filter(
        (one) =>
          (kinds.includes('refund') && isRefund(one)) ||
          (kinds.includes('chargeback') && one.status === 'chargeback'),
      );
      const until = (last: string) => {
        const rows = back.filter((one) => dayOfReturn(one, 'refund').slice(0, 7) <= last);
        return {
          transactions: rows.length,
          amount: sum(rows, ({ refund }) => [refund?.refund_amount]),
        };
      };
      const after = Array.from({ length: 13 }, (_, months) => nextMonth(month, months))
        .filter((last) => last <= thisMonth)
        .map(until);
      const gross = sum(sales, ({ amount }) => [amount]);
      return { month: `${month}-01`, sales: sales.length, gross, after, to_date: until(thisMonth) };
    });
}

function nextMonth(month: string, months: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

function sum(
  rows: readonly Listed[],
  texts: (row: Listed) => readonly (string | undefined)[],
): bigint {
  return rows
    .flatMap((row) => texts(row))
    .reduce((total, text) => total + BigInt((text ?? '0.00').replace('.', '')), 0n);
}

/**
 * Divides and rounds to the nearest integer, halves away from zero. Returns 0 if the divisor is 0.
 */
function rounded(value: bigint, by: bigint): bigint {
  if (by === 0n) return 0n;
  const size = value < 0n ? -value : value;
  const whole = size / by + ((size % by) * 2n >= by ? 1n : 0n);
  return value < 0n ? -whole : whole;
}
