/** Host names are looked up at real name servers on this machine, some of which do not answer. */
import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  HostNames,
  parseHosts,
  completedNames,
  parseSearchList,
  NameServers,
} from '../../../src/platform/outgoing/host-names.js';
import { stopwatch } from '../../support/processes/stopwatch.js';
import { TestNameServer } from '../../support/servers/name-server.js';

/** This is more than the number of threads that Node.js has for look-ups by the system. */
const MANY = 8;
/**
 * This is much longer than a look-up without a wait, and much shorter than one without an answer.
 */
const SOON_MS = 2_000;

let server: TestNameServer;
let names: HostNames;

beforeEach(async () => {
  server = await TestNameServer.start();
  names = new HostNames(new NameServers([server.address]));
  server.names.set('receiver.test', ['8.8.8.8', '2a00:1450:0:0:0:0:0:1']);
  for (let at = 0; at < MANY; at += 1) server.names.set(`silent-${at}.test`, 'silent');
});
afterEach(async () => {
  names.onApplicationShutdown();
  await server.stop();
});

/** Starts look-ups of an account that get no answer. */
function silent(account: number): Promise<unknown>[] {
  return Array.from({ length: MANY }, (_, at) =>
    names.addressesOf(`silent-${at}.test`, account).catch((error: unknown) => error),
  );
}

async function soon<Result>(work: Promise<Result>): Promise<Result> {
  const waited = stopwatch();
  const result = await work;
  expect(waited()).toBeLessThan(SOON_MS);
  return result;
}

describe('a name', () => {
  it('has all addresses that a name server knows', async () => {
    const found = await names.addressesOf('receiver.test', 1);
    expect([...found].sort()).toEqual(['2a00:1450::1', '8.8.8.8']);
    expect(names.counts).toEqual({ found: 1, not_found: 0, failed: 0 });
  });

  it('that does not exist is not found', async () => {
    await expect(names.addressesOf('nobody.test', 1)).rejects.toThrow('the name was not found');
    expect(names.counts).toMatchObject({ not_found: 1 });
  });

  it('is asked for once by many calls of an account at a time', async () => {
    const found = Array.from({ length: MANY }, () => names.addressesOf('receiver.test', 1));
    expect(new Set(await Promise.all(found)).size).toBe(1);
    expect(server.queries).toEqual(['receiver.test', 'receiver.test']);
  });

  it('of this machine is not asked for', async () => {
    expect(await names.addressesOf('LOCALHOST', 1)).toContain('127.0.0.1');
    expect(await names.addressesOf('any.localhost', 1)).toEqual(['127.0.0.1', '::1']);
    expect(await names.addressesOf('10.1.2.3', 1)).toEqual(['10.1.2.3']);
    expect(server.queries).toEqual([]);
  });
});

describe('a silent name server', () => {
  it('delays neither other accounts, nor the operator, nor the reading of files', async () => {
    const waiting = silent(1);
    const others = [names.addressesOf('receiver.test', 2)];
    others.push(names.addressesOf('receiver.test', 'operator'));
    await soon(Promise.all(others));
    await soon(stat('.'));
    names.onApplicationShutdown();
    await Promise.all(waiting);
  });

  it('is given up after some seconds, and holds few look-ups of an account at a time', async () => {
    const waited = stopwatch();
    const outcomes = await Promise.all(silent(1));
    expect(waited()).toBeLessThan(15_000);
    expect(outcomes.map(String)).toContain('Error: the name servers do not answer');
    const asked = new Set(server.queries.slice(0, MANY)).size;
    expect(asked).toBeLessThanOrEqual(4);
  });

  it('about one kind of address does not hold back the other kind', async () => {
    server.names.set('half.test', ['8.8.8.8']);
    server.silentTypes.add('AAAA');
    expect(await soon(names.addressesOf('half.test', 1))).toEqual(['8.8.8.8']);
  });
});

describe('the files of the system', () => {
  it('name addresses', () => {
    const text = '# 1.1.1.1 no\n127.0.0.1\tlocalhost\n::1 localhost Me # mine\nno.address x\n';
    expect(Object.fromEntries(parseHosts(text))).toEqual({
      localhost: ['127.0.0.1', '::1'],
      me: ['::1'],
    });
  });

  it('complete short names, and first those with few dots', () => {
    const list = parseSearchList('nameserver 10.0.0.1\nsearch a.test b.test.\noptions ndots:2\n');
    expect(completedNames('mail', list)).toEqual(['mail.a.test', 'mail.b.test', 'mail']);
    expect(completedNames('x.mail', list)).toEqual(['x.mail.a.test', 'x.mail.b.test', 'x.mail']);
    expect(completedNames('x.y.z', list)).toEqual(['x.y.z', 'x.y.z.a.test', 'x.y.z.b.test']);
    expect(completedNames('mail.', list)).toEqual(['mail']);
    expect(completedNames('mail', parseSearchList(''))).toEqual(['mail']);
  });
});
