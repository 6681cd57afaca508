import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure, type FailureCode } from '../../support/oracles/failure.js';
import { basic, type Answer } from '../../support/http/http.js';
import { product, user } from '../../support/builders/ledger-records.js';
import { exchange, head } from '../../support/http/raw-http.js';
import { TestService } from '../../support/servers/service.js';

/**
 * Forms of the Authorization header on the wire that a client of Node would normalize or not send.
 * access.test.ts covers what any client can send.
 */
const TARGETS = [
  ['GET', '/v3.0', '3.0'],
  ['GET', '/v2.1/products/names', '2.1'],
  ['GET', '/v2.0/latest-transactions', '2.0'],
  ['PUT', '/v2.1/affiliates/1/products/10', '2.1'],
  ['GET', '/nowhere', '3.0'],
] as const;

let service: TestService;
let good: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), product(10, 1)]);
  good = basic(await service.key(1)).Authorization;
});
afterAll(() => service.stop());

/** Sends header lines as latin1 bytes, so that they can contain any byte. */
async function ask(lines: readonly string[], method = 'GET', path = '/v3.0'): Promise<Answer> {
  const request = head(`${method} ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...lines);
  const answers = await exchange(service.port, Buffer.from(request, 'latin1'));
  const [answer] = answers;
  if (answer === undefined || answers.length > 1) throw new Error(`${answers.length} answers`);
  return answer;
}

async function expectEverywhere(lines: readonly string[], code: FailureCode): Promise<void> {
  for (const [method, path, version] of TARGETS) {
    expectFailure(await ask(lines, method, path), code, version);
  }
}

function credentials(text: string | Buffer): string {
  return `Authorization: Basic ${Buffer.from(text).toString('base64')}`;
}

const token = () => good.slice('Basic '.length);
const key = () => Buffer.from(token(), 'base64').toString().replace(/:x$/, '');

describe('header lines without a key are 4010 on every operation', () => {
  it.each([
    ['no Authorization', () => []],
    ['an empty one', () => ['Authorization:']],
    ['white space', () => ['Authorization: \t  ']],
    ['another scheme', () => ['Authorization: Bearer x']],
    ['the scheme within a longer one', () => [`Authorization: XBasicY ${token()}`]],
    ['the scheme alone', () => ['Authorization: Basic']],
    ['the scheme and spaces', () => ['Authorization: Basic     ']],
    ['a tab behind the scheme', () => [`Authorization: Basic\t${token()}`]],
    ['a space of another alphabet before the scheme', () => [`Authorization: \u00a0${good}`]],
    ['letters like those of the scheme', () => [`Authorization: B\u00e0sic ${token()}`]],
    ['an empty user name', () => [credentials(':x')]],
    ['an empty user name and a password of more parts', () => [credentials(':x:x')]],
    ['the key for a proxy', () => [`Proxy-Authorization: ${good}`]],
    ['the key under a name that only begins like it', () => [`Authorization-Key: ${good}`]],
    ['the key in a cookie', () => [`Cookie: Authorization=${good}`]],
  ])('%s', async (_, lines) => {
    await expectEverywhere(lines(), 4010);
  });
});

describe('header lines with a wrong key are 4011 on every operation', () => {
  it.each([
    ['a password of more parts', () => [credentials(`${key()}:x:y`)]],
    ['an empty password', () => [credentials(`${key()}:`)]],
    ['a NUL inside the key', () => [credentials(`${key().slice(0, 9)}\0${key().slice(9)}:x`)]],
    ['10 KB', () => [credentials('k'.repeat(7_600))]],
    ['10 KB of no base64', () => [`Authorization: Basic ${'*'.repeat(10_240)}`]],
    ['no base64', () => ['Authorization: Basic %%%']],
    ['the URL alphabet', () => [`Authorization: Basic ${url('\u00ff\u00fe\u00ff:x')}`]],
    ['bytes above ASCII in the header', () => ['Authorization: Basic \u00ff\u00fe\u0080']],
    ['bytes above ASCII behind the key', () => [`Authorization: ${good}\u00ff`]],
    ['bytes that are no UTF-8', () => [credentials(Buffer.from([0xff, 0xfe, 0x3a, 0x78]))]],
    ['half a character of UTF-8', () => [credentials(Buffer.from([0xe2, 0x82, 0x3a, 0x78]))]],
    ['a mark of the byte order', () => [credentials(`\ufeff${key()}:x`)]],
    ['a parameter behind the key', () => [`Authorization: ${good} realm="a"`]],
    ['quotes around the key', () => [`Authorization: Basic "${token()}"`]],
    ['two keys with a comma between', () => [`Authorization: ${good}, ${good}`]],
  ])('%s', async (_, lines) => {
    await expectEverywhere(lines(), 4011);
  });

  it.each([
    ['twice the same', () => [`Authorization: ${good}`, `Authorization: ${good}`]],
    ['the second of another letter case', () => [`Authorization: ${good}`, `AUTHORIZATION: b`]],
    ['the first empty', () => ['Authorization:', `Authorization: ${good}`]],
    ['the second empty', () => [`Authorization: ${good}`, 'Authorization:']],
    ['with others between', () => [`Authorization: ${good}`, 'Accept: a', 'Authorization: Bearer']],
  ])('two Authorization headers, while the key is remembered: %s', async (_, lines) => {
    expect((await ask([`Authorization: ${good}`])).status).toBe(200);
    await expectEverywhere(lines(), 4011);
  });
});

function url(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('base64url');
}

describe('equivalent header lines with a valid key are accepted', () => {
  it.each([
    ['a name in capitals', () => `AUTHORIZATION: ${good}`],
    ['a name in small letters', () => `authorization: ${good}`],
    ['no space before the value', () => `Authorization:${good}`],
    ['white space around the value', () => `Authorization: \t ${good} \t`],
    ['a scheme in capitals', () => `Authorization: BASIC ${token()}`],
    ['a scheme in small letters', () => `Authorization: basic ${token()}`],
    ['no padding', () => `Authorization: ${good.replace(/=+$/, '')}`],
  ])('%s', async (_, line) => {
    expect((await ask([line()])).status).toBe(200);
  });
});

describe('header lines that are not HTTP are 4000, whatever their key', () => {
  it.each([
    ['a NUL in the value', () => `Authorization: ${good}\0`],
    ['a NUL in the name', () => `Author\0ization: ${good}`],
    ['a space before the colon', () => `Authorization : ${good}`],
    ['a line feed alone inside', () => `Authorization: Basic\n${token()}`],
    ['a carriage return alone inside', () => `Authorization: Basic \r${token()}`],
  ])('%s', async (_, line) => {
    expectFailure(await ask([line()]), 4000);
  });
});
