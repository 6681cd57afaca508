import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectCommonHeaders } from '../../support/oracles/failure.js';
import { envelopeOf, type Answer } from '../../support/http/http.js';
import {
  FORM,
  relationshipPath,
  Relationships,
  STORED,
  STRANGER,
} from '../../support/builders/relationships.js';

const NEW = relationshipPath(STRANGER);
let relationships: Relationships;

beforeAll(async () => {
  relationships = await Relationships.start();
});
afterAll(() => relationships.stop());
beforeEach(async () => {
  await relationships.restore();
  await relationships.run(`DELETE FROM affiliations WHERE affiliate_id = ${STRANGER}`);
});

/** Expects a success of version 2.1 with one result. */
function resultOf(answer: Answer): Record<string, unknown> {
  const { meta, results } = envelopeOf(answer);
  expect(meta).toEqual({
    status: { http_status_code: 200, code: 2000, message: 'Success', detail: null },
    results_count: 1,
    api_version: '2.1',
  });
  expect(answer.status).toBe(200);
  expectCommonHeaders(answer, '2.1');
  return results[0] ?? {};
}

describe('PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}', () => {
  it.each([
    ['INSTANT', 'APPROVED', false],
    ['DELAYED', 'APPROVED', true],
    ['DENIED', 'DENIED', false],
  ])('makes %s the status %s, delayed: %s', async (approval_status, status, delayed_commission) => {
    const result = resultOf(await relationships.put({ approval_status }));
    expect(result).toEqual({ ...STORED, status, delayed_commission });
    expect(await relationships.read()).toEqual(result);
  });

  it.each([
    ['JSON', { approval_status: 'DELAYED', custom_commission: 75 }, 'application/json'],
    ['a form', 'approval_status=DELAYED&custom_commission=75', FORM],
    [
      'a form with a charset',
      'approval_status=DELAYED&custom_commission=75',
      `${FORM}; charset=utf-8`,
    ],
    [
      'JSON of a subtype',
      { approval_status: 'DELAYED', custom_commission: 75 },
      'Application/JSON; Charset=UTF-8',
    ],
  ])('adds the relationship when none exists, from %s', async (_, body, type) => {
    expect(await relationships.read(NEW)).toBeNull();
    const sent = Math.floor(Date.now() / 1_000) * 1_000;
    const result = resultOf(await relationships.put(body, type, NEW));
    expect(result).toEqual({
      created: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/),
      product_id: STORED.product_id,
      affiliate_id: STRANGER,
      comments: '',
      status: 'APPROVED',
      custom_commission: 75,
      delayed_commission: true,
      custom_sales_page_url: null,
      custom_payment_1st_payout: 0,
      custom_payment_trial_payout: 0,
    });
    const created = Date.parse(String(result.created));
    expect(created).toBeGreaterThanOrEqual(sent);
    expect(created).toBeLessThanOrEqual(Date.now());
    expect(await relationships.read(NEW)).toEqual(result);
  });

  it('keeps the moment of creation and the comment when it updates', async () => {
    resultOf(await relationships.put({ approval_status: 'DENIED' }, undefined, NEW));
    const { created } = (await relationships.read(NEW)) ?? {};
    resultOf(await relationships.put({ approval_status: 'INSTANT' }, undefined, NEW));
    expect(await relationships.read(NEW)).toMatchObject({ created, status: 'APPROVED' });
  });

  it.each([
    ['JSON', { approval_status: 'INSTANT' }, undefined],
    ['a form', 'approval_status=INSTANT', FORM],
  ])('leaves what %s does not name', async (_, body, type) => {
    const expected = { ...STORED, status: 'APPROVED', delayed_commission: false };
    expect(resultOf(await relationships.put(body, type))).toEqual(expected);
  });

  const TERMS = {
    custom_commission: 45,
    custom_sales_page_url: 'http://other.example/?q=a%20b&c=d',
    custom_payment_1st_payout: 46,
    custom_payment_trial_payout: 47,
  };
  const CLEARED = {
    custom_commission: 0,
    custom_sales_page_url: null,
    custom_payment_1st_payout: 0,
    custom_payment_trial_payout: 0,
  };
  const fields = Object.keys(TERMS) as (keyof typeof TERMS)[];

  it.each(fields)('sets %s alone', async (field) => {
    const approved = { ...STORED, status: 'APPROVED' };
    const json = { approval_status: 'DELAYED', [field]: TERMS[field] };
    const expected = { ...approved, [field]: TERMS[field] };
    expect(resultOf(await relationships.put(json))).toEqual(expected);
    await relationships.restore();
    const form = new URLSearchParams({ approval_status: 'DELAYED', [field]: String(TERMS[field]) });
    expect(resultOf(await relationships.put(form.toString(), FORM))).toEqual(expected);
    expect(await relationships.read()).toEqual(expected);
  });

  it.each(fields)(
    'clears %s with null in JSON and with an empty field in a form',
    async (field) => {
      const expected = { ...STORED, status: 'APPROVED', [field]: CLEARED[field] };
      const json = { approval_status: 'DELAYED', [field]: null };
      expect(resultOf(await relationships.put(json))).toEqual(expected);
      await relationships.restore();
      const form = `approval_status=DELAYED&${field}=`;
      expect(resultOf(await relationships.put(form, FORM))).toEqual(expected);
      expect(
        await relationships.rows(`SELECT ${field} AS kept_value FROM affiliations
      WHERE affiliate_id = ${STORED.affiliate_id} AND product_id = ${STORED.product_id}`),
      ).toEqual([{ kept_value: null }]);
    },
  );

  it('sets every field at once, and the same again changes nothing', async () => {
    const expected = { ...STORED, ...TERMS, status: 'APPROVED', delayed_commission: false };
    const body = { approval_status: 'INSTANT', ...TERMS };
    expect(resultOf(await relationships.put(body))).toEqual(expected);
    expect(resultOf(await relationships.put(body))).toEqual(expected);
    expect(await relationships.read()).toEqual(expected);
  });

  it('serves the same under a trailing slash', async () => {
    const answer = await relationships.put(
      { approval_status: 'DENIED' },
      undefined,
      `${relationshipPath()}/`,
    );
    expect(resultOf(answer)).toMatchObject({ status: 'DENIED' });
  });

  it('shows in version 2.0 too', async () => {
    resultOf(await relationships.put({ approval_status: 'DELAYED', custom_commission: 7 }));
    const path = `/v2.0/products/${STORED.product_id}/affiliates/${STORED.affiliate_id}`;
    expect(await relationships.read(path)).toEqual({
      created: STORED.created,
      product_id: STORED.product_id,
      affiliate_id: String(STORED.affiliate_id),
      comments: STORED.comments,
      status_id: 2,
      custom_commission: '0.07',
      delayed_commission: '1',
    });
  });
});
