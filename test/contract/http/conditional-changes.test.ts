/** Every change of an answer changes its tag, and a tag of an old answer is never confirmed. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesOf } from '../../support/builders/test-ledger.js';
import { runCli } from '../../support/processes/cli.js';
import type { Answer } from '../../support/http/http.js';
import { payoutItem, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import {
  TAGGED,
  TaggedVendor,
  type TaggedOperation,
} from '../../support/builders/tagged-operations.js';

const OF_THE_SALE: TaggedOperation[] = ['list', 'single', 'detail', 'summary', 'latest'];
/** Operations that show the affiliate. */
const OF_ITS_AFFILIATE: TaggedOperation[] = ['list', 'single', 'detail', 'latest'];
const { payouts, customer } = transaction('any', 1);

interface Change {
  readonly what: string;
  readonly records: (vendor: TaggedVendor) => object[];
  /** Operations whose answers the change must affect at least. */
  readonly shows: readonly TaggedOperation[];
}

const ofSale = (
  what: string,
  changes: Readonly<Record<string, unknown>>,
  shows: readonly TaggedOperation[],
): Change => ({ what, records: (vendor) => [vendor.changedSale(changes)], shows });

const CHANGES: readonly Change[] = [
  {
    what: 'a new sale',
    records: ({ id, product }) => [
      transaction(`new-${id}`, product, { sale_date: '2025-06-30T13:00:00Z' }),
    ],
    shows: ['list', 'latest', 'latest after the first', 'latest after the last'],
  },
  {
    what: 'a new sale that the range does not hold',
    records: ({ id, product }) => [
      transaction(`old-${id}`, product, { sale_date: '2020-01-01T00:00:00Z' }),
    ],
    shows: ['latest'],
  },
  ofSale('another amount', { amount: '48.00' }, OF_THE_SALE),
  ofSale('another status', { status: 'pending' }, OF_THE_SALE),
  ofSale('another name of its product', { product_name: 'Renamed' }, OF_THE_SALE),
  ofSale('another day', { sale_date: '2025-06-02T12:00:00Z' }, OF_THE_SALE),
  ofSale('a day outside of the range', { sale_date: '2025-07-02T12:00:00Z' }, OF_THE_SALE),
  ofSale('a refund', { refund: refund('2025-06-20T00:00:00Z') }, ['list', 'single']),
  ofSale('a sale without an affiliate', { affiliate_id: null }, OF_ITS_AFFILIATE),
  ofSale('a payout', { payouts: { ...payouts, affiliate_payout: '1.00' } }, ['list', 'single']),
  ofSale('tracking', { tracking: { tid: 'a' } }, ['list', 'single', 'detail']),
  ofSale('a commission that was paid', { affiliate_commission_status: 'PAID' }, []),
  ofSale('a payout item', { payout_items: [payoutItem(1)] }, ['detail']),
  ofSale('taxes', { taxes: { tax_total: '1.00' } }, ['detail']),
  {
    what: 'another product of the vendor',
    records: (vendor) => [{ ...vendor.changedSale({}), product_id: vendor.other }],
    shows: OF_THE_SALE,
  },
  {
    what: 'the affiliate’s display name',
    records: ({ affiliate }) => [user(affiliate, { display_name: 'Shown' })],
    shows: OF_ITS_AFFILIATE,
  },
  {
    what: 'the affiliate’s name',
    records: ({ affiliate }) => [user(affiliate, { name: 'Other' })],
    shows: ['detail', 'latest'],
  },
  ofSale(
    'the buyer’s e-mail at the processor',
    { customer: { ...customer, processor_email: 'other@example.test' } },
    ['detail', 'summary'],
  ),
  {
    what: 'the vendor’s name',
    records: ({ id }) => [user(id, { name: 'Other' })],
    shows: ['detail'],
  },
];

let service: TestService;
/** Another instance on the same database, whose memory holds only what was requested from it. */
let other: TestService;
const neighbour = new TaggedVendor(99);
let vendors = 0;

beforeAll(async () => {
  service = await TestService.start();
  other = await service.beside();
  await service.import(neighbour.records());
});
afterAll(async () => {
  await other.stop();
  await service.stop();
});

type Answers = ReadonlyMap<TaggedOperation, Answer>;

