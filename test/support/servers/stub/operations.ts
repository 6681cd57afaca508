import { isRecord } from '../../../../src/platform/values/is-record.js';
import type { StubContents, StubRelationship, StubSale } from './contents.js';
import {
  detailOf,
  latestOf,
  paymentOf,
  relationshipOf,
  transactionOf,
  type StubWords,
} from './presented.js';

export interface StubResult {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly results: readonly (object | null)[];
  /** Fields in addition to those of every envelope. */
  readonly meta?: object;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** The arguments of a route: its decoded parameters, the query and the body. */
interface Call {
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
  readonly body: string;
}

type Route = readonly [method: string, path: RegExp, operation: (call: Call) => StubResult];

const FEED_SIZE = 100;
const NOT_FOUND = refused(404, 4040, 'Not found');
const INVALID = refused(400, 4001, 'Invalid parameters');
/** Maps the approval that a PUT sends to the status that a GET shows. */
const APPROVALS: Readonly<Record<string, Pick<StubRelationship, 'status' | 'delayed_commission'>>> =
  {
    INSTANT: { status: 'APPROVED', delayed_commission: false },
    DELAYED: { status: 'APPROVED', delayed_commission: true },
    DENIED: { status: 'DENIED', delayed_commission: false },
  };
const OPTIONAL_TERMS = [
  'custom_commission',
  'custom_sales_page_url',
  'custom_payment_1st_payout',
  'custom_payment_trial_payout',
];

/** The API operations that a mirror needs. */
export class StubOperations {
  private readonly routes: readonly Route[] = [
    ['GET', /^\/v3\.0\/transactions$/, (call) => this.list(call)],
    ['GET', /^\/v3\.0\/transactions\/([^/]+)$/, (call) => this.single(call)],
    ['GET', /^\/v2\.1\/products\/names$/, () => this.names()],
    ['GET', /^\/v2\.1\/transaction\/details\/([^/]+)$/, (call) => this.detail(call)],
    ['GET', /^\/v2\.1\/affiliates\/(\d+)\/products\/(\d+)$/, (call) => this.relationship(call)],
    ['PUT', /^\/v2\.1\/affiliates\/(\d+)\/products\/(\d+)$/, (call) => this.setRelationship(call)],
    ['GET', /^\/v2\.0\/recurring_payment\/([^/]+)$/, (call) => this.payment(call)],
    ['PUT', /^\/v2\.0\/recurring_payment\/([^/]+)$/, (call) => this.cancel(call)],
    ['GET', /^\/v2\.0\/latest-transactions(?:\/([^/]+))?$/, (call) => this.latest(call)],
  ];

  constructor(
    private readonly contents: StubContents,
    private readonly words: StubWords,
  ) {}

  result({ method, path: address, body }: Asked): StubResult {
    const [path = '', search = ''] = address.split('?');
    const found = this.routes.filter(([, pattern]) => pattern.test(path));
    if (found.length === 0) return NOT_FOUND;
    const route = found.find((each) => each[0] === method);
    if (route === undefined) return refused(405, 4050, 'Method not allowed');
    const parameters = (route[1].exec(path) ?? []).slice(1).map((text) => text && decoded(text));
    return route[2]({ parameters, query: new URLSearchParams(search), body });
  }

  /** Lists transactions, newest sale first. */
  private list({ query }: Call): StubResult {
    const start = dayOf(query.get('start_date'));
    const end = dayOf(query.get('end_date'));
    const page_size = integerOf(query.get('page_size') ?? '50', 1, 200);
    const page_index = integerOf(query.get('page_index') ?? '0', 0, Number.MAX_SAFE_INTEGER);
    if (start === null || end === null || start > end || page_size === null || page_index === null)
      return INVALID;
    const isInside = (moment: string) => moment.slice(0, 10) >= start && moment.slice(0, 10) <= end;
    const all = this.inOrder()
      .filter(({ sold, refund }) => isInside(sold) || (refund !== null && isInside(refund.date)))
      .reverse();
    const from = page_index * page_size;
    const pagination = { page_size, has_more: from + page_size < all.length, page_index };
    return success(
      all.slice(from, from + page_size).map((sale) => transactionOf(sale, this.words)),
      { pagination, total_count: all.length },
    );
  }

