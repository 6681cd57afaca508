import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import {
  AFFILIATE,
  FOREIGN_PRODUCT,
  OTHER_VENDOR,
  PRODUCT,
  relationshipPath,
  Relationships,
  STORED,
  STRANGER,
} from '../../support/builders/relationships.js';

const BODY = { approval_status: 'INSTANT' };
const NOBODY = 999;
const NOTHING = 998;
let relationships: Relationships;

beforeAll(async () => {
  relationships = await Relationships.start();
  await relationships.restore();
});
afterAll(() => relationships.stop());

/** Sends a write that must fail, as any user, and expects that nothing is written. */
async function refused(path: string, user_id?: number) {
  const { service } = relationships;
  // The audit log also has an entry for a new key.
  const key = user_id === undefined ? relationships.key : await service.key(user_id);
  const before = await relationships.written();
  const answer = await service.put(path, key, BODY);
  expect(await relationships.written()).toEqual(before);
  return answer;
}

describe('A write of a relationship', () => {
  it("is refused with 4012 for another vendor's product, with a relationship or without", async () => {
    expectFailure(await refused(relationshipPath(AFFILIATE, FOREIGN_PRODUCT)), 4012, '2.1');
    expectFailure(await refused(relationshipPath(STRANGER, FOREIGN_PRODUCT)), 4012, '2.1');
    expectFailure(await refused(relationshipPath(), OTHER_VENDOR), 4012, '2.1');
  });

  it('is refused with 4012 for the affiliate itself', async () => {
    expectFailure(await refused(relationshipPath(), AFFILIATE), 4012, '2.1');
  });

  it.each([
    ['product', relationshipPath(AFFILIATE, NOTHING)],
    ['affiliate', relationshipPath(NOBODY, PRODUCT)],
    ['product and an unknown affiliate', relationshipPath(NOBODY, NOTHING)],
    ['product that is beyond 32 bits', relationshipPath(AFFILIATE, Number.MAX_SAFE_INTEGER)],
    ['affiliate that is 0', relationshipPath(0, PRODUCT)],
  ])('is answered with 404 for an unknown %s', async (_, path) => {
    expectFailure(await refused(path), 4040, '2.1');
  });

  it.each(['x', '-7', '7.0', '+7', '7e0', '0x7', '%207', '9007199254740992', '7%00'])(
    'is refused with 4001 for the affiliate_id or product_id %s',
    async (id) => {
      const affiliate = await refused(`/v2.1/affiliates/${id}/products/${PRODUCT}`);
      expect(expectFailure(affiliate, 4001, '2.1')).toContain('affiliate_id');
      const product = await refused(`/v2.1/affiliates/${AFFILIATE}/products/${id}`);
      expect(expectFailure(product, 4001, '2.1')).toContain('product_id');
    },
  );

  it.each([
    ['a field', { approval_status: '?' }, ['approval_status']],
    ['two fields', { custom_commission: 101 }, ['approval_status', 'custom_commission']],
    ['no object', [], ['The body must be an object']],
  ])('names the faults of the path and of the body at once: %s', async (_, body, faults) => {
    const path = '/v2.1/affiliates/x/products/-1';
    const detail = expectFailure(await relationships.put(body, undefined, path), 4001, '2.1');
    const named = ['affiliate_id', 'product_id', ...faults];
    const places = named.map((fault) => detail.indexOf(fault));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((left, right) => left - right));
    expect(detail.split('; ')).toHaveLength(named.length);
  });

  it('tells a bad field before it tells whether the product is there', async () => {
    const path = relationshipPath(AFFILIATE, NOTHING);
    expectFailure(await relationships.put({}, undefined, path), 4001, '2.1');
  });

  it.each(['POST', 'PATCH', 'DELETE'])('is not made by %s', async (method) => {
    const { service, key } = relationships;
    const headers = { Authorization: `Basic ${Buffer.from(`${key}:x`).toString('base64')}` };
    const answer = await service.send({ method, path: relationshipPath(), headers });
    expectFailure(answer, 4050, '2.1');
    expect(String(answer.headers.allow).split(', ').sort()).toEqual(['GET', 'HEAD', 'PUT']);
  });

  it('is not there in the other versions', async () => {
    expectFailure(await refused(`/v3.0/affiliates/${AFFILIATE}/products/${PRODUCT}`), 4040, '3.0');
    const older = await refused(`/v2.0/products/${PRODUCT}/affiliates/${AFFILIATE}`);
    expectFailure(older, 4050, '2.0');
  });

  it('left the relationship as it was, whoever tried', async () => {
    expect(await relationships.read()).toEqual(STORED);
  });
});
