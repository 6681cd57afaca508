import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic } from '../../support/http/http.js';
import {
  FORM,
  relationshipPath,
  Relationships,
  STORED,
} from '../../support/builders/relationships.js';

const LIMIT = 16 * 1024;
const JSON_TYPE = 'application/json';
const GOOD = '{"approval_status":"DELAYED"}';
let relationships: Relationships;

beforeAll(async () => {
  relationships = await Relationships.start();
});
afterAll(() => relationships.stop());
beforeEach(() => relationships.restore());

/**
 * Returns JSON of exactly this many bytes, filled up with an unknown field. `formOf` does so for a
 * form.
 */
const jsonOf = (bytes: number) => {
  const [head, tail] = ['{"approval_status":"DELAYED","filling":"', '"}'];
  return `${head}${'a'.repeat(bytes - head.length - tail.length)}${tail}`;
};
/** Returns a body with this depth of nested brackets, including its own brace. */
const nested = (depth: number) =>
  `{"approval_status":"DELAYED","filling":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const objects = (depth: number) =>
  `{"approval_status":"DELAYED","filling":${'{"a":'.repeat(depth - 1)}1${'}'.repeat(depth)}`;
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
    ['JSON of a form that is cut off', CUT_OFF, FORM],
    ['JSON of a form with something behind it', `${GOOD}&a=b`, FORM],
    ['a brace alone, as a form', '{', FORM],
    ['a form that is not percent-encoded', 'approval_status=DELAYED&custom_commission=%zz', FORM],
    ['a form with half a percent-encoding', 'approval_status=DELAYED&comments=5%', FORM],
    ['a form with an unreadable name', 'approval_status=DELAYED&%C3=1', FORM],
    ['a form whose percent-encoding is no UTF-8', 'approval_status=DELAYED&comments=%FF', FORM],
    ['a form of another charset, cut off', 'a=%E', `${FORM}; charset=iso-8859-1`],
    ['JSON that is no UTF-8', Buffer.from([...Buffer.from('{"a":"'), 0xff, 0x22, 0x7d]), JSON_TYPE],
    ['nested 21 deep', nested(21), JSON_TYPE],
    ['nested 21 deep, as a form', nested(21), FORM],
    ['nested as deep as it can be', nested(5_000), JSON_TYPE],
    ['nested 2,000 deep in objects', objects(2_000), JSON_TYPE],
    ['nested 21 deep in what nobody knows', objects(21), JSON_TYPE],
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

  it.each(['multipart/form-data; boundary=b', 'text/plain', 'application/octet-stream'])(
    'is told the types that are accepted where it is %s',
    async (type) => {
      const detail = expectFailure(await relationships.put(GOOD, type), 4000, '2.1');
      expect(detail).toBe(
        'Send the body as application/json or as application/x-www-form-urlencoded.',
      );
    },
  );

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

  it.each([
    ['a form that begins with a brace', GOOD, FORM],
    ['one with white space before it', ` \r\n\t${GOOD}\n`, FORM],
    ['one that names its charset', GOOD, `${FORM}; charset=UTF-8`],
    ['one with a mark of the byte order', `\ufeff${GOOD}`, FORM],
    ['JSON with a mark of the byte order', `\ufeff${GOOD}`, JSON_TYPE],
    ['JSON in UTF-16', Buffer.from(GOOD, 'utf16le'), `${JSON_TYPE}; charset=utf-16le`],
    ['nested 20 deep', nested(20), JSON_TYPE],
    ['nested 20 deep in objects', objects(20), JSON_TYPE],
    [
      'side by side, and not in each other',
      `{"a":[${'[],{},'.repeat(900)}1],${GOOD.slice(1)}`,
      FORM,
    ],
    [
      'brackets in texts',
      `{"a":"${'[{'.repeat(900)}\\"[[","b\\\\":"[",${GOOD.slice(1)}`,
      JSON_TYPE,
    ],
    ['a form with a brace inside', 'approval_status=DELAYED&comments={', FORM],
    ['a form of another charset', 'approval_status=DELAYED&a=%E9', `${FORM}; charset=iso-8859-1`],
  ])('is read: %s', async (_, body, type) => {
    expect((await relationships.put(body, type)).status).toBe(200);
    expect(await relationships.read()).toEqual({ ...STORED, status: 'APPROVED' });
  });

  it('is JSON in a form to the letter: null clears, and an empty text is no null', async () => {
    const cleared = '{"approval_status":"DELAYED","custom_commission":null}';
    expect((await relationships.put(cleared, FORM)).status).toBe(200);
    expect(await relationships.read()).toMatchObject({ custom_commission: 0 });
    const empty = '{"approval_status":"DELAYED","custom_commission":""}';
    expectFailure(await relationships.put(empty, FORM), 4001, '2.1');
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
