import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { user } from '../../support/builders/ledger-records.js';
import { AFFILIATE, FORM, Relationships, STORED } from '../../support/builders/relationships.js';

let relationships: Relationships;

beforeAll(async () => {
  relationships = await Relationships.start();
});
afterAll(() => relationships.stop());
beforeEach(() => relationships.restore());

const MOST = Number.MAX_SAFE_INTEGER;
const ADDRESS = 'https://sales.example/';
const address = (characters: number, filling = 'a') =>
  ADDRESS + filling.repeat(characters - ADDRESS.length);
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

/** Expects 4001 with a sentence that names the field, and that nothing was written. */
async function expectRefused(field: string, body: unknown, type?: string): Promise<void> {
  const before = await relationships.written();
  const answer = await relationships.put(body, type);
  expect(expectFailure(answer, 4001, '2.1')).toContain(field);
  expect(await relationships.written()).toEqual(before);
}

describe.each([
  ['custom_commission', [0, 1, 75, 100], [101, -1, 1.5, 1e300]],
  ['custom_payment_1st_payout', [0, 1, 2_147_483_648, MOST], [-1, 0.5, MOST + 1, 1e300]],
  ['custom_payment_trial_payout', [0, 1, 2_147_483_648, MOST], [-1, 0.5, MOST + 1, 1e300]],
] as const)('%s of a relationship', (field, taken, refused) => {
  it.each(taken)('can be %p', async (value) => {
    const expected = { ...STORED, status: 'APPROVED', [field]: value };
    await relationships.put({ approval_status: 'DELAYED', [field]: value });
    expect(await relationships.read()).toEqual(expected);
    await relationships.restore();
    await relationships.put(form({ approval_status: 'DELAYED', [field]: String(value) }), FORM);
    expect(await relationships.read()).toEqual(expected);
  });

  it.each(refused)('can not be %p', async (value) => {
    await expectRefused(field, { approval_status: 'INSTANT', [field]: value });
    const fields = form({ approval_status: 'INSTANT', [field]: String(value) });
    await expectRefused(field, fields, FORM);
  });

  it.each(['x', '', ' ', '-0', '+7', '7 ', '1e1', '0x10', '7.0', '٧', true, false, [], [7], {}])(
    'can not be %j in JSON',
    (value) => expectRefused(field, { approval_status: 'INSTANT', [field]: value }),
  );

  it.each(['x', ' ', '-0', '+7', '7 ', '1e1', '0x10', '7.0', '٧', 'null', '7,8'])(
    'can not be %j in a form',
    (value) => expectRefused(field, form({ approval_status: 'INSTANT', [field]: value }), FORM),
  );
});

