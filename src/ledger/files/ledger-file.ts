import { DomainError } from '../../platform/errors/domain-error.js';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isError } from '../../platform/errors/is-error.js';
import { shownText } from '../../platform/values/shown-text.js';
import { TEXT } from './text-rule.js';
import { utf8BytesOf } from './utf8-bytes.js';

/** Maximum length of a line, in bytes. Longer lines are rejected without being held in memory. */
const MAX_LINE_BYTES = 1024 * 1024;
const [NEWLINE, RETURN] = [0x0a, 0x0d];
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** Reports a file that cannot be opened, read or unpacked. */
export class UnreadableFileError extends DomainError {}

export interface RawLine {
  /** Line number, from 1. */
  readonly line: number;
  /** The bytes without the line end; null if the line is too long. */
  readonly bytes: Buffer | null;
}

export interface LedgerSource {
  /** Name of the file, on one line and at most 255 characters; `-` for standard input. */
  readonly name: string;
  readonly bytes: AsyncIterable<Buffer>;
  /** Size of the stored file in bytes; null for standard input. */
  readonly totalBytes: number | null;
  /** Returns the number of stored bytes that have been read so far. */
  readBytes(): number;
  /** Stops reading; a read that is waiting for bytes fails. */
  close(): void;
}

/**
 * Opens a ledger file, or standard input for `-`. It detects and unpacks gzip, and skips a byte
 * order mark.
 * @throws UnreadableFileError when called or while iterating
 */
export async function openLedger(path: string): Promise<LedgerSource> {
  const totalBytes = path === '-' ? null : await sizeOf(path);
  const stored: Readable = path === '-' ? process.stdin : createReadStream(path);
  let read = 0;
  const counted = counting(stored, (bytes) => (read += bytes));
  const close = () => void stored.destroy();
  const name = Array.from(shownText(basename(path)))
    .slice(0, TEXT.max)
    .join('');
  return {
    name,
    bytes: readable(utf8BytesOf(unpacked(counted))),
    totalBytes,
    readBytes: () => read,
    close,
  };
}

/** Splits bytes into lines. Empty lines are skipped but counted. */
export async function* linesOf(
  bytes: AsyncIterable<Buffer>,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<RawLine> {
  let line = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const take = function* (): Generator<RawLine> {
    const bytes = length > maxBytes + 1 ? null : withoutLineEnd(joinedParts(parts));
    const whole = bytes !== null && bytes.length > maxBytes ? null : bytes;
    if (whole === null || whole.length > 0) yield { line, bytes: whole };
    line += 1;
    parts = [];
    length = 0;
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let end; (end = chunk.indexOf(NEWLINE, from)) >= 0; from = end + 1) {
      // Empty lines skip the generator, so that millions of them do not take seconds.
      if (length === 0 && (end === from || (end === from + 1 && chunk[from] === RETURN))) {
        line += 1;
        continue;
      }
      parts.push(chunk.subarray(from, end));
      length += end - from;
      yield* take();
    }
    length += chunk.length - from;
    // The bytes of a line that is already too long are counted but not kept.
    if (length > maxBytes + 1) parts = [];
    else parts.push(chunk.subarray(from));
  }
  if (length > 0) yield* take();
}

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new Error('it is a folder');
    return found.size;
  } catch (error) {
    throw unreadable(error);
  }
}

async function* counting(stored: Readable, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of stored as AsyncIterable<Buffer>) {
    count(chunk.length);
    yield chunk;
  }
}

/** Unpacks gzip. It detects gzip by the first bytes, because standard input has no file name. */
async function* unpacked(stored: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < GZIP_MAGIC.length) {
    const next = await stored.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const whole = Readable.from(joined(head, stored));
  const isPacked = head.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
  const bytes = isPacked ? pipeline(whole, createGunzip(), () => undefined) : whole;
  yield* bytes as AsyncIterable<Buffer>;
}

/** Yields the bytes. Every error becomes an UnreadableFileError. */
async function* readable(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    throw unreadable(error);
  }
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

/** Joins the parts of a line. Most lines lie within one chunk and need no copy. */
function joinedParts(parts: readonly Buffer[]): Buffer {
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts);
}

function withoutLineEnd(bytes: Buffer): Buffer {
  return bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes;
}

function unreadable(error: unknown): UnreadableFileError {
  return new UnreadableFileError(isError(error) ? error.message : String(error));
}
