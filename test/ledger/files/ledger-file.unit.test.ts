import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { linesOf, openLedger, UnreadableFileError } from '../../../src/ledger/files/ledger-file.js';
import { holds } from '../../support/random/properties.js';

const MEBIBYTE = 1024 * 1024;

async function* streamed(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

/** Returns each line as its number and its text, or null for a text that is too long. */
async function read(chunks: AsyncIterable<Buffer>): Promise<[number, string | null][]> {
  const found: [number, string | null][] = [];
  for await (const { line, bytes } of linesOf(chunks)) {
    found.push([line, bytes?.toString('latin1') ?? null]);
  }
  return found;
}
const readText = (...texts: string[]) => read(streamed(texts.map((text) => Buffer.from(text))));

/** Returns the bytes cut after each of these shares, in thousandths. */
function cut(bytes: Buffer, shares: readonly number[]): Buffer[] {
  const ends = shares.map((share) => Math.floor((share * bytes.length) / 1_000));
  const sorted = [0, ...ends.sort((left, right) => left - right), bytes.length];
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

describe('linesOf', () => {
  it('numbers lines from 1 and needs no line end after the last', async () => {
    expect(await readText('a\nb')).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  it('treats a carriage return as part of the line end, but not elsewhere', async () => {
    expect(await readText('a\r\nb\rc\r\n\rd\r')).toEqual([
      [1, 'a'],
      [2, 'b\rc'],
      [3, '\rd'],
    ]);
  });

  it('skips empty lines and counts them', async () => {
    expect(await readText('\n\r\na\n\n\nb\n\n')).toEqual([
      [3, 'a'],
      [6, 'b'],
    ]);
  });

  it('returns nothing for empty input', async () => {
    expect(await readText()).toEqual([]);
    expect(await readText('', '')).toEqual([]);
  });

  it('returns the same lines however the bytes are split into chunks', async () => {
    const byte = fc.oneof(fc.constantFrom(0x0a, 0x0a, 0x0d), fc.integer({ min: 0, max: 255 }));
    const shares = fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 12 });
    await holds(
      fc.asyncProperty(fc.array(byte, { maxLength: 80 }), shares, async (values, at) => {
        const bytes = Buffer.from(values);
        const expected = bytes
          .toString('latin1')
          .split('\n')
          .map((text, index): [number, string] => [index + 1, text.replace(/\r$/, '')])
          .filter(([, text]) => text !== '');
        expect(await read(streamed(cut(bytes, at)))).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it('reads a line of one mebibyte', async () => {
    const [[line, text] = []] = await readText('x'.repeat(MEBIBYTE), '\n');
    expect([line, text?.length]).toEqual([1, MEBIBYTE]);
  });

  it('counts a longer line, returns nothing of it, and continues with the next', async () => {
    const part = 'x'.repeat(MEBIBYTE / 2);
    expect(await readText('a\n', part, part, 'x\nb\n')).toEqual([
      [1, 'a'],
      [2, null],
      [3, 'b'],
    ]);
  });

  it('counts a longer last line, too', async () => {
    expect(await readText('x'.repeat(MEBIBYTE + 1))).toEqual([[1, null]]);
  });

  it('uses no memory for a line of 512 MiB', async () => {
    let most = 0;
    const endless = function* () {
      const before = process.memoryUsage().arrayBuffers;
      for (let made = 0; made < 2_048; made += 1) {
        yield Buffer.alloc(MEBIBYTE / 4, 'x');
        if (made % 64 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
    };
    expect(await read(streamed(endless()))).toEqual([[1, null]]);
    expect(most).toBeLessThan(256 * MEBIBYTE);
  });
});

describe('openLedger', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-test-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const stored = (name: string, bytes: Buffer | string) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const readFile = async (path: string) => read((await openLedger(path)).bytes);

  it('reads a plain file', async () => {
    expect(await readFile(stored('plain', 'a\nb\n'))).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  it.each(['ledger.gz', 'named-otherwise'])('decompresses %s', async (name) => {
    expect(await readFile(stored(name, gzipSync('a\nb\n')))).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  it.each([
    ['an empty file', '', []],
    ['a file of one byte', 'a', [[1, 'a']]],
  ])('reads %s', async (_, text, expected) => {
    expect(await readFile(stored('short', text))).toEqual(expected);
  });

  it('reports how much of the file has been read', async () => {
    const source = await openLedger(stored('progress', 'a\nb\n'));
    await read(source.bytes);
    expect([source.totalBytes, source.readBytes()]).toEqual([4, 4]);
  });

  it('reports a missing file, and a folder, as unreadable', async () => {
    await expect(openLedger(join(folder, 'none'))).rejects.toThrow(UnreadableFileError);
    await expect(openLedger(folder)).rejects.toThrow(UnreadableFileError);
  });

  it('reports a truncated compressed file as unreadable', async () => {
    const whole = gzipSync('a\n'.repeat(1_000));
    await expect(readFile(stored('cut.gz', whole.subarray(0, -9)))).rejects.toThrow(
      UnreadableFileError,
    );
  });

  it('reports a compressed file with a changed byte as unreadable', async () => {
    const whole = gzipSync('a\n'.repeat(1_000));
    whole.writeUInt8((whole.readUInt8(whole.length - 8) + 1) % 256, whole.length - 8);
    await expect(readFile(stored('changed.gz', whole))).rejects.toThrow(UnreadableFileError);
  });
});
