import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../support/failure.js';
import { basic } from '../support/http.js';
import { user } from '../support/ledger-records.js';
import { endAll, RunningService, until } from '../support/running-service.js';
import { TestLedger } from '../support/test-ledger.js';
import { TestService } from '../support/service.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-tls-'));
  for (const name of ['one', 'two']) {
    const subject = ['-subj', `/CN=${name}.example`, '-days', '2'];
    const files = ['-keyout', fileOf(name, 'key'), '-out', fileOf(name, 'pem')];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files],
      {
        stdio: 'ignore',
      },
    );
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const fileOf = (name: string, kind: 'key' | 'pem') => join(folder, `${name}.${kind}`);

/** The status of an answer over TLS, and whose certificate the server showed. */
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
  afterEach(() => service.stop());

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

  it('a proxy of another network is not', async () => {
    await start({ TRUST_PROXY: '10.0.0.0/8' });
    expectFailure(await service.get('/v3.0', key, { 'X-Forwarded-Proto': 'https' }), 4031);
  });

  it('TLS by the service itself is enough', async () => {
    await start({ TLS_CERT: fileOf('one', 'pem'), TLS_KEY: fileOf('one', 'key') });
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

  it('is read again on SIGHUP, and one that can not be used leaves the old one in force', async () => {
    for (const kind of ['key', 'pem'] as const)
      copyFileSync(fileOf('one', kind), fileOf('now', kind));
    const service = await RunningService.start(ledger, 1, {
      TLS_CERT: fileOf('now', 'pem'),
      TLS_KEY: fileOf('now', 'key'),
    });
    expect(await ask(service.port, key)).toEqual({ status: 200, certificate: 'one.example' });
    for (const kind of ['key', 'pem'] as const)
      copyFileSync(fileOf('two', kind), fileOf('now', kind));
    process.kill(service.pid, 'SIGHUP');
    await until('the new certificate', async () => {
      return (await ask(service.port, key)).certificate === 'two.example';
    });
    writeFileSync(fileOf('now', 'pem'), 'no certificate');
    process.kill(service.pid, 'SIGHUP');
    await until('a complaint', () => service.lines(/old certificate stays/).length > 0);
    expect(await ask(service.port, key)).toEqual({ status: 200, certificate: 'two.example' });
    process.kill(service.pid, 'SIGTERM');
    expect((await service.ended).status).toBe(0);
  });
});
