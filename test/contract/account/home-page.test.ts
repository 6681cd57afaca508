import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { user } from '../../support/builders/ledger-records.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { TestService } from '../../support/servers/service.js';
import { Visitor } from '../../support/browser/visitor.js';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1)]);
  key = await service.key(1);
});
afterAll(() => service.stop());

describe('the home page', () => {
  it('links to the reference and to the account for a browser', async () => {
    const { status, headers, text } = await new Visitor(service).get('/');
    expect(status).toBe(200);
    expect(headers.vary).toContain('Accept');
    for (const path of ['/docs', '/account']) expect(text).toContain(`href="${path}"`);
  });

  it.each([undefined, '*/*', 'application/json', 'text/*'])(
    'stays an unknown path for a client that accepts %s',
    async (accept) => {
      const headers = accept === undefined ? {} : { Accept: accept };
      expectFailure(await service.send({ path: '/', headers }), 4010);
      expectFailure(await service.get('/', key, headers), 4040);
    },
  );
});
