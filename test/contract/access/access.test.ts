import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic, type Answer } from '../../support/http/http.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { isKeyLookUp, StatementLog } from '../../support/sql/statements.js';
import { within } from '../../support/processes/within.js';

const LIST = '/v3.0/transactions';
const GOOD = `${LIST}?start_date=2025-06-01&end_date=2025-06-01`;

const FIRST_PATHS = [
  ['/v3.0', '3.0'],
  ['/v2.1', '2.1'],
  ['/v2.0', '2.0'],
  ['/ledger/v1', 'ledger-1'],
] as const;

let service: TestService;
let keys: Record<'good' | 'suspended' | 'revoked' | 'expired', string>;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(1),
    user(2, { status: 'suspended' }),
    product(10, 1),
    transaction('one', 10),
  ]);
  const accounts = service.app.get(ApiApplicationsService);
  const revoked = await accounts.createApplication(1, 'revoked', null);
  await accounts.revokeApplication(revoked.application.id);
  const expired = await accounts.createApplication(1, 'expired', '2025-01-01 00:00:00');
  keys = {
    good: await service.key(1),
    suspended: await service.key(2),
    revoked: revoked.key,
    expired: expired.key,
  };
});
afterAll(() => service.stop());

function withHeader(authorization: string | string[], path = GOOD): Promise<Answer> {
  return service.send({ path, headers: { Authorization: authorization } });
}

function encoded(credentials: string): string {
  return Buffer.from(credentials).toString('base64');
}

/** Returns another key of the same form that differs in its last character. */
function mistyped(key: string): string {
  return key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
}

describe('a request without a key is 4010', () => {
  it('when it has no Authorization header', async () => {
    expectFailure(await service.send({ path: GOOD }), 4010);
  });

  it.each([
    ['an empty header', () => ''],
    ['the scheme Bearer', () => `Bearer ${keys.good}`],
    ['the scheme Digest', () => 'Digest username="x"'],
    ['the key alone', () => keys.good],
    ['the credentials alone', () => encoded(`${keys.good}:x`)],
    ['the scheme grown together with the credentials', () => `Basic${encoded(`${keys.good}:x`)}`],
    ['a longer scheme', () => `XBasic ${encoded(`${keys.good}:x`)}`],
    ['the scheme between others', () => `XBasicY ${encoded(`${keys.good}:x`)}`],
    ['the scheme alone', () => 'Basic'],
    ['an empty user name', () => `Basic ${encoded(':x')}`],
    ['an empty user name and password', () => `Basic ${encoded(':')}`],
  ])('when it has %s', async (_, header) => {
    expectFailure(await withHeader(header()), 4010);
  });
});

describe('a key that is not complete', () => {
  const kinds: readonly (readonly [kind: string, credentials: () => string])[] = [
    ['a line end', () => `${keys.good}\n:x`],
    ['a line end of Windows', () => `${keys.good}\r\n:x`],
    ['a line end behind the password', () => `${keys.good}:x\n`],
    ['spaces around it', () => ` ${keys.good} :x`],
    ['quotation marks around it', () => `"${keys.good}":x`],
    ['quotation marks around it and the password', () => `'${keys.good}:x'`],
    ['a missing end', () => `${keys.good.slice(0, -3)}:x`],
    ['a missing beginning', () => `${keys.good.slice(4)}:x`],
  ];

  it.each(kinds)('is told so, for %s, without a look-up', async (_, credentials) => {
    const header = `Basic ${encoded(credentials())}`;
    const log = await StatementLog.of(service);
    const sent = await log.allDuring(async () => {
      for (const [path, version] of FIRST_PATHS) {
        const detail = expectFailure(await withHeader(header, path), 4011, version);
        expect(detail).toBe('This is not a complete key; check for spaces or line breaks.');
      }
    });
    expect(sent.filter(isKeyLookUp)).toEqual([]);
  });
});

