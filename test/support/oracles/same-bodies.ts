import { Agent } from 'node:http';
import { basic, envelopeOf, send, type Answer, type EnvelopeBody } from '../http/http.js';
import { eachOf } from '../random/properties.js';

/** A running service, with a key of the vendor. */
export interface Instance {
  readonly port: number;
  readonly key: string;
}

export interface Difference {
  readonly path: string;
  /**
   * Status of the first instance, with the body around the first difference. `other` is that of the
   * second instance.
   */
  readonly one: string;
  readonly other: string;
}

type Result = EnvelopeBody['results'][number];

const MOST = 20;
const WIDTH = 6;
const [BEFORE, AFTER] = [40, 80];
/** Range that includes every transaction. OTHER_SIZES adds other page sizes. */
const ALL = 'start_date=1000-01-01&end_date=9999-12-31';
const OTHER_SIZES = ['', '&page_size=37'];

/**
 * Compares, byte by byte, the responses of two instances about everything that one vendor sees of
 * transactions: the list and single transactions of version 3.0; names and details of 2.1;
 * summaries and latest transactions of 2.0; and the affiliate terms and recurring payments that
 * transactions name. Neither instance may change during the comparison.
 * @returns at most 20 differences
 */
export async function differencesBetween(one: Instance, other: Instance): Promise<Difference[]> {
  const comparison = new Comparison(one, other);
  try {
    await comparison.all();
  } finally {
    comparison.end();
  }
  return comparison.differences.slice(0, MOST);
}

class Comparison {
  readonly differences: Difference[] = [];
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    private readonly one: Instance,
    private readonly other: Instance,
  ) {}

  async all(): Promise<void> {
    const sales = await this.list(`${ALL}&page_size=200`);
    await this.same('/v2.1/products/names');
    await this.latest();
    for (const size of OTHER_SIZES) await this.list(ALL + size);
    const months = new Set(sales.flatMap(monthsOf));
    for (const month of months) await this.list(`${rangeOfMonth(month)}&page_size=100`);
    for (const day of busiestDays(sales)) {
      await this.list(`start_date=${day}&end_date=${day}&page_size=7`);
    }
    const preKeys = await this.transactions(sales.map(({ transaction_id: id }) => textOf(id)));
    await this.each([...pairsOf(sales)]);
    await this.each([...preKeys].map((key) => `/v2.0/recurring_payment/${encoded(key)}`));
  }

  end(): void {
    this.agent.destroy();
  }

  private get isOver(): boolean {
    return this.differences.length >= MOST;
  }

  /** @returns the sales of all pages */
  private async list(query: string): Promise<Result[]> {
    const sales: Result[] = [];
    for (let index = 0; !this.isOver; index += 1) {
      const page = await this.same(`/v3.0/transactions?${query}&page_index=${index}`);
      sales.push(...page.results);
      if (page.meta.pagination?.has_more !== true) break;
    }
    return sales;
  }

  /** Reads all pages. Each begins after the last transaction of the previous one. */
  private async latest(): Promise<void> {
    let path = '/v2.0/latest-transactions';
    while (!this.isOver) {
      const { results } = await this.same(path);
      const last = results.at(-1);
      if (last === undefined) return;
      path = `/v2.0/latest-transactions/${encoded(textOf(last.transaction_id))}`;
    }
  }

  /** @returns the payment keys of the transactions */
  private async transactions(ids: readonly string[]): Promise<Set<string>> {
    const preKeys = new Set<string>();
    await eachOf(ids, WIDTH, async (id) => {
      if (this.isOver) return;
      await this.same(`/v3.0/transactions/${encoded(id)}`);
      await this.same(`/v2.0/transactions/summaries/${encoded(id)}`);
      const { results } = await this.same(`/v2.1/transaction/details/${encoded(id)}`);
      const pre_key = results[0]?.pre_key;
      if (typeof pre_key === 'string') preKeys.add(pre_key);
    });
    return preKeys;
  }

  private async each(paths: readonly string[]): Promise<void> {
    await eachOf(paths, WIDTH, async (path) => {
      if (!this.isOver) await this.same(path);
    });
  }

  /** @returns the response of the first instance */
  private async same(path: string): Promise<EnvelopeBody> {
    const [one, other] = await Promise.all([this.get(this.one, path), this.get(this.other, path)]);
    if (one.status !== other.status || !one.body.equals(other.body)) {
      this.differences.push({ path, ...firstDifference(one, other) });
    }
    return withResults(one, path);
  }

  private get({ port, key }: Instance, path: string): Promise<Answer> {
    return send(port, { path, headers: basic(key) }, this.agent);
  }
}

/** @throws Error if the status is neither 200 nor 404 */
function withResults(answer: Answer, path: string): EnvelopeBody {
  const isExpected = answer.status === 200 || answer.status === 404;
  if (!isExpected) throw new Error(`${path}: ${answer.text}`);
  return envelopeOf(answer);
}

function firstDifference(one: Answer, other: Answer): Pick<Difference, 'one' | 'other'> {
  let at = 0;
  while (at < one.text.length && one.text[at] === other.text[at]) at += 1;
  const from = Math.max(0, at - BEFORE);
  const shown = ({ status, text }: Answer) => `${status} …${text.slice(from, at + AFTER)}`;
  return { one: shown(one), other: shown(other) };
}

/** Returns the months in which a transaction was sold and refunded. */
function monthsOf({ sale_date, refund }: Result): string[] {
  return [sale_date, dateOf(refund)].filter((date) => date !== null).map((date) => monthOf(date));
}

function dateOf(refund: unknown): unknown {
  if (typeof refund !== 'object' || refund === null || !('refund_date' in refund)) return null;
  return refund.refund_date;
}

function monthOf(date: unknown): string {
  return textOf(date).slice(0, 7);
}

function rangeOfMonth(month: string): string {
  const [year, number] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year ?? 0, number ?? 0, 0)).getUTCDate();
  return `start_date=${month}-01&end_date=${month}-${last}`;
}

/** Returns the three days with the most sales. */
function busiestDays(sales: readonly Result[]): string[] {
  const counts = new Map<string, number>();
  for (const { sale_date } of sales) {
    const day = textOf(sale_date).slice(0, 10);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const days = [...counts].sort(([, left], [, right]) => right - left);
  return days.slice(0, 3).map(([day]) => day);
}

/**
 * Returns the paths of the affiliate terms for each affiliate and product in the sales, in both
 * versions, whether terms exist or not.
 */
function pairsOf(sales: readonly Result[]): Set<string> {
  const paths = sales.flatMap(({ affiliate, product_id }) => {
    if (typeof affiliate !== 'object' || affiliate === null || !('id' in affiliate)) return [];
    const [id, product] = [Number(affiliate.id), Number(product_id)];
    return [
      `/v2.1/affiliates/${id}/products/${product}`,
      `/v2.0/products/${product}/affiliates/${id}`,
    ];
  });
  return new Set(paths);
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`no text: ${JSON.stringify(value)}`);
  return value;
}

/** Encodes a key for a path. Neither encodeURIComponent nor `send` changes dots. */
function encoded(key: string): string {
  return encodeURIComponent(key);
}
