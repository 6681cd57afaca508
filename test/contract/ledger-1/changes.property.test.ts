/**
 * A follower of the feed of changes ends with the same data as the operations, while writers of
 * every kind run.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  affiliation,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { FeedFollower, type Shown } from '../../support/oracles/feed-follower.js';
import { sendRecords } from '../../support/http/records.js';
import { holds } from '../../support/random/properties.js';
import { TestService } from '../../support/servers/service.js';

const RUNS = 12;
const WRITERS = 3;
const AFFILIATES = [1, 2, 3];

let service: TestService;
let source: string;
let vendor = 0;
beforeAll(async () => {
  service = await TestService.start();
  source = await service.sourceKey(null);
});
afterAll(() => service.stop());

/** A write; its numbers select the records that it changes. */
const writes = fc.array(
  fc.record({
    what: fc.constantFrom(
      'sale',
      'record',
      'refund',
      'correction',
      'rename',
      'relationship',
      'terms',
      'payment',
      'cancel',
      'product',
    ),
    which: fc.integer({ min: 1, max: 4 }),
    affiliate: fc.constantFrom(null, ...AFFILIATES),
    value: fc.integer({ min: 1, max: 99 }),
  }),
  { minLength: 5, maxLength: 40 },
);
type Write =
  typeof writes extends fc.Arbitrary<infer Cases>
    ? Cases extends readonly (infer Case)[]
      ? Case
      : never
    : never;

async function write(base: number, key: string, { what, which, affiliate, value }: Write) {
  const seller = affiliate === null ? null : base + affiliate;
  const partner = base + (affiliate ?? 1);
  const sale = (changes: Record<string, unknown>) =>
    transaction(`S-${base}-${which}`, base, { affiliate_id: seller, ...changes });
  if (what === 'sale') await service.import([sale({ status: 'pending' })]);
  else if (what === 'record') {
    const answer = await sendRecords(service, source, [sale({ amount: `2${value}.00` })]);
    expect(answer.status).toBe(200);
  } else if (what === 'correction') await service.import([sale({ amount: `1${value}.00` })]);
  else if (what === 'refund') {
    const given = refund(`2025-06-2${which}T12:00:00Z`);
    await service.import([sale({ status: 'refunded', refund: given })]);
  } else if (what === 'rename')
    await service.import([user(partner, { display_name: `N${value}` })]);
  else if (what === 'relationship') {
    await service.import([affiliation(partner, base, { comments: `C${value}` })]);
  } else if (what === 'terms') {
    const answer = await service.put(`/v2.1/affiliates/${partner}/products/${base}`, key, {
      approval_status: value % 2 === 0 ? 'INSTANT' : 'DENIED',
    });
    expect(answer.status).toBe(200);
  } else if (what === 'payment') {
    const payment = { id: base * 10 + which, current_payments: value % 12 };
    await service.import([recurringPayment(`P-${base}-${which}`, base, payment)]);
  } else if (what === 'cancel') {
    const path = `/v2.0/recurring_payment/P-${base}-${which}`;
    const answer = await service.put(path, key, { status: 'CANCEL' });
    expect([200, 404]).toContain(answer.status);
  } else await service.import([product(base, base, { name: `Name ${value}` })]);
}

async function resultsOf(path: string, key: string): Promise<Shown[]> {
  return (await service.envelope(path, key)).results as unknown as Shown[];
}

describe('a follower of the feed of changes', () => {
  it('holds the ledger whenever there is no more', async () => {
    await holds(
      fc.asyncProperty(
        fc.array(writes, { minLength: 1, maxLength: WRITERS }),
        fc.integer({ min: 1, max: 20 }),
        async (series, limit) => {
          vendor += 10;
          const base = vendor;
          await service.import([
            user(base),
            ...AFFILIATES.map((id) => user(base + id, { display_name: `First ${id}` })),
            product(base, base),
          ]);
          const key = await service.key(base);
          const follower = new FeedFollower(key, limit);
          const written = new Set<'all'>();
          const writing = Promise.all(
            series.map(async (own) => {
              for (const one of own) await write(base, key, one);
            }),
          ).finally(() => written.add('all'));
          while (!written.has('all')) {
            if (!(await follower.step(service))) await follower.isExport(service);
          }
          await writing;
          while (await follower.step(service));
          expect(await follower.isExport(service)).toBe(true);
          expect([...follower.of('product').values()]).toEqual(
            await resultsOf('/v2.1/products/names', key),
          );
          for (const [pre_key, payment] of follower.of('recurring_payment')) {
            expect([payment]).toEqual(await resultsOf(`/v2.0/recurring_payment/${pre_key}`, key));
          }
          for (const [path, terms] of follower.of('relationship')) {
            expect([terms]).toEqual(await resultsOf(path, key));
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});