async function answersOf(
  vendor: TaggedVendor,
  of: string,
  asked: TestService,
  known?: Answers,
): Promise<Answers> {
  const answers = new Map<TaggedOperation, Answer>();
  for (const operation of TAGGED) {
    const tag = known?.get(operation)?.headers.etag;
    const headers: Record<string, string> = tag === undefined ? {} : { 'If-None-Match': tag };
    answers.set(operation, await asked.get(vendor.paths[operation], of, headers));
  }
  return answers;
}

describe.each(CHANGES)('$what', ({ records, shows }) => {
  const vendor = new TaggedVendor((vendors += 1));
  let before: Answers;
  let after: Answers;
  let elsewhere: Answers;
  let neighbours: readonly [string, Answers];

  beforeAll(async () => {
    await service.import(vendor.records());
    const key = await service.key(vendor.id);
    const foreign = await service.key(neighbour.id);
    neighbours = [foreign, await answersOf(neighbour, foreign, service)];
    before = await answersOf(vendor, key, service);
    await answersOf(vendor, key, other);
    await service.import(records(vendor));
    after = await answersOf(vendor, key, service, before);
    elsewhere = await answersOf(vendor, key, other, before);
  });

  it.each(TAGGED)('changes the tag of everything it changes: %s', (operation) => {
    const [old, now] = [before.get(operation), after.get(operation)];
    const isChanged = shows.includes(operation);
    // A change that is not shown may result in 200 or 304.
    if (isChanged) expect(now?.status).toBe(200);
    if (now?.status === 304) return;
    if (isChanged) expect(now?.text).not.toBe(old?.text);
    if (now?.text !== old?.text) expect(now?.headers.etag).not.toBe(old?.headers.etag);
  });

  it('is answered the same by another instance', () => {
    for (const operation of TAGGED) {
      expect(elsewhere.get(operation)?.text).toBe(after.get(operation)?.text);
      expect(elsewhere.get(operation)?.headers.etag).toBe(after.get(operation)?.headers.etag);
    }
  });

  it('leaves another vendor’s answers as they are', async () => {
    const [foreign, known] = neighbours;
    const answers = await answersOf(neighbour, foreign, service, known);
    expect(Array.from(answers.values(), ({ status }) => status)).toEqual(TAGGED.map(() => 304));
  });
});

describe('what is written elsewhere', () => {
  const vendor = new TaggedVendor(50);
  const path = '/v3.0/transactions?start_date=2030-01-01&end_date=2030-01-01&page_size=1';
  const sale = (index: number) =>
    transaction(`later-${index}`, vendor.product, { sale_date: '2030-01-01T00:00:00Z' });
  let key: string;
  let sales = 0;

  beforeAll(async () => {
    await service.import(vendor.records());
    key = await service.key(vendor.id);
  });

  /** Requests a page as a polling client does, and once more so that the page is cached. */
  async function polled(asked: TestService, tag: string | undefined): Promise<Answer> {
    const headers: Record<string, string> = tag === undefined ? {} : { 'If-None-Match': tag };
    const answer = await asked.get(path, key, headers);
    expect(answer.status).toBe(200);
    const kept = await asked.get(path, key);
    expect(kept.text).toBe(answer.text);
    return answer;
  }

  const countIn = (answer: Answer) =>
    (JSON.parse(answer.text) as { meta: { total_count: number } }).meta.total_count;

  it('through another instance is in the very next answer, 200 times', async () => {
    let tag: string | undefined;
    for (let time = 0; time < 200; time += 1) {
      sales += 1;
      await service.import([sale(sales)]);
      const answer = await polled(other, tag);
      expect(countIn(answer)).toBe(sales);
      tag = answer.headers.etag;
    }
  });

  it('by a command is in the very next answer of every instance', async () => {
    for (let time = 0; time < 3; time += 1) {
      const before = [await service.get(path, key), await other.get(path, key)];
      sales += 1;
      const input = bytesOf([sale(sales)]);
      const { status } = await runCli(service.database.url, ['import', '-'], { input });
      expect(status).toBe(0);
      for (const [index, asked] of [service, other].entries()) {
        expect(countIn(await polled(asked, before[index]?.headers.etag))).toBe(sales);
      }
    }
  });
});
