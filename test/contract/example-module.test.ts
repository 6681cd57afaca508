import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { PAYOUTS } from '../example-module/payouts.module.js';
import { envelopeOf } from '../support/http.js';
import { product, transaction, user } from '../support/ledger-records.js';
import { TestService } from '../support/service.js';

const PATH = '/v3.0/payouts/months';
const ROOT = join(import.meta.dirname, '../..');

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await TestService.start({ THROTTLE_LIMITS: '100000/1h' }, [PAYOUTS]);
  await service.import([
    ...[user(1), user(2), user(3, { status: 'suspended' }), product(10, 1), product(20, 2)],
    transaction('A', 10, { sale_date: '2025-06-30T23:59:59Z' }),
    transaction('B', 10, { sale_date: '2025-07-01T00:00:00Z' }),
    transaction('C', 10, { sale_date: '2025-07-15T12:00:00Z' }),
    transaction('D', 20, { sale_date: '2025-07-15T12:00:00Z' }),
  ]);
  await service.app.get(Database).write(async (session) => {
    const values = [1, '2025-07', 100_000];
    await session.run('INSERT INTO payout_goals (vendor_id, month, goal) VALUES (?, ?, ?)', values);
  });
  key = await service.key(1);
});
afterAll(() => service.stop());

describe('A module that a back office adds', () => {
  it('answers in the envelope, over its own table and the ledger', async () => {
    const { meta, results } = await service.envelope(`${PATH}?year=2025`, key);
    expect(meta).toMatchObject({ results_count: 2, api_version: '3.0', status: { code: 2000 } });
    expect(results).toEqual([
      { month: '2025-06', seller_earnings: '40.00', goal: null },
      { month: '2025-07', seller_earnings: '80.00', goal: '1000.00' },
    ]);
  });

  it("is in the list of its version's operations", async () => {
    const { results } = await service.envelope('/v3.0', key);
    expect(results[0]?.operations).toContainEqual({ method: 'GET', path: PATH });
  });

  it('names a wrong parameter', async () => {
    const answer = await service.get(`${PATH}?year=x`, key);
    expect(envelopeOf(answer).meta.status).toMatchObject({ http_status_code: 400, code: 4001 });
  });

  it('has errors of its own in the one catalogue', async () => {
    const answer = await service.get(`${PATH}?year=1999`, key);
    expect(envelopeOf(answer).meta.status).toMatchObject({ http_status_code: 404, code: 4040 });
  });

  it('stands behind the key and the account', async () => {
    const without = await service.send({ path: `${PATH}?year=2025` });
    expect(envelopeOf(without).meta.status.code).toBe(4010);
    const suspended = await service.get(`${PATH}?year=2025`, await service.key(3));
    expect(envelopeOf(suspended).meta.status.code).toBe(4030);
  });

  it('is counted to the limits of its caller, and told so', async () => {
    const left = async (path: string) =>
      Number((await service.get(path, key)).headers['x-ratelimit-remaining']);
    const before = await left('/v3.0');
    expect([await left(PATH), await left('/v3.0')]).toEqual([before - 1, before - 2]);
  });

  it('refuses other methods with Allow, and keeps a request id', async () => {
    const answer = await service.send({
      method: 'POST',
      path: PATH,
      headers: {
        Authorization: `Basic ${Buffer.from(`${key}:x`).toString('base64')}`,
        'X-Request-Id': 'mine',
      },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers).toMatchObject({ allow: 'GET, HEAD', 'x-request-id': 'mine' });
  });
});

describe('docs/adding-a-module.md', () => {
  const page = readFileSync(join(ROOT, 'docs/adding-a-module.md'), 'utf8');
  const blocks = [...page.matchAll(/\*\*`([^`]+)`\*\*\n\n```ts\n([^]*?)```/g)];

  it('shows every file of the example', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(9);
  });

  it.each(blocks.map(([, file = '', code = '']) => [file, code]))(
    'shows %s as it is',
    (file, code) => {
      expect(code).toBe(readFileSync(join(ROOT, file), 'utf8'));
    },
  );
});
