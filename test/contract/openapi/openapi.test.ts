import {
  Body,
  Controller,
  Get,
  Param,
  Post,
  Put,
  Query,
  VERSION_NEUTRAL,
  type Type,
} from '@nestjs/common';
import { IsBoolean } from 'class-validator';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CATALOGUE } from '../../../src/api/errors/catalogue.js';
import { ApiField } from '../../../src/api/validation/api-field.js';
import { IsInteger } from '../../../src/api/validation/validators.js';
import { Feature } from '../../../src/feature.js';
import { ApiDocuments } from '../../../src/platform/openapi/api-documents.js';
import { readAnswerSchemas } from '../../../src/platform/openapi/answer-schemas.js';
import { ApiOperation } from '../../../src/api/versions/api-operation.js';
import type { EnvelopeBody } from '../../support/http/http.js';
import { AnswerSchemas } from '../../support/oracles/json-schema.js';
import { user } from '../../support/builders/ledger-records.js';
import { readmeOperations } from '../../support/docs/readme-operations.js';
import { ApiDocument, refsIn, withoutExamples } from '../../support/oracles/open-api.js';
import {
  operationsOf,
  pathOfVersion,
  templateOf,
  VERSIONS,
} from '../../support/oracles/operations.js';
import { extensionOf } from '../../support/servers/extension.js';
import { TestService } from '../../support/servers/service.js';
import { TaggedVendor } from '../../support/builders/tagged-operations.js';

/** Schema of a result of an extension. */
const RESULT = { type: 'object', properties: { transaction_id: { type: 'string' } } };

/** Operations with an optional last parameter, which a document lists as two paths. */
const SHORTER = {
  '3.0': [],
  '2.1': [],
  'ledger-1': [],
  '2.0': ['GET /v2.0/latest-transactions', 'GET /v2.0/latest-affiliates-transactions'],
};

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1)]);
  key = await service.key(1);
});
afterAll(() => service.stop());

async function told(version: string): Promise<string[]> {
  return [`GET ${pathOfVersion(version)}`, ...(await operationsOf(service, version, key))];
}

