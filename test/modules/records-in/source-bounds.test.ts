import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { affiliation, product, transaction, user } from '../../support/builders/ledger-records.js';
import { basic, envelopeOf } from '../../support/http/http.js';
import { problemsIn, sendRecords, verdictsIn } from '../../support/http/records.js';
import { TestService } from '../../support/servers/service.js';

const VENDOR = 1;
const OTHER = 2;
const BEYOND_USERS =
  'id: the sources and upstreams of this vendor may create at most 3 (SOURCE_MAX_USERS)';
const BEYOND_PRODUCTS =
  'id: the sources and upstreams of this vendor may create at most 2 (SOURCE_MAX_PRODUCTS)';

let service: TestService;
let source: string;
let key: string;
beforeAll(async () => {
  service = await TestService.start({ SOURCE_MAX_USERS: '3', SOURCE_MAX_PRODUCTS: '2' });
  await service.import([user(VENDOR), user(OTHER), product(10, VENDOR)]);
  source = await service.sourceKey(VENDOR);
  key = await service.key(VENDOR);
});
afterAll(() => service.stop());

async function affiliateOf(transaction_id: string): Promise<unknown> {
  const { results } = await service.envelope(`/v3.0/transactions/${transaction_id}`, key);
  return (results[0] as { affiliate: unknown }).affiliate;
}

async function changedAffiliates(): Promise<unknown[]> {
  const path = '/ledger/v1/changes?kinds=affiliate';
  const answer = envelopeOf(await service.send({ path, headers: basic(key) }));
  return answer.results.map((change) => (change as { affiliate: unknown }).affiliate);
}

describe('what the sources and upstreams of a vendor may create', () => {
  it('is bounded for users, also by batches that come at once', async () => {
    const ids = [100, 101, 102, 103, 104, 105];
    const answers = await Promise.all(
      ids.map((id) => sendRecords(service, source, [user(id), user(id, { name: 'Again' })])),
    );
    const verdicts = answers.map((answer) => verdictsIn(answer).join());
    expect(verdicts.sort()).toEqual([
      ...Array<string>(3).fill('inserted,updated'),
      ...Array<string>(3).fill('rejected,rejected'),
    ]);
    const answer = await sendRecords(service, source, [user(106), user(OTHER)]);
    expect(problemsIn(answer)[0]).toBe(BEYOND_USERS);
    expect(verdictsIn(answer)[1]).toBe('unchanged');
  });

  it('stores a sale whose affiliate is beyond with the id alone, and nothing else of it', async () => {
    const answer = await sendRecords(service, source, [
      user(110),
      transaction('BEYOND', 10, { affiliate_id: 110 }),
      affiliation(110, 10),
    ]);
    expect(verdictsIn(answer)).toEqual(['rejected', 'inserted', 'rejected']);
    expect(await affiliateOf('BEYOND')).toEqual({ id: 110, display_name: null });
    expect(await changedAffiliates()).toEqual([]);
    // The operator's name is for the operator's sales, but this vendor is still notified of the
    // change.
    await service.import([user(110, { display_name: 'Named' }), affiliation(110, 10)]);
    expect(await affiliateOf('BEYOND')).toEqual({ id: 110, display_name: 'Named' });
    expect(await changedAffiliates()).toEqual([{ id: 110, display_name: 'Named' }]);
  });

  it('has room again for users whom the operator has named', async () => {
    const named = [100, 101, 102, 103, 104, 105].map((id) => user(id));
    await service.import(named);
    expect(verdictsIn(await sendRecords(service, source, [user(120)]))).toEqual(['inserted']);
  });

  it('is bounded for products', async () => {
    const products = [20, 21, 22].map((id) => product(id, VENDOR));
    const answer = await sendRecords(service, source, [...products, product(10, VENDOR)]);
    expect(verdictsIn(answer)).toEqual(['inserted', 'inserted', 'rejected', 'unchanged']);
    expect(problemsIn(answer)[2]).toBe(BEYOND_PRODUCTS);
  });

  it('does not bound the operator, nor a source of all vendors', async () => {
    const all = await service.sourceKey(null);
    const records = [130, 131, 132, 133, 134].flatMap((id) => [user(id), product(id, OTHER)]);
    expect(new Set(verdictsIn(await sendRecords(service, all, records)))).toEqual(
      new Set(['inserted']),
    );
  });
});
