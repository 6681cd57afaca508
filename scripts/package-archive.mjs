// Writes packages as npm installs them from a file. The same content always gives the same bytes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';

const BLOCK = 512;
/** Positions of the fields of a header (POSIX, ustar). */
const [NAME, MODE, OWNER, GROUP, SIZE, TIME, SUM, TYPE, MAGIC] = [
  0, 100, 108, 116, 124, 136, 148, 156, 257,
];
/** npm gives every file this date, because some archive tools refuse dates before 1980. */
const DATE = Date.UTC(1985, 9, 26, 8, 15) / 1_000;

/**
 * Writes an archive for `npm install file:…`.
 * @param files contents by path, with a package.json
 */
export function writePackage(path, files) {
  const entries = Object.entries(files).flatMap(([name, content]) => {
    const data = Buffer.from(content);
    const padding = Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK);
    return [headerOf(`package/${name}`, data.length), data, padding];
  });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)])));
}

function headerOf(name, size) {
  const header = Buffer.alloc(BLOCK);
  const length = Buffer.byteLength(name);
  if (length > MODE) throw new Error(`${name} is longer than ${MODE} bytes`);
  header.write(name, NAME);
  for (const [position, value, digits] of [
    [MODE, 0o644, 7],
    [OWNER, 0, 7],
    [GROUP, 0, 7],
    [SIZE, size, 11],
    [TIME, DATE, 11],
  ]) {
    header.write(value.toString(8).padStart(digits, '0'), position);
  }
  header.write('0', TYPE);
  header.write('ustar\u000000', MAGIC, 'latin1');
  // The sum counts its own field as spaces.
  header.fill(' ', SUM, TYPE);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, SUM, 'latin1');
  return header;
}
