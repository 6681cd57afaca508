/** Queries of recurring payments and relationships equal a filter over the feed (docs/queries.md). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  affiliation,
  product,
  recurringPayment,
  user,
} from '../../support/builders/ledger-records.js';
import { holds } from '../../support/random/properties.js';
import { TestService } from '../../support/servers/service.js';

const STATUSES = ['ACTIVE', ' active', 'CANCELED', 'COMPLETED', 'PAUSED', 'paused '];
const EMAILS = ['mara@example.test', 'Mara@Example.test', 'leo@example.test'];
const TERMS = ['REQUESTED', 'APPROVED', 'DENIED'];
const PAYMENTS = 40;

type Parameters = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, unknown>>;

interface Page {
  readonly meta: {
    readonly total_count: number;
    readonly next_cursor: string | null;
    readonly cursor: string;
  };
  readonly results: readonly Row[];
}

let service: TestService;
let key: string;
const held = { recurring_payment: [] as Row[], relationship: [] as Row[] };
let cursor = '';

beforeAll(async () => {
  service = await TestService.start();
  const pick = <Item>(items: readonly Item[], at: number): Item => {
    const item = items[at % items.length];
    if (item === undefined) throw new Error('nothing to pick');
    return item;
  };
  const payments = Array.from({ length: PAYMENTS }, (_, at) =>
    recurringPayment(`PRE-${at % 2 === 0 ? 'x' : 'X'}${at}`, pick([10, 11], at), {
      status: pick(STATUSES, at),
      processor_email: pick(EMAILS, at),
      contact_email: pick(EMAILS, at + 1),
      next_date:
        at % 5 === 0 ? null : `2025-06-${String(1 + (at % 28)).padStart(2, '0')}T00:00:00Z`,
    }),
  );
  const affiliates = [3, 4, 5, 6, 7];
  await service.import([
    ...[1, 2, ...affiliates].map((id) => user(id)),
    product(10, 1),
    product(11, 1),
    product(20, 2),
    ...payments,
    recurringPayment('PRE-other', 20),
    ...affiliates.flatMap((affiliate_id, at) => [
      affiliation(affiliate_id, 10, { status: pick(TERMS, at) }),
      affiliation(affiliate_id, 11, { status: pick(TERMS, at + 1) }),
      affiliation(affiliate_id, 20, { status: pick(TERMS, at) }),
    ]),
  ]);
  key = await service.key(1);
  const kinds = 'kinds=recurring_payment,relationship';
  const { text } = await service.get(`/ledger/v1/changes?limit=1000&${kinds}`, key);
  const feed = JSON.parse(text) as { meta: { cursor: string }; results: Record<string, Row>[] };
  ({ cursor } = feed.meta);
  for (const { recurring_payment, relationship } of feed.results) {
    if (recurring_payment !== undefined) {
      held.recurring_payment.push({ ...recurring_payment, canceled_on: null });
    }
    if (relationship !== undefined) held.relationship.push(relationship);
  }
});
afterAll(() => service.stop());

async function pageOf(operation: string, parameters: Parameters, of = key): Promise<Page> {
  const path = `/ledger/v1/${operation}?${new URLSearchParams(parameters).toString()}`;
  const { status, text } = await service.get(path, of);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text) as Page;
}

async function walk(operation: string, parameters: Parameters): Promise<Page[]> {
  const pages = [await pageOf(operation, parameters)];
  for (let after = pages[0]?.meta.next_cursor ?? null; after !== null;) {
    const page = await pageOf(operation, { ...parameters, after });
    pages.push(page);
    after = page.meta.next_cursor;
  }
  return pages;
}

const isListed = (list: string | undefined, value: unknown) =>
  list === undefined || list.split(',').includes(String(value));
const alike = (word: unknown) => String(word).trim().toUpperCase();

const expectedOf = {
  recurring_payments: (wanted: Parameters) =>
    held.recurring_payment
      .filter(({ status, product_id, next_date, ...emails }) => {
        const due =
          typeof next_date === 'string' && alike(status) === 'ACTIVE'
            ? next_date.slice(0, 10)
            : null;
        const all = [emails.processor_email, emails.contact_email, emails.sender_email];
        return (
          isListed(wanted.status?.toUpperCase(), alike(status)) &&
          isListed(wanted.product_id, product_id) &&
          (wanted.email === undefined || all.map(alike).includes(alike(wanted.email))) &&
          (wanted.due_before === undefined || (due !== null && due < wanted.due_before)) &&
          (wanted.due_after === undefined || (due !== null && due > wanted.due_after))
        );
      })
      .toSorted((one, other) => (String(one.preKey) < String(other.preKey) ? -1 : 1)),
  relationships: (wanted: Parameters) =>
    held.relationship
      .filter(
        ({ status, product_id, affiliate_id }) =>
          isListed(wanted.status, status) &&
          isListed(wanted.product_id, product_id) &&
          isListed(wanted.affiliate_id, affiliate_id),
      )
      .toSorted(
        (one, other) =>
          Number(one.product_id) - Number(other.product_id) ||
          Number(one.affiliate_id) - Number(other.affiliate_id),
      ),
} as const;

const filters = {
  recurring_payments: {
    status: fc.constantFrom('ACTIVE', 'active,CANCELED', 'Paused', 'none'),
    product_id: fc.constantFrom('10', '10,11', '20'),
    email: fc.constantFrom('MARA@example.test', 'leo@example.test', 'none@example.test'),
    due_before: fc.constantFrom('2025-06-10', '2025-06-30'),
    due_after: fc.constantFrom('2025-06-10', '2025-06-01'),
  },
  relationships: {
    status: fc.constantFrom('APPROVED', 'APPROVED,DENIED'),
    product_id: fc.constantFrom('10', '11,10', '20'),
    affiliate_id: fc.constantFrom('3', '5,4', '99'),
  },
} as const;

it('refuses days that end before they begin', async () => {
  const inverted = pageOf('recurring_payments', {
    due_before: '2025-06-09',
    due_after: '2025-06-10',
  });
  await expect(inverted).rejects.toThrow('due_before must be on or after due_after');
});

describe.each(['recurring_payments', 'relationships'] as const)('A query of %s', (operation) => {
  it('has what matches in the feed of the same cursor, page by page', async () => {
    const values = fc.record<Record<string, unknown>>(filters[operation], { requiredKeys: [] });
    await holds(
      fc.asyncProperty(values, fc.constantFrom('1', '4', '200'), async (chosen, limit) => {
        const parameters = Object.fromEntries(
          Object.entries(chosen).map(([name, value]) => [name, String(value)]),
        );
        const expected = expectedOf[operation](parameters);
        const pages = await walk(operation, { ...parameters, limit });
        expect(pages.flatMap(({ results }) => results)).toEqual(expected);
        for (const { meta } of pages) {
          expect([meta.total_count, meta.cursor]).toEqual([expected.length, cursor]);
        }
      }),
      { numRuns: 30, atLeast: 15 },
    );
    expect(expectedOf[operation]({}).length).toBeGreaterThan(0);
  });

  it('refuses parameters that it does not know, bad values, and cursors of others', async () => {
    for (const wrong of [{ stats: 'x' }, { product_id: 'x' }, { limit: '201' }, { after: 'x' }]) {
      await expect(pageOf(operation, wrong)).rejects.toThrow('"code":4001');
    }
    const { meta } = await pageOf(operation, { limit: '1' });
    const after = meta.next_cursor ?? '';
    const others = 'after belongs to another query';
    await expect(pageOf(operation, { after, product_id: '10' })).rejects.toThrow(others);
    await expect(pageOf(operation, { after }, await service.key(2))).rejects.toThrow(others);
    await expect(pageOf('transactions', { after })).rejects.toThrow(others);
  });
});

describe('A query of recurring payments with masked access', () => {
  it('may not filter by e-mail, and shows none', async () => {
    const masked = await service.key(1, 'masked');
    const refused = pageOf('recurring_payments', { email: 'leo@example.test' }, masked);
    await expect(refused).rejects.toThrow('"code":4030');
    const { results } = await pageOf('recurring_payments', {}, masked);
    expect(results).toHaveLength(PAYMENTS);
    for (const { processor_email, contact_email, sender_email } of results) {
      expect([processor_email, contact_email, sender_email]).toEqual(['', '', '']);
    }
  });
});
