/**
 * Computes figures from the sales themselves, one measure at a time. It shares no code with the
 * service.
 */

/** A sale as the test wrote it. Money is in cents, days are UTC. */
export interface FigureSale {
  readonly day: string;
  readonly status: 'pending' | 'completed' | 'refunded' | 'charged_back';
  readonly product_id: number;
  readonly affiliate_id: number | null;
  readonly tracking: Readonly<Record<string, string | null>>;
  readonly money: FigureMoney & { readonly taxes: number | null };
  readonly refund: { readonly day: string; readonly money: FigureMoney } | null;
}

type FigureMoney = Readonly<
  Record<'amount' | 'earnings' | 'fees' | 'affiliate' | 'agent' | 'jv', number>
>;

export interface FigureClicks {
  readonly day: string;
  readonly product_id: number;
  readonly affiliate_id: number;
  readonly clicks: number;
  readonly unique_clicks: number;
}

export interface FigureDays {
  readonly start_date: string;
  readonly end_date: string;
}

/** The sales and clicks that the figures of one item are made of. */
export interface FigureData {
  readonly sales: readonly FigureSale[];
  readonly clicks: readonly FigureClicks[];
}

export type FigureValue = string | number;

/** Returns a measure of a range as the API shows it. */
export function figureOf(
  measure: string,
  { sales: all, clicks }: FigureData,
  range: FigureDays,
  refundsOn: 'refund_date' | 'sale_date',
): FigureValue {
  const isIn = (day: string) => day >= range.start_date && day <= range.end_date;
  const of = (status: FigureSale['status'][]) => (sale: FigureSale) => status.includes(sale.status);
  const sold = all.filter((sale) => isIn(sale.day));
  const sales = sold.filter((sale) => sale.status !== 'pending');
  const pending = sold.filter(of(['pending']));
  const returned = all.filter(
    (sale) =>
      sale.status !== 'pending' &&
      (sale.status !== 'completed' || sale.refund !== null) &&
      isIn(refundsOn === 'sale_date' ? sale.day : (sale.refund?.day ?? sale.day)),
  );
  const chargebacks = returned.filter(of(['charged_back']));
  const refunds = returned.filter(of(['completed', 'refunded']));
  const net = (name: keyof FigureMoney) =>
    money(
      total(sales, (sale) => sale.money[name]) +
        total(returned, (sale) => sale.refund?.money[name]),
    );
  const back = (list: readonly FigureSale[]) =>
    money(total(list, (sale) => sale.refund?.money.amount));
  const clicked = clicks.filter(({ day }) => isIn(day));
  const unique = clicked.reduce((sum, { unique_clicks }) => sum + unique_clicks, 0);
  const gross = total(sales, (sale) => sale.money.amount);
  switch (measure) {
    case 'sales':
      return sales.length;
    case 'gross':
      return money(gross);
    case 'seller_earnings':
      return net('earnings');
    case 'service_fees':
      return net('fees');
    case 'affiliate_commissions':
      return net('affiliate');
    case 'agent_commissions':
      return net('agent');
    case 'jv_commissions':
      return net('jv');
    case 'refunds':
      return refunds.length;
    case 'refunded':
      return back(refunds);
    case 'chargebacks':
      return chargebacks.length;
    case 'charged_back':
      return back(chargebacks);
    case 'refund_rate':
      return rate(refunds.length, sales.length);
    case 'chargeback_rate':
      return rate(chargebacks.length, sales.length);
    case 'average_order':
      return money(rounded(gross, BigInt(sales.length)));
    case 'taxes':
      return money(total(sales, (sale) => sale.money.taxes ?? 0));
    case 'pending':
      return pending.length;
    case 'pending_amount':
      return money(total(pending, (sale) => sale.money.amount));
    case 'clicks':
      return clicked.reduce((sum, each) => sum + each.clicks, 0);
    case 'unique_clicks':
      return unique;
    case 'conversion_rate':
      return rate(sales.length, unique);
    default:
      throw new Error(`no oracle for ${measure}`);
  }
}

/** Returns the first day of the interval that contains a day. */
export function intervalStart(day: string, interval: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const text = (made: number) => new Date(made).toISOString().slice(0, 10);
  switch (interval) {
    case 'day':
      return day;
    case 'week':
      return text(Date.UTC(year, month, date.getUTCDate() - ((date.getUTCDay() + 6) % 7)));
    case 'month':
      return text(Date.UTC(year, month, 1));
    case 'quarter':
      return text(Date.UTC(year, month - (month % 3), 1));
    default:
      return text(Date.UTC(year, 0, 1));
  }
}

/** Returns the intervals of a range, cut to it. */
export function intervalsOf({ start_date, end_date }: FigureDays, interval: string): FigureDays[] {
  const found: { start_date: string; end_date: string }[] = [];
  for (let day = start_date; day <= end_date; day = nextDay(day)) {
    const last = found.at(-1);
    const isSame =
      last !== undefined &&
      intervalStart(last.start_date, interval) === intervalStart(day, interval);
    if (isSame) last.end_date = day;
    else found.push({ start_date: day, end_date: day });
  }
  return found;
}

export function nextDay(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

function total(sales: readonly FigureSale[], of: (sale: FigureSale) => number | undefined): bigint {
  return sales.reduce((sum, sale) => sum + BigInt(of(sale) ?? 0), 0n);
}

function money(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function rate(part: number, whole: number): string {
  const units = rounded(BigInt(part) * 10_000n, BigInt(whole));
  const digits = String(units).padStart(5, '0');
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

function rounded(value: bigint, by: bigint): bigint {
  if (by === 0n) return 0n;
  const size = value < 0n ? -value : value;
  const whole = size / by + ((size % by) * 2n >= by ? 1n : 0n);
  return value < 0n ? -whole : whole;
}