  private single({ parameters: [id] }: Call): StubResult {
    const sale = this.saleOf(id);
    return sale === undefined ? NOT_FOUND : success([transactionOf(sale, this.words)]);
  }

  private names(): StubResult {
    return success(
      this.contents.products.map(({ id, name }) => ({ product_name: name, product_id: id })),
    );
  }

  private detail({ parameters: [id] }: Call): StubResult {
    const sale = this.saleOf(id);
    return sale === undefined ? NOT_FOUND : success([detailOf(sale, this.contents, this.words)]);
  }

  private relationship({ parameters }: Call): StubResult {
    const found = this.contents.relationships.find(isBetween(parameters));
    return found === undefined ? NOT_FOUND : success([relationshipOf(found)]);
  }

  /** Sets the terms of an affiliate for a product, and adds them if there are none. */
  private setRelationship({ parameters, body }: Call): StubResult {
    const wanted = objectOf(body);
    const approval = APPROVALS[String(wanted?.approval_status)];
    if (wanted === null || approval === undefined) return INVALID;
    const { relationships } = this.contents;
    const before = relationships.find(isBetween(parameters)) ?? newRelationship(parameters);
    const terms = Object.fromEntries(
      OPTIONAL_TERMS.filter((term) => wanted[term] !== undefined).map((term) => [
        term,
        wanted[term],
      ]),
    );
    const after = { ...before, ...approval, ...terms };
    this.contents.relationships = [...relationships.filter((each) => each !== before), after];
    return success([relationshipOf(after)]);
  }

  private payment({ parameters: [preKey] }: Call): StubResult {
    const found = this.contents.payments.find((payment) => payment.preKey === preKey);
    return found === undefined ? NOT_FOUND : success([paymentOf(found, this.words)]);
  }

  private cancel({ parameters: [preKey], body }: Call): StubResult {
    const { payments } = this.contents;
    if (!payments.some((payment) => payment.preKey === preKey)) return NOT_FOUND;
    if (objectOf(body)?.status !== 'CANCEL') return INVALID;
    this.contents.payments = payments.map((payment) =>
      payment.preKey === preKey ? { ...payment, status: 'CANCELED' } : payment,
    );
    return success([{ canceled: true }]);
  }

  /** Lists transactions after the paykey, oldest first. */
  private latest({ parameters: [paykey] }: Call): StubResult {
    const all = this.inOrder();
    const place = all.findIndex(({ transaction_id }) => transaction_id === paykey);
    if (paykey !== undefined && place < 0) return NOT_FOUND;
    return success(all.slice(place + 1, place + 1 + FEED_SIZE).map(latestOf));
  }

  /** Returns the sales, oldest first; sales of the same second stand in order of arrival. */
  private inOrder(): StubSale[] {
    return [...this.contents.sales].sort((left, right) =>
      left.sold === right.sold ? 0 : left.sold < right.sold ? -1 : 1,
    );
  }

  private saleOf(id: string | undefined): StubSale | undefined {
    return this.contents.sales.find(({ transaction_id }) => transaction_id === id);
  }
}

function success(results: readonly object[], meta: object = {}): StubResult {
  return { status: 200, code: 2000, message: 'Success', results, meta };
}

function refused(status: number, code: number, message: string): StubResult {
  return { status, code, message, results: [null] };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function dayOf(text: string | null): string | null {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null;
}

function integerOf(text: string, least: number, most: number): number | null {
  const number = Number(text);
  return /^\d+$/.test(text) && number >= least && number <= most ? number : null;
}

function objectOf(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isBetween([affiliate, product]: readonly string[]) {
  return ({ affiliate_id, product_id }: StubRelationship) =>
    affiliate_id === Number(affiliate) && product_id === Number(product);
}

function newRelationship([affiliate, product]: readonly string[]): StubRelationship {
  return {
    affiliate_id: Number(affiliate),
    product_id: Number(product),
    created: new Date().toISOString(),
    comments: '',
    status: '',
    delayed_commission: false,
    custom_commission: 0,
    custom_sales_page_url: null,
    custom_payment_1st_payout: 0,
    custom_payment_trial_payout: 0,
  };
}
