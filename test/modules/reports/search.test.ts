/**
 * A search by the beginning of an id or of an e-mail finds the same sales as a look at the whole
 * ledger.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FoundSale } from '../../../src/modules/reports/sale/search.repository.js';
import { SearchService } from '../../../src/modules/reports/sale/search.service.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { holds, sampled } from '../../support/random/properties.js';
import { TestService } from '../../support/servers/service.js';

const [VENDOR, AFFILIATE, OTHER] = [1, 2, 3];
const OF_VENDOR = { role: 'vendor', user_id: VENDOR } as const;
const OF_AFFILIATE = { role: 'affiliate', user_id: AFFILIATE } as const;
const SALES = 400;
const SEARCHES = 120;
const DAYS = ['2025-06-01T12:00:00Z', '2025-06-01T12:00:01Z', '2025-07-01T00:00:00Z'];

/**
 * There are few letters, so that many texts begin alike. `É` differs from `é`, since the ledger
 * compares bytes beyond ASCII.
 */
const letters = fc.constantFrom('a', 'A', 'b', 'B', 'z', 'É', 'é', '%', '_', '\\', "'", '🙂');
const emails = fc
  .array(letters, { minLength: 3, maxLength: 5 })
  .map((text) => `${text.join('')}@x.test`);
const sales = fc.record({
  email: fc.oneof(emails, fc.constantFrom('anna@x.test', 'Anna@x.test', 'ANNA@X.TEST')),
  id: fc.stringMatching(/^[aA%_\\'.-]{2,3}$/),
  sale_date: fc.constantFrom(...DAYS),
  vendor: fc.constantFrom(VENDOR, VENDOR, OTHER),
  affiliate_id: fc.constantFrom(null, AFFILIATE),
});

interface Sold {
  readonly id: string;
  readonly email: string;
  readonly sale_date: string;
  readonly vendor: number;
  readonly affiliate_id: number | null;
  readonly place: number;
}

let service: TestService;
let search: SearchService;
let ledger: readonly Sold[];
beforeAll(async () => {
  service = await TestService.start();
  search = service.app.get(SearchService);
  ledger = sampled(sales, SALES).map((sold, place) => ({
    ...sold,
    place,
    id: `${sold.id}${place}`,
  }));
  await service.import([
    user(VENDOR),
    user(AFFILIATE),
    user(OTHER),
    product(10, VENDOR),
    product(30, OTHER),
    ...ledger.map(({ id, email, vendor, ...sold }) =>
      transaction(id, vendor * 10, {
        sale_date: sold.sale_date,
        affiliate_id: sold.affiliate_id,
        customer: { email, first_name: 'Ada', last_name: 'Byron' },
      }),
    ),
  ]);
});
afterAll(() => service.stop());

function bytewise(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Returns the expected ids from a look at each sale of the ledger. */
function expectedIds(whose: (sold: Sold) => boolean, text: string): string[] {
  const isFound = ({ id }: Sold) => (text.length < 3 ? id === text : id.startsWith(text));
  return ledger
    .filter((sold) => whose(sold) && isFound(sold))
    .map(({ id }) => id)
    .sort(bytewise);
}

function expectedByEmail(text: string): string[] {
  if (text.length < 3) return [];
  return ledger
    .filter(({ vendor, email }) => vendor === VENDOR && lower(email).startsWith(lower(text)))
    .sort(
      (left, right) =>
        bytewise(left.email, right.email) ||
        bytewise(right.sale_date, left.sale_date) ||
        right.place - left.place,
    )
    .map(({ id }) => id);
}

/** Returns the sales of all pages, and expects at most 50 sales on each. */
async function foundBy(viewer: typeof OF_VENDOR | typeof OF_AFFILIATE, text: string) {
  const [byId, byEmail]: [string[], string[]] = [[], []];
  const idsOf = (found: readonly FoundSale[]) => found.map(({ transaction_id }) => transaction_id);
  for (let cursor: string | null = null; ;) {
    const page = await search.search({ viewer, text, cursor });
    expect(page.byId.length + page.byEmail.length).toBeLessThanOrEqual(50);
    byId.push(...idsOf(page.byId));
    byEmail.push(...idsOf(page.byEmail));
    if (page.next === null) return { byId, byEmail };
    cursor = page.next;
  }
}

describe('A search', () => {
  it('finds what a look at the whole ledger finds, page by page', async () => {
    const texts = fc.oneof(
      fc.constantFrom(...ledger.map(({ email }) => email)),
      fc.constantFrom(...ledger.map(({ id }) => id)),
      fc.array(letters, { minLength: 1, maxLength: 4 }).map((text) => text.join('')),
      fc.constantFrom('anna', 'aNNa@x.test', 'ann\u0000', '   ', '\u{10FFFF}aa', 'aa\uD7FF'),
    );
    let found = 0;
    const runs = await holds(
      fc.asyncProperty(texts, async (text) => {
        const all = await foundBy(OF_VENDOR, text);
        expect(all).toEqual({
          byId: expectedIds(({ vendor }) => vendor === VENDOR, text),
          byEmail: expectedByEmail(text),
        });
        found += all.byEmail.length;
        expect(await foundBy(OF_AFFILIATE, text)).toEqual({
          byId: expectedIds(({ affiliate_id }) => affiliate_id === AFFILIATE, text),
          byEmail: [],
        });
      }),
      { numRuns: SEARCHES },
    );
    expect(found).toBeGreaterThan(runs);
  });

  it('finds the exact id first, and nothing of another vendor by its id', async () => {
    const own = ledger.find(({ vendor }) => vendor === VENDOR);
    const foreign = ledger.find(({ vendor, id }) => vendor === OTHER && id.length > 3);
    const page = await search.search({ viewer: OF_VENDOR, text: own?.id ?? '', cursor: null });
    expect(page.byId[0]?.transaction_id).toBe(own?.id);
    const other = await search.search({ viewer: OF_VENDOR, text: foreign?.id ?? '', cursor: null });
    expect(other.byId.map(({ vendor_id }) => vendor_id)).not.toContain(OTHER);
  });

  it('refuses a cursor that no page has, that of another vendor among them', async () => {
    for (const cursor of ['ids', 'ids-1', 'names-1-1', `ids-${OTHER}-1`, 'emails-1-999999999']) {
      const wrong = search.search({ viewer: OF_VENDOR, text: 'anna', cursor });
      await expect(wrong).rejects.toThrow('Invalid page link.');
    }
  });
});
