import { describe, expect, it } from '@jest/globals';
import { checkBasicCredentials } from '../../../src/api/access/api-key.guard.js';
import { ApiError } from '../../../src/api/errors/api-error.js';
import { CATALOGUE } from '../../../src/api/errors/catalogue.js';
import { makeApiKey } from '../../../src/modules/accounts/applications/key-cipher.js';

const KEY = makeApiKey();
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const withoutPadding = (text: string) => base64(text).replace(/=+$/, '');
const refusedWith = (headers: readonly string[]): ApiError | null => {
  try {
    checkBasicCredentials(headers);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
};
/** Returns the internal code of the failure, or null if the header is passed on. */
const codeOf = (...headers: string[]): number | null => {
  const error = refusedWith(headers);
  return error === null ? null : CATALOGUE[error.failure].code;
};

describe('checkBasicCredentials', () => {
  it.each([
    ['a key with the password x', `Basic ${base64(`${KEY}:x`)}`],
    ['the scheme in small letters', `basic ${base64(`${KEY}:x`)}`],
    ['the scheme in capitals', `BASIC ${base64(`${KEY}:x`)}`],
    ['any user name, which is looked up later', `Basic ${base64('no key at all:x')}`],
    ['a user name outside of ASCII', `Basic ${base64('Zoë:x')}`],
  ])('passes %s', (_, header) => {
    expect(codeOf(header)).toBeNull();
  });

  it.each(['a:x', 'ab:x', 'abc:x'])('passes %s with and without padding', (credentials) => {
    expect(codeOf(`Basic ${base64(credentials)}`)).toBeNull();
    expect(codeOf(`Basic ${withoutPadding(credentials)}`)).toBeNull();
  });

  it('calls no header at all a missing key', () => {
    expect(codeOf()).toBe(4010);
  });

  it.each([
    ['an empty header', ''],
    ['white space', '  '],
    ['another scheme', 'Bearer abc'],
    ['another scheme with proper credentials', `Bearer ${base64(`${KEY}:x`)}`],
    ['a scheme that begins as Basic does', `Basically ${base64(`${KEY}:x`)}`],
    ['a scheme that ends as Basic does', `XBasic ${base64(`${KEY}:x`)}`],
    ['Basic inside of another word', `XBasicY ${base64(`${KEY}:x`)}`],
    ['credentials without a scheme', base64(`${KEY}:x`)],
    ['the scheme alone', 'Basic'],
    ['the scheme and a space', 'Basic '],
    ['an empty user name', `Basic ${base64(':x')}`],
    ['an empty user name and password', `Basic ${base64(':')}`],
  ])('calls %s a missing key', (_, header) => {
    expect(codeOf(header)).toBe(4010);
  });

  it.each([
    ['another password', `Basic ${base64(`${KEY}:y`)}`],
    ['a longer password', `Basic ${base64(`${KEY}:x:y`)}`],
    ['the password in capitals', `Basic ${base64(`${KEY}:X`)}`],
    ['a password with white space', `Basic ${base64(`${KEY}:x `)}`],
    ['an empty password', `Basic ${base64(`${KEY}:`)}`],
    ['a key without a colon', `Basic ${base64(KEY)}`],
    ['a password that ends in a NUL', `Basic ${base64(`${KEY}:x\0`)}`],
    ['10 KB of letters', `Basic ${'A'.repeat(10_240)}`],
    ['bad base64', 'Basic !!!!'],
    ['base64 with a letter over', `Basic ${base64('abc:x')}A`.replaceAll('=', '')],
    ['base64 with too much padding', 'Basic YWJjOng==='],
    ['base64 with padding amid it', `Basic YQ==${base64(`${KEY}:x`)}`],
    ['base64url', `Basic ${Buffer.from('??>>ÿÿ:x').toString('base64url')}`],
    ['bytes that are no UTF-8', `Basic ${base64(Buffer.from([0x61, 0xff, 0x3a, 0x78]))}`],
    ['half a character', `Basic ${base64(Buffer.from([0xc3, 0x3a, 0x78]))}`],
    ['credentials in clear', `Basic ${KEY}:x`],
    ['something after the credentials', `Basic ${base64(`${KEY}:x`)} more`],
  ])('calls %s an invalid key', (_, header) => {
    expect(codeOf(header)).toBe(4011);
  });

  it('calls two headers an invalid key, for each is credentials that contradict the other', () => {
    const header = `Basic ${base64(`${KEY}:x`)}`;
    expect(codeOf(header, header)).toBe(4011);
  });

  it('answers every refusal with the scheme that is wanted', () => {
    for (const headers of [[], ['Bearer abc'], [`Basic ${base64('a:y')}`]]) {
      expect(refusedWith(headers)?.headers['WWW-Authenticate']).toMatch(/^Basic\b/);
    }
  });

  it('never repeats what was sent', () => {
    const told = refusedWith([`Basic ${base64(`${KEY}:y`)}`]);
    expect(`${told?.detail ?? ''}${told?.message ?? ''}`).not.toContain(KEY);
  });
});