describe('a request with an invalid key is 4011', () => {
  it.each([
    ['an unknown key', () => 'unknown:x'],
    ['a key that was never made, in the form of one', () => `${mistyped(keys.good)}:x`],
    ['a revoked key', () => `${keys.revoked}:x`],
    ['an expired key', () => `${keys.expired}:x`],
    ['a wrong password', () => `${keys.good}:y`],
    ['an upper-case password', () => `${keys.good}:X`],
    ['an empty password', () => `${keys.good}:`],
    ['a longer password', () => `${keys.good}:xx`],
    ['a password of more parts', () => `${keys.good}:x:y`],
    ['a password with a line feed', () => `${keys.good}:x\n`],
    ['no colon', () => keys.good],
    ['a NUL in the key', () => `${keys.good}\0:x`],
    ['a NUL in the password', () => `${keys.good}:x\0`],
    ['a space before the key', () => ` ${keys.good}:x`],
    ['a space after the key', () => `${keys.good} :x`],
    ['the key in lower case', () => `${keys.good.toLowerCase()}:x`],
    ['a wildcard', () => '%:x'],
    ['SQL', () => "' OR '1'='1:x"],
    ['a key of 10 KB', () => `${'k'.repeat(10_240)}:x`],
    ['emoji', () => '🔑:x'],
  ])('with %s', async (_, credentials) => {
    expectFailure(await withHeader(`Basic ${encoded(credentials())}`), 4011);
  });

  it.each([
    ['that are no base64', () => 'Basic ***'],
    ['of the URL alphabet', () => 'Basic -_-_'],
    ['with one character too many', () => `Basic ${encoded(`${keys.good}:x`)}A=A`],
    ['with white space inside', () => `Basic ${encoded(`${keys.good}:x`).replace(/^../, '$& ')}`],
    ['followed by others', () => `Basic ${encoded(`${keys.good}:x`)}, Basic abcd`],
    [
      'that are no UTF-8',
      () => `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0x78]).toString('base64')}`,
    ],
    ['that hold nothing but a NUL', () => 'Basic AA=='],
  ])('with credentials %s', async (_, header) => {
    expectFailure(await withHeader(header()), 4011);
  });

  it('with two Authorization headers, even if each is good', async () => {
    const header = `Basic ${encoded(`${keys.good}:x`)}`;
    expectFailure(await withHeader([header, header]), 4011);
    expectFailure(await withHeader([header, 'Bearer a']), 4011);
  });

  it('and is told the same whether the key is unknown, revoked or expired', async () => {
    const details = await Promise.all(
      [mistyped(keys.good), keys.revoked, keys.expired].map(async (key) =>
        expectFailure(await service.get(GOOD, key), 4011),
      ),
    );
    expect(new Set(details).size).toBe(1);
  });

  it('and is not told its key back', async () => {
    const answer = await service.get(GOOD, keys.revoked);
    expect(JSON.stringify(answer)).not.toContain(keys.revoked);
  });
});

describe('a request with a key works', () => {
  it.each(['Basic', 'basic', 'BASIC', 'bAsIc'])('with the scheme written %s', async (scheme) => {
    expect((await withHeader(`${scheme} ${encoded(`${keys.good}:x`)}`)).status).toBe(200);
  });

  it.each(['api_key', 'key', 'access_token'])(
    'but not with the key as the parameter %s',
    async (name) => {
      expectFailure(await service.send({ path: `${GOOD}&${name}=${keys.good}` }), 4010);
    },
  );
});

describe('a suspended account', () => {
  it.each([GOOD, `${LIST}/one`, '/v3.0', '/nowhere'])('is 4030 at %s', async (path) => {
    expectFailure(await service.get(path, keys.suspended), 4030);
  });

  it('is 4011, as any, with a wrong password', async () => {
    const answer = await service.send({ path: GOOD, headers: basic(keys.suspended, 'y') });
    expectFailure(answer, 4011);
  });

  it('is let in again once the ledger says active', async () => {
    await service.import([user(3, { status: 'suspended' })]);
    const key = await service.key(3);
    expectFailure(await service.get(GOOD, key), 4030);
    await service.import([user(3)]);
    await within(2_000, async () => {
      expect((await service.get(GOOD, key)).status).toBe(200);
    });
  });
});

describe('the order of the checks', () => {
  it.each([
    ['parameters', LIST],
    ['the path', '/nowhere'],
    ['existence', `${LIST}/none`],
    ['a version', '/v3.0'],
  ])('sets the key before %s', async (_, path) => {
    expectFailure(await service.send({ path }), 4010);
    expectFailure(await service.get(path, 'unknown'), 4011);
  });

  it('sets the key before the method', async () => {
    expectFailure(await service.send({ method: 'DELETE', path: LIST }), 4010);
  });

  it('sets the account before parameters, the path and the method', async () => {
    expectFailure(await service.get(LIST, keys.suspended), 4030);
    expectFailure(await service.get('/nowhere', keys.suspended), 4030);
    const headers = basic(keys.suspended);
    expectFailure(await service.send({ method: 'DELETE', path: LIST, headers }), 4030);
  });
});
