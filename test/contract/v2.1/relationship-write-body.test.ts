import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/failure.js';
import { basic } from '../../support/http.js';
import { FORM, relationshipPath, Relationships, STORED } from '../../support/relationships.js';

const LIMIT = 16 * 1024;
const JSON_TYPE = 'application/json';
const GOOD = '{"approval_status":"DELAYED"}';
let relationships: Relationships;

beforeAll(async () => {
  relationships = await Relationships.start();
});
afterAll(() => relationships.stop());
beforeEach(() => relationships.restore());

/** JSON and a form of exactly so many bytes, which fill up with a field that nobody knows. */
const jsonOf = (bytes: number) => {
  const [head, tail] = ['{"approval_status":"DELAYED","filling":"', '"}'];
  return `${head}${'a'.repeat(bytes - head.length - tail.length)}${tail}`;
};
const formOf = (bytes: number) => 'approval_status=DELAYED&filling='.padEnd(bytes, 'a');

function putWith(headers: Record<string, string>, body: string | Buffer, key = relationships.key) {
  return relationships.service.send({
    method: 'PUT',
    path: relationshipPath(),
    headers: { ...basic(key), ...headers },
    body,
  });
}

describe('The body of a write', () => {
  it.each([
    ['JSON', jsonOf(LIMIT), JSON_TYPE],
    ['a form', formOf(LIMIT), FORM],
  ])('may have 16 KiB as %s', async (_, body, type) => {
    expect((await relationships.put(body, type)).status).toBe(200);
    expect(await relationships.read()).toEqual({ ...STORED, status: 'APPROVED' });
  });

  const CUT_OFF = '{"approval_status":"DELAYED"';
  it.each([
    ['one byte more than 16 KiB of JSON', jsonOf(LIMIT + 1), JSON_TYPE],
    ['one byte more than 16 KiB of a form', formOf(LIMIT + 1), FORM],
    ['a megabyte', jsonOf(1024 * 1024), JSON_TYPE],
    ['JSON that is cut off', CUT_OFF, JSON_TYPE],
    ['JSON with something behind it', `${GOOD}}`, JSON_TYPE],
    ['JSON with a comma too many', '{"approval_status":"DELAYED",}', JSON_TYPE],
    ['no JSON', 'approval_status=DELAYED', JSON_TYPE],
    ['plain text', GOOD, 'text/plain'],
    ['another type', '<a/>', 'application/xml'],
    ['a form in parts', '--b\r\n\r\n--b--', 'multipart/form-data; boundary=b'],
    ['a type that is none', GOOD, 'json'],
    ['an unknown charset', GOOD, `${JSON_TYPE}; charset=klingon`],
    ['an unknown charset of a form', 'approval_status=DELAYED', `${FORM}; charset=klingon`],
  ])('is refused with 4000 where it is %s', async (_, body, type) => {
    const before = await relationships.written();
    const detail = expectFailure(await relationships.put(body, type), 4000, '2.1');
    expect(detail).not.toBe('');
    expect(await relationships.written()).toEqual(before);
  });

  it('is refused with 4000 where it says no content type', async () => {
    expectFailure(await putWith({}, GOOD), 4000, '2.1');
    expect(await relationships.read()).toEqual(STORED);
  });

  it.each([
    ['a list', '[{"approval_status":"DELAYED"}]'],
    ['an empty list', '[]'],
    ['null', 'null'],
    ['a text', '"DELAYED"'],
    ['a number', '7'],
    ['true', 'true'],
    ['empty', ''],
    ['an empty object', '{}'],
  ])('is refused with 4001 where it is %s', async (_, body) => {
    const before = await relationships.written();
    expectFailure(await relationships.put(body), 4001, '2.1');
    expect(await relationships.written()).toEqual(before);
  });

  it('lacks its fields where there is none, so 4001', async () => {
    const answer = await relationships.service.send({
      method: 'PUT',
      path: relationshipPath(),
      headers: { ...basic(relationships.key), 'Content-Length': '0' },
    });
    expectFailure(answer, 4001, '2.1');
  });

  it('is read where it is compressed', async () => {
    const headers = { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'gzip' };
    expect((await putWith(headers, gzipSync(GOOD))).status).toBe(200);
    expect(await relationships.read()).toMatchObject({ status: 'APPROVED' });
  });

  it.each([
    ['that is 100 MiB once it is unpacked', gzipSync(Buffer.alloc(100 * 1024 * 1024, ' '))],
    ['that is one byte too long once it is unpacked', gzipSync(jsonOf(LIMIT + 1))],
    ['that is not compressed at all', Buffer.from(GOOD)],
    ['that is cut off', gzipSync(GOOD).subarray(0, -9)],
  ])('is refused with 4000 where it claims gzip, %s', async (_, body) => {
    const headers = { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'gzip' };
    const before = process.memoryUsage().rss;
    expectFailure(await putWith(headers, body), 4000, '2.1');
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    expect(await relationships.read()).toEqual(STORED);
  });

  it('is refused with 4000 in an encoding that nobody knows', async () => {
    const headers = { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'rot13' };
    expectFailure(await putWith(headers, GOOD), 4000, '2.1');
  });

  it.each([
    ['malformed JSON', '{', JSON_TYPE],
    ['a megabyte', jsonOf(1024 * 1024), JSON_TYPE],
    ['plain text', 'x', 'text/plain'],
    ['a bad field', '{"approval_status":"?"}', JSON_TYPE],
  ])('is not looked at without a good key: %s', async (_, body, type) => {
    const path = relationshipPath();
    const headers = { 'Content-Type': type };
    const none = await relationships.service.send({ method: 'PUT', path, headers, body });
    expectFailure(none, 4010, '2.1');
    expectFailure(await putWith(headers, body, 'no-key'), 4011, '2.1');
  });

  it('leaves the connection in order: a good write follows a refused one', async () => {
    for (const body of [jsonOf(LIMIT + 1), '{', GOOD]) {
      const { status } = await relationships.put(body);
      expect(status).toBe(body === GOOD ? 200 : 400);
    }
  });
});