describe('custom_sales_page_url of a relationship', () => {
  it.each([
    ['http', 'http://sales.example'],
    ['https, a port, a query and a fragment', 'https://sales.example:8443/p?a=1&b=%20#c'],
    ['2048 characters', address(2048)],
    ['2048 characters beyond the basic plane', address(2048, '🙂')],
    ['quotes and SQL', 'https://sales.example/\';DROP--"`\\'],
  ])('can have %s', async (_, custom_sales_page_url) => {
    const expected = { ...STORED, status: 'APPROVED', custom_sales_page_url };
    await relationships.put({ approval_status: 'DELAYED', custom_sales_page_url });
    expect(await relationships.read()).toEqual(expected);
  });

  it('can have 2048 characters in a form', async () => {
    const custom_sales_page_url = address(2048);
    await relationships.put(form({ approval_status: 'DELAYED', custom_sales_page_url }), FORM);
    expect(await relationships.read()).toMatchObject({ custom_sales_page_url });
  });

  it.each([
    ['2049 characters', address(2049)],
    ['2049 characters beyond the basic plane', address(2049, '🙂')],
    ['another scheme', 'ftp://sales.example/'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a path alone', '/sales'],
    ['no scheme', 'sales.example'],
    ['no scheme but slashes', '//sales.example/'],
    ['no host', 'https://'],
    ['a blank', 'https://sales.example/a b'],
    ['a line break', 'https://sales.example/\r\nX: y'],
    ['a NUL', 'https://sales.example/\u0000b'],
    ['an escape', 'https://sales.example/\u001b[31m'],
    ['half a surrogate pair', `https://sales.example/\ud83d`],
  ])('can not have %s', (_, custom_sales_page_url) =>
    expectRefused('custom_sales_page_url', { approval_status: 'INSTANT', custom_sales_page_url }),
  );

  it.each([7, true, '', [], ['https://sales.example/'], { href: 'https://sales.example/' }])(
    'can not be %j',
    (custom_sales_page_url) =>
      expectRefused('custom_sales_page_url', { approval_status: 'INSTANT', custom_sales_page_url }),
  );
});

describe('approval_status of a relationship', () => {
  it.each([
    ['absent', {}],
    ['null', { approval_status: null }],
    ['empty', { approval_status: '' }],
    ['in lower case', { approval_status: 'instant' }],
    ['a status of a read', { approval_status: 'APPROVED' }],
    ['REQUESTED', { approval_status: 'REQUESTED' }],
    ['followed by a blank', { approval_status: 'INSTANT ' }],
    ['a number', { approval_status: 1 }],
    ['true', { approval_status: true }],
    ['a list', { approval_status: ['INSTANT'] }],
    ['an object', { approval_status: { INSTANT: 1 } }],
  ])('can not be %s', (_, body) =>
    expectRefused('approval_status', { ...body, custom_commission: 1 }),
  );

  it.each(['', 'approval_status', 'approval_status=', 'custom_commission=1'])(
    'is missing from the form %j',
    (body) => expectRefused('approval_status', body, FORM),
  );
});

describe('affiliate_verification_email of a relationship', () => {
  it.each(['Affiliate@Example.test', 'affiliate@example.test', 'AFFILIATE@EXAMPLE.TEST'])(
    'can be %s, as the affiliate has it but for letter case',
    async (affiliate_verification_email) => {
      await relationships.put({ approval_status: 'DELAYED', affiliate_verification_email });
      expect(await relationships.read()).toEqual({ ...STORED, status: 'APPROVED' });
      await relationships.restore();
      await relationships.put(
        form({ approval_status: 'DELAYED', affiliate_verification_email }),
        FORM,
      );
      expect(await relationships.read()).toEqual({ ...STORED, status: 'APPROVED' });
    },
  );

  it('can have the form of an international domain that browsers send', async () => {
    const affiliate_verification_email = 'affiliate@xn--bcher-kva.example';
    await relationships.service.import([user(AFFILIATE, { email: 'Affiliate@Bücher.example' })]);
    await relationships.put({ approval_status: 'DELAYED', affiliate_verification_email });
    expect(await relationships.read()).toMatchObject({ status: 'APPROVED' });
    await relationships.service.import([user(AFFILIATE, { email: 'Affiliate@Example.test' })]);
  });

  it('checks nothing where it is null, or empty in a form', async () => {
    await relationships.put({ approval_status: 'DELAYED', affiliate_verification_email: null });
    expect(await relationships.read()).toMatchObject({ status: 'APPROVED' });
    await relationships.put('approval_status=DENIED&affiliate_verification_email=', FORM);
    expect(await relationships.read()).toMatchObject({ status: 'DENIED' });
  });

  it.each([
    'other@example.test',
    'affiliate@example.test ',
    '',
    'affiliate',
    7,
    true,
    ['affiliate@example.test'],
    { email: 'affiliate@example.test' },
  ])('can not be %j', async (affiliate_verification_email) => {
    const body = { approval_status: 'INSTANT', affiliate_verification_email };
    await expectRefused('affiliate_verification_email', body);
  });

  it('does not tell what the e-mail is', async () => {
    const body = { approval_status: 'DENIED', affiliate_verification_email: 'a@b.test' };
    expect((await relationships.put(body)).text.toLowerCase()).not.toContain('affiliate@example');
  });
});

describe('A write of a relationship', () => {
  it('names each of several faults', async () => {
    const fault = {
      custom_commission: 101,
      custom_sales_page_url: 'x',
      custom_payment_1st_payout: -1,
    };
    const detail = expectFailure(await relationships.put(fault), 4001, '2.1');
    for (const field of ['approval_status', ...Object.keys(fault)]) expect(detail).toContain(field);
  });

  it.each([
    'approval_status=INSTANT&approval_status=INSTANT',
    'approval_status=INSTANT&approval_status=DENIED',
  ])('refuses the repeated field of %s', (body) => expectRefused('approval_status', body, FORM));

  it.each([
    ['custom_commission', '1'],
    ['custom_payment_trial_payout', '1'],
    ['custom_sales_page_url', 'https%3A%2F%2Fa.example'],
    ['affiliate_verification_email', 'affiliate%40example.test'],
  ])('refuses a repeated %s', async (field, value) => {
    const body = `approval_status=INSTANT&${field}=${value}&${field}=${value}`;
    await expectRefused(field, body, FORM);
    await expectRefused(field, `approval_status=INSTANT&${field}=&${field}=`, FORM);
  });

  it.each([
    ['columns of the relationship', { status: 'DENIED', comments: 'mine', created: '2001-01-01' }],
    ['the ids of another', { affiliate_id: 8, product_id: 22, delayed_commission: false }],
    ['the prototype', JSON.parse('{"__proto__":{"custom_commission":99,"status":"DENIED"}}')],
    ['the constructor', { constructor: { prototype: { custom_commission: 99 } }, toString: 1 }],
    ['a method of the body', { toUpdate: 1, terms: { custom_commission: 99 } }],
    ['names with SQL', { "custom_commission = 99; --'": 1 }],
  ])('ignores %s in JSON', async (_, unknown: object) => {
    const before = await relationships.rows('SELECT COUNT(*) AS found FROM affiliations');
    const text = JSON.stringify({ approval_status: 'DELAYED' }).slice(0, -1);
    const answer = await relationships.put(`${text},${JSON.stringify(unknown).slice(1)}`);
    expect(answer.status).toBe(200);
    expect(await relationships.read()).toEqual({ ...STORED, status: 'APPROVED' });
    expect(await relationships.rows('SELECT COUNT(*) AS found FROM affiliations')).toEqual(before);
    expect(Object.hasOwn(Object.prototype, 'custom_commission')).toBe(false);
  });

  it.each([
    'status=DENIED&comments=mine&created=2001-01-01&affiliate_id=8&product_id=22',
    '__proto__=1&__proto__[custom_commission]=99&constructor=1&toUpdate=1&hasOwnProperty=1',
    'custom_commission[]=99&custom_commission%5Ba%5D=99&terms[custom_commission]=99',
  ])('ignores %s in a form', async (unknown) => {
    const answer = await relationships.put(`approval_status=DELAYED&${unknown}`, FORM);
    expect(answer.status).toBe(200);
    expect(await relationships.read()).toEqual({ ...STORED, status: 'APPROVED' });
  });

  it('takes no value from the prototype', () =>
    expectRefused('approval_status', '{"__proto__":{"approval_status":"INSTANT"}}'));
});
