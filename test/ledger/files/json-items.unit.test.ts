import { describe, expect, it } from '@jest/globals';
import {
  jsonItemsOf,
  LongItemError,
  MalformedJsonError,
} from '../../../src/ledger/files/json-items.js';

const MAX = 40;

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  await Promise.resolve();
}

async function itemsOf(text: string, size: number): Promise<string[]> {
  const items: string[] = [];
  for await (const item of jsonItemsOf(inChunks(text, size), MAX)) items.push(item.toString());
  return items;
}

/** The reader finds every JSON item, wherever the chunks end. */
describe.each([1, 2, 3, 7, 1_000])('in chunks of %i bytes', (size) => {
  it.each([
    ['', []],
    [' \n', []],
    ['[]', []],
    ['\t[\r\n] ', []],
    ['{"a":1}', ['{"a":1}']],
    ['[{"a":1},{"b":[1,2]}]', ['{"a":1}', '{"b":[1,2]}']],
    ['[ 1 , "a,]b" ,null]', ['1 ', '"a,]b" ', 'null']],
    [String.raw`["\\","\"]",{"a\"":"}"}]`, [String.raw`"\\"`, String.raw`"\"]"`, '{"a\\"":"}"}']],
    ['[[[]],[{"ü€😀":"]"}]]', ['[[]]', '[{"ü€😀":"]"}]']],
  ])('%j has its items', async (text, expected) => {
    expect(await itemsOf(text, size)).toEqual(expected);
  });

  it.each([
    '[',
    '[1',
    '[1,',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1]2',
    '[1],',
    ']',
    '}',
    '{',
    '"a',
    '[{]}]',
    '[{"a":}]',
    '[nul]',
    '{"a":1}{"b":2}',
    "['a']",
    '["\n"]',
    '[1,,2]',
    '\ufeff[]',
  ])('%j is malformed', async (text) => {
    await expect(itemsOf(text, size)).rejects.toThrow(MalformedJsonError);
  });

  it.each([`["${'x'.repeat(MAX)}"]`, `"${'x'.repeat(MAX)}"`, `[1,${'['.repeat(MAX + 1)}`])(
    'an item that is too long is not held: %j',
    async (text) => {
      await expect(itemsOf(text, size)).rejects.toThrow(LongItemError);
    },
  );
});

it('invalid UTF-8 is malformed', async () => {
  const chunks = (async function* () {
    yield await Promise.resolve(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]));
  })();
  await expect(jsonItemsOf(chunks, MAX).next()).rejects.toThrow(MalformedJsonError);
});
