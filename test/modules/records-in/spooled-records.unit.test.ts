import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  writeWhole,
  type WritableAt,
} from '../../../src/modules/records-in/incoming/record-spool.js';

const folder = mkdtempSync(join(tmpdir(), 'spooled-records-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Returns a file that accepts at most this many bytes at a time. */
function inPieces(file: FileHandle, most: number): WritableAt {
  return {
    write: (bytes, at, length, position) => file.write(bytes, at, Math.min(length, most), position),
  };
}

describe('records that a disk takes in pieces', () => {
  it('are written whole, at their position', async () => {
    const path = join(folder, 'spool');
    const file = await open(path, 'wx+');
    await writeWhole(inPieces(file, 7), Buffer.from('the first records, '), 0);
    await writeWhole(inPieces(file, 1), Buffer.from('and the next'), 19);
    await file.close();
    expect(readFileSync(path, 'utf8')).toBe('the first records, and the next');
  });
});
