import { copyFileSync, writeFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Certificates } from '../../support/servers/certificates.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic } from '../../support/http/http.js';
import { user } from '../../support/builders/ledger-records.js';
import { endAll, RunningService, until } from '../../support/servers/running-service.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TestService } from '../../support/servers/service.js';

let certificates: Certificates;
beforeAll(() => {
  certificates = new Certificates();
  for (const name of ['one', 'two']) certificates.make(name, `${name}.example`);
});
afterAll(() => {
  certificates.remove();
});

/** Returns the status of an answer over TLS and the subject of the server's certificate. */
function ask(port: number, key: string): Promise<{ status: number; certificate: string }> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ rejectUnauthorized: false });
    const options = { host: '127.0.0.1', port, path: '/v3.0', headers: basic(key), agent };
    const sent = httpsRequest(options, (response) => {
      const { subject } = (response.socket as TLSSocket).getPeerCertificate();
      const certificate = String(subject.CN);
      response.resume().on('end', () => {
        resolve({ status: response.statusCode ?? 0, certificate });
      });
    });
    sent.on('error', reject).end();
  });
}

describe('where HTTPS is required', () => {
  let service: TestService;
  let key: string;
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.stop();
  });

  async function start(environment: Record<string, string>): Promise<void> {
    service = await TestService.start({ REQUIRE_HTTPS: 'on', ...environment });
    await service.import([user(1)]);
    key = await service.key(1);
  }

  it('plain HTTP is refused before the key, the address and the path are looked at', async () => {
    await start({ THROTTLE_FAILED_KEYS: '1/1h' });
    expectFailure(await service.get('/v3.0', key), 4031);
    expectFailure(await service.send({ path: '/v2.1' }), 4031, '2.1');
    expectFailure(await service.get('/v3.0', 'no key'), 4031);
    expectFailure(await service.get('/nowhere/%zz', key), 4031);
  });

  it('nobody but a trusted proxy is believed that it was HTTPS', async () => {
    await start({});
    for (const headers of [
      { 'X-Forwarded-Proto': 'https' },
      { 'X-Forwarded-Ssl': 'on' },
      { Forwarded: 'proto=https' },
      { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '127.0.0.1' },
    ]) {
      expectFailure(await service.get('/v3.0', key, headers), 4031);
    }
  });

  it.each(['1', '127.0.0.0/8', '127.0.0.1, 10.0.0.0/8'])(
    'a proxy that is trusted by %s is, and what its caller says before it is not',
    async (TRUST_PROXY) => {
      await start({ TRUST_PROXY });
      const told = (proto: string) => service.get('/v3.0', key, { 'X-Forwarded-Proto': proto });
      expect((await told('https')).status).toBe(200);
      expect((await told('http, https')).status).toBe(200);
      expectFailure(await told('http'), 4031);
      expectFailure(await told('https, http'), 4031);
      expectFailure(await service.get('/v3.0', key), 4031);
    },
  );

  it('a proxy of another network is not, and the log says so once a minute', async () => {
    const logged = jest.spyOn(Logger.prototype, 'warn');
    await start({ TRUST_PROXY: '10.0.0.0/8' });
    for (let sent = 0; sent < 3; sent += 1) {
      expectFailure(await service.get('/v3.0', key, { 'X-Forwarded-Proto': 'https' }), 4031);
    }
    // The operator could not change anything about a client that does not report its use of HTTPS.
    expectFailure(await service.get('/v3.0', key), 4031);
    const message = expect.stringMatching(/TRUST_PROXY does not include the address/);
    expect(logged.mock.calls).toEqual([[{ message, requests: 1 }]]);
  });

  it('a proxy that does not say how it was asked is named in the log, once a minute', async () => {
    const logged = jest.spyOn(Logger.prototype, 'warn');
    await start({ TRUST_PROXY: '1' });
    expectFailure(await service.get('/v3.0', key, { 'X-Forwarded-Proto': 'http' }), 4031);
    expect(logged.mock.calls).toEqual([]);
    for (let sent = 0; sent < 3; sent += 1) expectFailure(await service.get('/v3.0', key), 4031);
    const message =
      'REQUIRE_HTTPS refuses requests with 403: the proxy sends no X-Forwarded-Proto. Let it set the header to "https".';
    expect(logged.mock.calls).toEqual([[{ message, requests: 2 }]]);
    const later = performance.now() + 60_000;
    jest.spyOn(performance, 'now').mockReturnValue(later);
    await service.get('/v3.0', key);
    expect(logged.mock.calls.at(-1)).toEqual([{ message, requests: 3 }]);
  });

  it('a browser is told on a page, and every other client in the envelope', async () => {
    await start({});
    const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const path of ['/', '/account', '/account/sign-in?next=%2F', '/docs', '/nowhere']) {
      const { status, headers, text } = await service.send({ path, headers: browser });
      expect([path, status, headers['content-type'], headers.vary]).toEqual([
        path,
        403,
        'text/html; charset=utf-8',
        'Accept',
      ]);
      expect(text).toContain('<h1>Use HTTPS</h1>');
      expect(text).toContain('A key that was sent without it may be known to others: rotate it.');
      expectFailure(await service.send({ path, headers: { Accept: '*/*' } }), 4031);
    }
    for (const path of ['/v3.0', '/ledger/v1/changes']) {
      const answer = await service.send({ path, headers: browser });
      expectFailure(answer, 4031, path === '/v3.0' ? '3.0' : 'ledger-1');
    }
  });

  it('TLS by the service itself is enough', async () => {
    await start({ TLS_CERT: certificates.certificate('one'), TLS_KEY: certificates.key('one') });
    expect(await ask(service.port, key)).toEqual({ status: 200, certificate: 'one.example' });
  });
});

describe('the certificate', () => {
  let ledger: TestLedger;
  let key: string;

  beforeAll(async () => {
    ledger = await TestLedger.create();
    await ledger.mustImport([user(1)]);
    key = await ledger.key(1);
  });
  afterAll(async () => {
    await endAll();
    await ledger.drop();
  });

  function replaceBy(file: string): void {
    copyFileSync(certificates.certificate(file), certificates.certificate('now'));
    copyFileSync(certificates.key(file), certificates.key('now'));
  }

  it('is read again on SIGHUP, and one that can not be used leaves the old one in force', async () => {
    replaceBy('one');
    const service = await RunningService.start(ledger, 1, {
      TLS_CERT: certificates.certificate('now'),
      TLS_KEY: certificates.key('now'),
    });
    expect(await ask(service.port, key)).toEqual({ status: 200, certificate: 'one.example' });
    replaceBy('two');
    process.kill(service.pid, 'SIGHUP');
    await until('the new certificate', async () => {
      return (await ask(service.port, key)).certificate === 'two.example';
    });
    writeFileSync(certificates.certificate('now'), 'no certificate');
    process.kill(service.pid, 'SIGHUP');
    await until('a complaint', () => service.lines(/old certificate stays/).length > 0);
    expect(await ask(service.port, key)).toEqual({ status: 200, certificate: 'two.example' });
    process.kill(service.pid, 'SIGTERM');
    expect((await service.ended).status).toBe(0);
  });
});
