import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { utf8BytesOf, Utf16Error } from '../../../src/ledger/files/utf8-bytes.js';

/** Reads the bytes in chunks of a size. */
function read(bytes: Buffer, size: number): Promise<Buffer> {
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
  const chunks = starts.map((start) => bytes.subarray(start, start + size));
  return buffer(utf8BytesOf(Readable.from(chunks)));
}

describe.each([1, 2, 3, 100])('utf8BytesOf, in chunks of %i bytes,', (size) => {
  it.each([
    ['', ''],
    ['\n', '\n'],
    ['{}', '{}'],
    ['\ufeff', ''],
    ['\ufeff[]', '[]'],
    ['\ufeff\ufeff', '\ufeff'],
    ['[]\ufeff', '[]\ufeff'],
    ['é', 'é'],
  ])('leaves out only a mark at the beginning: of %j, %j is left', async (text, rest) => {
    expect((await read(Buffer.from(text), size)).toString()).toBe(rest);
  });

  it.each(['{', '[]', '\ufeff', '\ufeff{"a":1}', '\r\n{}'])(
    'refuses %j in UTF-16',
    async (text) => {
      const little = Buffer.from(text, 'utf16le');
      await expect(read(little, size)).rejects.toThrow(Utf16Error);
      await expect(read(Buffer.from(little).swap16(), size)).rejects.toThrow(Utf16Error);
    },
  );
});