describe.each(VERSIONS)('the document of %s', (version) => {
  const document = new ApiDocument(version);
  const operations = [...document.operations()];
  const schemas = new AnswerSchemas(version);
  const withAnswers = operations.filter(([name]) => schemas.has(name));

  it('has exactly the operations that the service lists', async () => {
    const expected = [...(await told(version)), ...SHORTER[version]];
    expect(operations.map(([name]) => name).sort()).toEqual(expected.sort());
  });

  it('names each operation once, in camel case', () => {
    const names = operations.map(([, { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
  });

  it('has no broken references and no unused components', () => {
    const refs = new Set(refsIn(document.text));
    expect([...refs].filter((ref) => document.resolve(ref) === undefined)).toEqual([]);
    const held = Object.entries(document.json.components)
      .filter(([section]) => section !== 'securitySchemes')
      .flatMap(([section, all]) =>
        Object.keys(all).map((name) => `#/components/${section}/${name}`),
      );
    expect(held.filter((ref) => !refs.has(ref))).toEqual([]);
  });

  it.each(withAnswers)('shows an answer of %s that matches its schema', (name, operation) => {
    const example = operation.responses['200']?.content?.['application/json']?.example;
    expect(schemas.faults(name, example)).toEqual([]);
  });

  it('shows an answer of every operation, unless that is a file', async () => {
    const names = withAnswers.map(([name]) => name).sort();
    const isFile = (name: string) => /\/transactions\.\w+$/.test(name);
    expect(names).toEqual((await told(version)).filter((name) => !isFile(name)).sort());
  });

  it.each(operations)('shows the failures of %s as the service answers them', (_, operation) => {
    const shown = Object.keys(operation.responses).flatMap((status) =>
      document.failures(operation, status).map(([code, answer]) => {
        expect(schemas.faults('failure', answer)).toEqual([]);
        const told = (answer as EnvelopeBody).meta.status;
        const known = Object.values(CATALOGUE).map((outcome) => ({
          ...outcome,
          detail: told.detail,
        }));
        expect(known).toContainEqual(told);
        expect([String(told.http_status_code), String(told.code)]).toEqual([status, code]);
        return told.code;
      }),
    );
    const ofKeys = [4010, 4011, 4030];
    const needsKey = operation.security === undefined;
    expect(shown).toEqual(expect.arrayContaining([4000, 4031, 4290, 5000]));
    expect(shown.filter((code) => ofKeys.includes(code))).toEqual(needsKey ? ofKeys : []);
  });

  it('says which operations need no key, as the service does', async () => {
    const open = operations.filter(([, { security }]) => security !== undefined);
    expect(open.map(([, { security }]) => security)).toEqual(open.map(() => []));
    for (const [name] of operations) {
      const [method = '', template = ''] = name.split(' ');
      const { status } = await service.send({ method, path: template.replace(/\{\w+\}/g, '1') });
      expect([name, status === 401]).toEqual([name, !open.some(([opened]) => opened === name)]);
    }
  });

  it('matches the code, except for its examples', () => {
    const documents = service.app.get(ApiDocuments);
    const built = documents.documentOf(version, readAnswerSchemas(version), new Map());
    expect(withoutExamples(built)).toEqual(withoutExamples(document.json));
  });
});

it('the README lists each operation of the documents', () => {
  const names = VERSIONS.flatMap((version) => [...new ApiDocument(version).operations()]).map(
    ([name]) => name,
  );
  // MCP describes its operations itself, so no document has them.
  expect(readmeOperations().sort()).toEqual([...names, 'POST /mcp'].sort());
});

const FIGURES = '/ledger/v1/figures';

describe('the headers of a success in the documents', () => {
  const operations = VERSIONS.flatMap((version) => [...new ApiDocument(version).operations()]);

  function withHeader(header: string): string[] {
    const having = operations.filter(
      ([, { responses }]) => header in (responses['200']?.headers ?? {}),
    );
    return having.map(([name]) => name).sort();
  }

  it('have ETag, with 304 and If-None-Match, if answers have a tag', () => {
    const reads = operations.map(([name]) => ({ method: 'GET', path: name.replace(/^\w+ /, '') }));
    const paths = Object.values(new TaggedVendor(1).paths).map((path) => templateOf(reads, path));
    const figures = ['', '/cohorts', '/renewals', '/unpaid'].map((part) => `${FIGURES}${part}`);
    const tagged = [...new Set([...paths, ...figures])].map((path) => `GET ${path}`).sort();
    expect(withHeader('ETag')).toEqual(tagged);
    const unchanged = operations.filter(([, { responses }]) => '304' in responses);
    expect(unchanged.map(([name]) => name).sort()).toEqual(tagged);
    const heeding = operations.filter(([, { parameters }]) =>
      parameters.some(({ $ref }) => $ref === '#/components/parameters/If-None-Match'),
    );
    expect(heeding.map(([name]) => name).sort()).toEqual(tagged);
  });

  it('have Link if there is a newer equivalent (interface 9 rule 4)', () => {
    expect(withHeader('Link')).toEqual([
      'GET /v2.0/latest-transactions',
      'GET /v2.0/latest-transactions/{paykey}',
      'GET /v2.0/products/{product_id}/affiliates/{affiliate_id}',
      'GET /v2.0/transactions/summaries/{paykey}',
    ]);
  });
});

class YearQuery {
  @IsInteger({ min: 1000, max: 9999 })
  year!: string;
}

class NoteBody {
  @IsBoolean()
  @ApiField('Whether the note is pinned.', 'true')
  pinned!: boolean;
}

@Controller({ path: 'extensions/tests/v1/added', version: VERSION_NEUTRAL })
class AddedController {
  @Get()
  @ApiOperation({ id: 'listAdded', summary: 'What was added' })
  answer(@Query() { year }: YearQuery) {
    return { results: [year] };
  }

  @Put(':transaction_id')
  @ApiOperation({ id: 'putAdded', summary: 'Add', result: RESULT })
  put(@Param('transaction_id') transaction_id: string, @Body() _body: NoteBody) {
    return { results: [{ transaction_id }] };
  }

  @Post()
  @ApiOperation({ id: 'createAdded', summary: 'Create' })
  create() {
    return { results: [{}] };
  }
}

@Controller({ path: 'extensions/tests/v2/silent', version: VERSION_NEUTRAL })
class SilentController {
  @Get()
  answer() {
    return { results: [] };
  }
}

class UnknownBody {
  @IsBoolean()
  pinned!: boolean;
}

@Controller({ path: 'extensions/tests/v1/unknown', version: VERSION_NEUTRAL })
class UnknownController {
  @Put()
  @ApiOperation({ id: 'putUnknown', summary: 'Add' })
  put(@Body() _body: UnknownBody) {
    return { results: [] };
  }
}

function startWith(controller: Type): Promise<TestService> {
  @Feature({ controllers: [controller] })
  class AddedModule {}
  return service.beside({}, [extensionOf(AddedModule, { versions: [1, 2] })]);
}

describe('the documents of an extension', () => {
  let added: TestService;
  let document: ApiDocument;
  beforeAll(async () => {
    added = await startWith(AddedController);
    const { text } = await added.send({ path: '/openapi/tests-1.json' });
    document = new ApiDocument('tests-1', text);
  });
  afterAll(() => added.stop());

  it('describe operations by their decorators and validators', () => {
    const year = {
      name: 'year',
      in: 'query',
      required: true,
      description: 'An integer from 1000 to 9999.',
      schema: { type: 'integer', minimum: 1000, maximum: 9999 },
    };
    expect(document.json).toMatchObject({ info: { version: 'tests-1' } });
    expect([...document.operations().keys()]).toEqual([
      'GET /extensions/tests/v1',
      'GET /extensions/tests/v1/added',
      'POST /extensions/tests/v1/added',
      'PUT /extensions/tests/v1/added/{transaction_id}',
    ]);
    expect(document.operation('GET /extensions/tests/v1/added')).toMatchObject({
      operationId: 'listAdded',
      tags: ['Added'],
      parameters: [year, { $ref: '#/components/parameters/X-Request-Id' }],
    });
  });

  it('name the status that is sent, as the envelope does', async () => {
    const path = '/extensions/tests/v1/added';
    const { status, text } = await added.post(path, key, {});
    expect(status).toBe(201);
    expect(JSON.parse(text)).toMatchObject({
      meta: { status: { http_status_code: 201, code: 2000, message: 'Success' } },
    });
    const statuses = Object.keys(document.operation(`POST ${path}`).responses);
    expect(statuses).toContain('201');
    expect(statuses).not.toContain('200');
  });

  it('have the schemas of results that operations give', () => {
    const results = (items: object) => ({ properties: { results: { type: 'array', items } } });
    expect(document.json.components.schemas).toMatchObject({
      ListAddedAnswer: results({ type: 'object' }),
      PutAddedAnswer: results(RESULT),
      success: { properties: { api_version: { const: 'tests-1' } } },
      NoteBody: {
        properties: {
          pinned: { description: 'Whether the note is pinned.', examples: ['true'] },
        },
      },
    });
  });

  it('have no broken references and no unused components', () => {
    const refs = new Set(refsIn(document.text));
    const held = Object.entries(document.json.components)
      .filter(([section]) => section !== 'securitySchemes')
      .flatMap(([section, all]) =>
        Object.keys(all).map((name) => `#/components/${section}/${name}`),
      );
    expect(held.sort()).toEqual([...refs].sort());
  });

  it('are listed after those of the service, and in the reference', async () => {
    const own = ['tests-1', 'tests-2'].map((version) => ({
      title: `Vendor Reporting API ${version}`,
      version,
      status: 'current',
      url: `/openapi/${version}.json`,
    }));
    const { text } = await added.send({ path: '/openapi' });
    const core: unknown[] = VERSIONS.map((version): unknown =>
      expect.objectContaining({ version }),
    );
    expect(JSON.parse(text)).toEqual({ documents: [...core, ...own] });
    const page = (await added.send({ path: '/docs/tests-2' })).text;
    expect(page).toContain('<a href="/docs/tests-2" aria-current="page">Extension tests 2</a>');
    expect(page).toContain('data-document="/openapi/tests-2.json"');
    expect(page).not.toContain('postman_collection');
    expect((await added.send({ path: '/docs' })).text).toContain('href="/docs/tests-1"');
  });

  it.each([
    [SilentController, 'SilentController.answer has no @ApiOperation(…)'],
    [UnknownController, 'UnknownBody.pinned has no documented validator, and no @ApiField(…)'],
  ])('prevent the start if something is not described %#', async (controller, problem) => {
    await expect(startWith(controller)).rejects.toThrow(`Extension tests: ${problem}.`);
  });
});
