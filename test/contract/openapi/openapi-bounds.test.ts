import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { envelopeOf, type Answer } from '../../support/http/http.js';
import {
  affiliation,
  product,
  recurringPayment,
  user,
} from '../../support/builders/ledger-records.js';
import { ApiDocument, edgesOf, type ValueSchema } from '../../support/oracles/open-api.js';
import { VERSIONS } from '../../support/oracles/operations.js';
import { TestService } from '../../support/servers/service.js';

const INVALID = 4001;
const SUCCESS = 2000;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const DOCUMENTS = new Map(VERSIONS.map((version) => [version, new ApiDocument(version)]));
const AFFILIATE_EMAIL = 'user2@example.test';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(1),
    user(2),
    product(10, 1),
    affiliation(2, 10),
    recurringPayment('PRE', 10),
  ]);
  key = await service.key(1);
});
afterAll(() => service.stop());

function operationOf(version: (typeof VERSIONS)[number], name: string) {
  const document = DOCUMENTS.get(version);
  if (document === undefined) throw new Error(`there is no document of ${version}`);
  return { document, operation: document.operation(name) };
}

function ownOperations(version: (typeof VERSIONS)[number]) {
  const operations = DOCUMENTS.get(version)?.operations() ?? [];
  return [...operations];
}

function codeOf(answer: Answer): number {
  return envelopeOf(answer).meta.status.code;
}

describe('the query of GET /v3.0/transactions', () => {
  const { operation } = operationOf('3.0', 'GET /v3.0/transactions');
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  const good = { start_date: '2024-02-29', end_date: '2024-02-29' };

  async function ask(query: Record<string, string>): Promise<Answer> {
    return service.get(`/v3.0/transactions?${new URLSearchParams(query).toString()}`, key);
  }

  it('has these parameters', () => {
    expect(parameters.map(({ name, required, schema }) => ({ name, required, schema }))).toEqual([
      { name: 'start_date', required: true, schema: { type: 'string', format: 'date' } },
      { name: 'end_date', required: true, schema: { type: 'string', format: 'date' } },
      {
        name: 'page_size',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
      },
      {
        name: 'page_index',
        required: false,
        schema: { type: 'integer', minimum: 0, maximum: 2_147_483_647, default: 0 },
      },
    ]);
  });

  it.each(parameters)(
    '$name is accepted and rejected according to its bounds',
    async ({ name, schema }) => {
      const { taken, refused } = edgesOf(schema);
      for (const value of taken) {
        expect(codeOf(await ask({ ...good, [name]: String(value) }))).toBe(SUCCESS);
      }
      for (const value of refused) {
        expect(codeOf(await ask({ ...good, [name]: String(value) }))).toBe(INVALID);
      }
    },
  );

  it.each(parameters)('$name may be missing if it is not required', async (parameter) => {
    const rest = Object.entries(good).filter(([name]) => name !== parameter.name);
    const code = codeOf(await ask(Object.fromEntries(rest)));
    expect(code).toBe(parameter.required === true ? INVALID : SUCCESS);
  });

  it('has the defaults of the service', async () => {
    const { pagination } = envelopeOf(await ask(good)).meta;
    const defaults = parameters.flatMap(({ name, schema }) =>
      schema.default === undefined ? [] : [[name, schema.default] as const],
    );
    expect(pagination).toMatchObject(Object.fromEntries(defaults));
  });
});

describe('integers in a path', () => {
  const operations = VERSIONS.flatMap((version) =>
    ownOperations(version).flatMap(([name, operation]) =>
      operation.parameters
        .filter(({ in: place, schema }) => place === 'path' && schema.type === 'integer')
        .map(({ name: parameter, schema }) => ({ name, parameter, schema })),
    ),
  );

  it('are in four operations', () => {
    expect(new Set(operations.map(({ name }) => name)).size).toBe(4);
  });

  it.each(operations)(
    '$parameter of $name is accepted and rejected according to its bounds',
    async ({ name, parameter, schema }) => {
      const [method = '', template = ''] = name.split(' ');
      const ask = async (value: string | number) => {
        const path = template.replace(`{${parameter}}`, String(value)).replace(/\{\w+\}/, '1');
        if (method === 'GET') return codeOf(await service.get(path, key));
        return codeOf(await service.put(path, key, { approval_status: 'INSTANT' }));
      };
      const { taken, refused } = edgesOf(schema);
      for (const value of taken) expect(await ask(value)).not.toBe(INVALID);
      for (const value of refused) expect(await ask(value)).toBe(INVALID);
    },
  );
});

const SET = 'PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}';
const CANCEL = 'PUT /v2.0/recurring_payment/{preKey}';
const BODIES = [
  { version: '2.1', name: SET, path: '/v2.1/affiliates/2/products/10' },
  { version: '2.0', name: CANCEL, path: '/v2.0/recurring_payment/PRE' },
] as const;
const GOOD_BODY = { [SET]: { approval_status: 'INSTANT' }, [CANCEL]: { status: 'CANCEL' } };

describe.each(BODIES.flatMap((body) => [JSON_TYPE, FORM_TYPE].map((type) => ({ ...body, type }))))(
  'the body of $name as $type',
  ({ version, name, path, type }) => {
    const { required, properties } = operationOf(version, name).document.bodyOf(name, type);
    const fields = Object.entries(properties).map(([field, schema]) => ({ field, schema }));
    const good: Readonly<Record<string, unknown>> = GOOD_BODY[name];

    async function send(body: Readonly<Record<string, unknown>>): Promise<number> {
      const texts = Object.entries(body).map(([field, value]): [string, string] => [
        field,
        String(value),
      ]);
      const sent = type === JSON_TYPE ? body : new URLSearchParams(texts).toString();
      return codeOf(await service.put(path, key, sent, type));
    }

    it.each(fields)(
      '$field is accepted and rejected according to its bounds',
      async ({ field, schema }) => {
        const { taken, refused } = bodyEdges(field, valueOf(schema));
        for (const value of taken) expect(await send({ ...good, [field]: value })).toBe(SUCCESS);
        for (const value of refused) expect(await send({ ...good, [field]: value })).toBe(INVALID);
      },
    );

    it.each(fields)('$field may be missing or cleared if the document allows it', async (row) => {
      const { field, schema } = row;
      const rest = Object.entries(good).filter(([name]) => name !== field);
      const isRequired = required.includes(field);
      expect(await send(Object.fromEntries(rest))).toBe(isRequired ? INVALID : SUCCESS);
      const code = await send({ ...good, [field]: type === JSON_TYPE ? null : '' });
      expect(code).toBe(isClearable(schema) ? SUCCESS : INVALID);
      expect(isClearable(schema)).toBe(!isRequired);
    });
  },
);

type FormSchema = ValueSchema & { readonly anyOf?: readonly ValueSchema[] };

/** Returns the schema of the value itself. In a form, `anyOf` also has one for an empty value. */
function valueOf(schema: FormSchema): ValueSchema {
  return schema.anyOf?.[0] ?? schema;
}

function isClearable(schema: FormSchema): boolean {
  return [schema.type].flat().includes('null') || schema.anyOf?.[1]?.maxLength === 0;
}

/**
 * Returns valid and invalid values of a field. The verification e-mail must be that of the
 * affiliate.
 */
function bodyEdges(field: string, schema: ValueSchema) {
  return field === 'affiliate_verification_email'
    ? { taken: [AFFILIATE_EMAIL], refused: ['other@example.test'] }
    : edgesOf(schema);
}
