import { Controller, Get, HttpCode, Post, VERSION_NEUTRAL } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { AllowAccess, ApiOperation } from '../../../src/api/versions/api-operation.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { user } from '../../support/builders/ledger-records.js';
import { basic, type Answer } from '../../support/http/http.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { within } from '../../support/processes/within.js';
import { Feature } from '../../../src/feature.js';
import { extensionOf } from '../../support/servers/extension.js';
import { TestService } from '../../support/servers/service.js';

const SECOND = 1_000;
const PUT = '/v2.1/affiliates/3/products/10';
const NAMES = '/v2.1/products/names';
const SENT = '/extensions/tests/v1/sent';

/** Offers one operation for sources alone, and one for every application. */
@Controller({ path: SENT, version: VERSION_NEUTRAL })
class SentController {
  @Post()
  @HttpCode(200)
  @AllowAccess('source')
  @ApiOperation({ id: 'send', summary: 'Send' })
  send() {
    return { results: [] };
  }

  @Get()
  @AllowAccess('full', 'read', 'masked', 'source')
  @ApiOperation({ id: 'describeSent', summary: 'Describe' })
  describe() {
    return { results: [] };
  }
}

@Feature({ controllers: [SentController] })
class SentModule {}

let service: TestService;
let beside: TestService;
let applications: ApiApplicationsService;
let ledger: TestLedger;
let keys: Record<'full' | 'read' | 'masked' | 'source' | 'sourceOfAll', string>;

beforeAll(async () => {
  service = await TestService.start({ THROTTLE_LIMITS: '50/1s' }, [
    extensionOf(SentModule, { versions: [1] }),
  ]);
  await service.import([user(1), user(2), user(3)]);
  beside = await service.beside();
  applications = service.app.get(ApiApplicationsService);
  ledger = TestLedger.on(service.database);
  keys = {
    full: await service.key(1),
    read: await service.key(1, 'read'),
    masked: await service.key(1, 'masked'),
    source: await service.sourceKey(1),
    sourceOfAll: await service.sourceKey(null),
  };
});
afterAll(async () => {
  await ledger.close();
  await beside.stop();
  await service.stop();
});

type Key = keyof typeof keys;

function ask(method: string, path: string, key: string): Promise<Answer> {
  return service.send({ method, path, headers: basic(key) });
}

describe.each<Key>(['read', 'masked'])('a key with %s access', (name) => {
  it('reads, with GET and with HEAD', async () => {
    for (const path of [NAMES, '/v3.0', '/v2.1', '/v2.0']) {
      expect((await ask('GET', path, keys[name])).status).toBe(200);
      expect((await ask('HEAD', path, keys[name])).status).toBe(200);
    }
  });

  it('is told what an operation that writes needs, before its parameters are read', async () => {
    const answer = await service.put(PUT, keys[name], '{"approval_status": ', 'application/json');
    expect(expectFailure(answer, 4030, '2.1')).toBe(
      `The application of this key has ${name} access; this operation needs full access.`,
    );
    expectFailure(await service.put('/v2.1/affiliates/x/products/y', keys[name], {}), 4030, '2.1');
  });

  it('counts against its limits, also where it is refused', async () => {
    const answer = await service.put(PUT, keys[name], {});
    expect(answer.headers.ratelimit).toBeDefined();
  });
});

describe.each<Key>(['read', 'masked', 'source', 'sourceOfAll'])(
  'an unknown path and %s',
  (name) => {
    it('is 4040, and a wrong method 4050', async () => {
      expectFailure(await ask('GET', '/nowhere', keys[name]), 4040);
      expectFailure(await ask('PUT', '/v2.1/nowhere', keys[name]), 4040, '2.1');
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await ask(method, NAMES, keys[name]);
        expectFailure(answer, 4050, '2.1');
        expect(answer.headers.allow).toBe('GET, HEAD');
      }
    });
  },
);

describe.each<Key>(['source', 'sourceOfAll'])('the key of a source (%s)', (name) => {
  it.each(['/v3.0', '/v2.1', '/v2.0', NAMES])('reads nothing: %s', async (path) => {
    const version = path.slice(2, 5);
    const detail = expectFailure(await ask('GET', path, keys[name]), 4030, version);
    expect(detail).toBe(
      'The application of this key has source access; this operation needs full, read or masked access.',
    );
    expect((await ask('HEAD', path, keys[name])).status).toBe(403);
  });

  it('may use what is for sources', async () => {
    expect((await ask('POST', SENT, keys[name])).status).toBe(200);
    expect((await ask('GET', SENT, keys[name])).status).toBe(200);
    expect((await ask('HEAD', SENT, keys[name])).status).toBe(200);
  });
});

describe('an operation for sources alone', () => {
  it.each<Key>(['full', 'read', 'masked'])('is 4030 for %s access', async (name) => {
    expect(expectFailure(await ask('POST', SENT, keys[name]), 4030, 'tests-1')).toBe(
      `The application of this key has ${name} access; this operation needs source access.`,
    );
    expect((await ask('GET', SENT, keys[name])).status).toBe(200);
  });
});

describe('the source of a vendor who is suspended', () => {
  it('is refused as every key of the account; that of all vendors is not', async () => {
    const key = await service.sourceKey(2);
    expect((await ask('POST', SENT, key)).status).toBe(200);
    await service.import([user(2, { status: 'suspended' })]);
    await within(2 * SECOND, async () => {
      const detail = expectFailure(await ask('POST', SENT, key), 4030, 'tests-1');
      expect(detail).toBe('The account of this key is suspended.');
    });
    expect((await ask('POST', SENT, keys.sourceOfAll)).status).toBe(200);
  });
});

describe('a change of the access', () => {
  it('holds on every instance within 2 seconds, and back again', async () => {
    const { application, key } = await applications.createApplication(3, 'changed', null);
    const expectStatuses = (status: number) =>
      within(2 * SECOND, async () => {
        expect((await service.put(PUT, key, {})).status).toBe(status);
        expect((await beside.put(PUT, key, {})).status).toBe(status);
      });
    // The body is empty, so the answer is 400 with write access, and 403 without.
    await expectStatuses(400);
    await applications.setAccess(application.id, 'read');
    await expectStatuses(403);
    await applications.setAccess(application.id, 'full');
    await expectStatuses(400);
  });
});

describe('an application that was changed by hand', () => {
  it('is refused if its access is an unknown word, whatever that resembles', async () => {
    const { application, key } = await applications.createApplication(3, 'odd', null);
    for (const access of ['', 'FULL', 'full ', 'admin', 'constructor']) {
      await ledger.run(
        `UPDATE api_applications SET access = '${access}' WHERE id = ${application.id}`,
      );
      await within(2 * SECOND, async () => {
        expectFailure(await ask('GET', '/v3.0', key), 5000);
      });
    }
  });

  it('is unknown if it belongs to no user and is no source', async () => {
    const { application, key } = await applications.createApplication(3, 'lost', null);
    await ledger.run(`UPDATE api_applications SET user_id = 0 WHERE id = ${application.id}`);
    expectFailure(await ask('GET', '/v3.0', key), 4011);
    await ledger.run(
      `UPDATE api_applications SET user_id = 77, access = 'source' WHERE id = ${application.id}`,
    );
    expectFailure(await ask('POST', SENT, key), 4011, 'tests-1');
  });
});
